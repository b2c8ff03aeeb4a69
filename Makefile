# Tengen. `make` alone says what there is.

VENV := .venv
PY := $(VENV)/bin/python
ENV := $(VENV)/.complete
EXE := dist/pbrain-tengen
ZIP := dist/pbrain-tengen.zip
LIB := pyengine/$(if $(filter Darwin,$(shell uname)),libtengen.dylib,libtengen.so)
FROZEN_FROM := $(shell find pyengine protocol records -name '*.py') build_exe.py build_core.py
TYPED := pyengine protocol records arena tools tests web/build.py $(addprefix training/,tune.py spsa.py generate.py manifest.py gamefiles.py chunk.py refit.py winrate.py yardstick.py) build_core.py build_exe.py build_lock.py hatch_build.py installed_names.py
WINDOWS_EXE := dist/windows/pbrain-tengen.exe
WINDOWS_ZIP := dist/windows/pbrain-tengen.zip
WINDOWS_LIB := pyengine/tengen.dll
WINDOWS_PYTHON := build/windows/python/python.exe
WINDOWS_PYTHON_FROM := requirements-windows.txt tools/windows/launcher.c tools/windows/python.py tools/windows/wine.py

FUZZ := build/fuzz
FUZZ_ENV := $(FUZZ)/venv/.complete
SECONDS ?= 60

# Two of these at once in one tree: one waits, and finds that the other has done it.
ONE_AT_A_TIME := $(if $(shell command -v flock),flock build/environment.lock)

export TENGEN_EXE ?= $(abspath $(EXE))

.PHONY: help run exe zip windows core board docs release test test-web test-windows ctest soak fuzz bench bench-threads \
	bench-ninuki claims vcf-suite tune tune-search check style web-types format werror signatures sanitize install clean force
.DELETE_ON_ERROR:

## make run        builds all and plays one game, executable against executable
## make exe        dist/pbrain-tengen, one file
## make zip        dist/pbrain-tengen.zip, the tournament package
## make windows    dist/windows/pbrain-tengen.exe and .zip, made on Linux with mingw and wine
## make board      dist/tengen-board.html, the board in one file; wants npm
## make docs       dist/site/, the documentation as a site with the board in it
## make release    dist/release/: executables, wheels of eight systems, sdists, board, site, sums
## make test       the fast tests, some 11 minutes on two cores
## make test-windows  the Windows packages under wine: scripts, manners, a match with ours
## make test-web   the board in a real browser; wants chromium and npm
## make soak       the long tests
## make fuzz SECONDS=60  random calls and random lines, so long each; wants clang
## make bench      speed and signature of the search
## make bench-threads  what a second thread is worth, about two minutes
## make bench-ninuki  speed and depth under ninuki, about two minutes
## make claims     500 games of ninuki, and what the losers had said; goes on where it stopped
## make vcf-suite  times of the VCF and VCT suites
## make tune       self-play, fit and weights on a hundredth of the recipe, under build/tune
## make tune-search  the numbers of the search by games, hours of them; goes on where it was;
##                   NUMBERS=spsa_ninuki for those of ninuki
## make check      style, types, layering, warnings, signatures of several compilers
## make format     puts Python and C into the style that `check` asks for
## make sanitize   C tests and bench under the address, undefined-behaviour and thread sanitizers
## make install    installs into .venv/: `tengen`, `python -m protocol`, `python -m pyengine`
## make clean      removes what was built, not .venv/
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

# A late move loses no game here: the first thing that is tried must not depend on the machine's load.
run: $(EXE)
	$(PY) -m arena.play.demo $(EXE) $(EXE) --rule 0 --size 15 --turn-ms 200 --tolerance-ms 600000

exe: $(EXE)

zip: $(ZIP)

windows: $(WINDOWS_EXE) $(WINDOWS_ZIP)

core: $(LIB)

test: $(LIB) $(EXE) $(ZIP) ctest
	$(PY) -m pytest -m "not soak and not web"

board: $(ENV)
	$(PY) web/build.py

release: $(LIB) $(ENV)
	$(PY) -m tools.release

docs: board
	$(PY) -m tools.site

test-web: $(LIB) $(ENV)
	$(PY) -m pytest -m web tests/web

test-windows: $(LIB) $(EXE) windows
	$(PY) -m tests.support.windows_trial

ctest: $(ENV)
	$(PY) build_core.py --variant debug --run tests replay_boundary

soak: $(LIB) $(EXE)
	$(PY) -m pytest -m soak

# What is new is kept under build/fuzz/, an input that fails as well.
fuzz: $(LIB) $(FUZZ_ENV)
	@mkdir -p $(FUZZ)/boundary $(FUZZ)/protocol
	$(PY) build_core.py --variant fuzz --cc clang fuzz_boundary
	build/fuzz-clang/fuzz_boundary $(FUZZ)/boundary tests/fuzz/boundary -artifact_prefix=$(FUZZ)/ \
		-max_len=600 -timeout=60 -max_total_time=$(SECONDS)
	$(FUZZ)/venv/bin/python -m tests.fuzz.fuzz_protocol $(FUZZ)/protocol tests/fuzz/protocol \
		-artifact_prefix=$(FUZZ)/ -max_len=1000 -timeout=60 -max_total_time=$(SECONDS)

bench: $(LIB)
	@$(PY) -m pyengine

bench-threads: $(ENV)
	$(PY) build_core.py --run bench_smp

bench-ninuki: $(LIB)
	@$(PY) -m tools.bench_ninuki

claims: $(LIB)
	@$(PY) -m tools.claims

tune: $(ENV)
	$(PY) training/tune.py

# NUMBERS: spsa for the tournament rules, spsa_ninuki for ninuki.
NUMBERS ?= spsa
tune-search: $(LIB)
	$(PY) training/spsa.py training/$(NUMBERS).toml build/$(NUMBERS).jsonl --workers $$(nproc)

vcf-suite: $(LIB)
	@$(PY) -m tools.proof_times

check: style web-types werror signatures
	@echo "check: all is well"

# The types of the board's scripts; the rest of the project needs no npm.
web-types: $(ENV)
	@if command -v npm >/dev/null; then $(PY) web/build.py --types; \
	else echo "npm is missing: the types of web/ are not checked"; fi

style: $(ENV)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy --strict $(TYPED)
	find csrc tests training web/core -name '*.[ch]' -exec $(VENV)/bin/clang-format --dry-run -Werror {} +
	$(PY) -m pytest -q tests/build/test_layering.py

format: $(ENV)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	find csrc tests training web/core -name '*.[ch]' -exec $(VENV)/bin/clang-format -i {} +

werror: $(ENV)
	$(PY) build_core.py --variant werror bench_main bench_smp tests

signatures: $(ENV)
	$(PY) -m tools.signatures

sanitize: $(ENV)
	$(PY) build_core.py --variant sanitize --run tests replay_boundary
	$(PY) build_core.py --variant sanitize-fast --run bench_main
	$(PY) build_core.py --variant thread --run test_smp

install: $(ENV)
	$(PY) -m pip install --disable-pip-version-check . ./arena

clean:
	rm -rf build dist pyengine/_ffi.py pyengine/*.so pyengine/*.dll pyengine/*.dylib
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.venv/*' -exec rm -rf {} +

# build_core.py knows what is out of date, and leaves the library alone when nothing is.
$(LIB): force $(ENV)
	@$(PY) build_core.py

$(EXE): $(LIB) $(FROZEN_FROM) $(ENV)
	$(PY) build_exe.py

$(ZIP): $(LIB) $(FROZEN_FROM) $(ENV)
	$(PY) build_exe.py --zip

$(WINDOWS_LIB): force $(ENV)
	@$(PY) -m tools.windows core

$(WINDOWS_PYTHON): $(WINDOWS_PYTHON_FROM) $(ENV)
	$(PY) -m tools.windows python

$(WINDOWS_EXE): $(WINDOWS_LIB) $(WINDOWS_PYTHON) $(FROZEN_FROM)
	$(PY) -m tools.windows freeze

$(WINDOWS_ZIP): $(WINDOWS_LIB) $(WINDOWS_PYTHON) $(FROZEN_FROM)
	$(PY) -m tools.windows freeze --zip

$(ENV): requirements-dev.txt tools/environment.sh
	@mkdir -p build
	@$(ONE_AT_A_TIME) sh -c '[ $@ -nt requirements-dev.txt ] && [ $@ -nt tools/environment.sh ] || { \
		sh tools/environment.sh $(VENV) && $(PY) -m pip install --disable-pip-version-check \
		--progress-bar off -r requirements-dev.txt && touch $@; }'

# An environment of its own: not every Python has a coverage-led fuzzer, and no test needs one.
$(FUZZ_ENV): requirements-fuzz.txt $(ENV)
	$(PY) -m venv --clear $(FUZZ)/venv
	$(FUZZ)/venv/bin/python -m pip install --disable-pip-version-check -r requirements-fuzz.txt
	@touch $@
