#!/bin/sh
# Makes the virtual environment of a folder: tools/environment.sh .venv
#
# Looks for everything that a new machine may lack before anything is built, and takes the first
# Python that will do. PyInstaller needs libpython as a shared library. CC and PYTHON in the
# environment name a compiler and a Python to try first.
venv=$1
missing=
probe=$(mktemp -d) && trap 'rm -rf "$probe"' EXIT || exit 1
compiler=
for c in ${CC:-} cc gcc clang; do
	if command -v "$c" >/dev/null 2>&1; then compiler=$c; break; fi
done
printf '#include <stdio.h>\n#include <pthread.h>\nint main(void) { return 0; }\n' >"$probe/probe.c"
if [ -z "$compiler" ]; then
	missing="gcc libc6-dev"
elif ! "$compiler" -pthread "$probe/probe.c" -o "$probe/probe" 2>"$probe/said"; then
	cat "$probe/said"
	missing="libc6-dev"
fi

why_not() {
	"$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 ||
		{ echo python3; return; }
	"$1" -c 'import ensurepip, venv; ensurepip.version()' >/dev/null 2>&1 || echo python3-venv
	"$1" -c '
import ctypes, os, sysconfig
value = sysconfig.get_config_var
if not value("PYTHONFRAMEWORK"):
    name = value("INSTSONAME") or ""
    assert value("Py_ENABLE_SHARED") and ".so" in name
    path = os.path.join(value("LIBDIR"), name)
    ctypes.CDLL(path if os.path.exists(path) else name)
' >/dev/null 2>&1 || echo libpython3-dev
}

python=
lacks=python3
for p in ${PYTHON:-} python3 /usr/bin/python3; do
	command -v "$p" >/dev/null 2>&1 || continue
	lacks=$(why_not "$p" | tr '\n' ' ')
	if [ -z "$lacks" ]; then python=$p; break; fi
	echo "$p will not do: it lacks $lacks"
done
[ -n "$python" ] || missing="$missing $lacks"

if [ -n "$missing" ]; then
	echo "This machine lacks what Tengen is built with. On Debian, as root:"
	echo "    apt-get install" $missing
	exit 1
fi
if "$venv/bin/python" -m pip --version >/dev/null 2>&1 && [ -z "$(why_not "$venv/bin/python" | grep -v python3-venv)" ]; then
	echo "keeping $venv/"
else
	echo "making $venv/ with $($python --version)"
	"$python" -m venv --clear "$venv"
fi

# The search is a sixth slower if gcc compiles it (decision 0147). So without a clang, the environment
# gets the one of ziglang, for the processors for which build_toolchain.py would take it.
if [ "$(uname -sm)" = "Linux x86_64" ] && [ -z "${CC:-}" ] && ! command -v clang >/dev/null 2>&1; then
	"$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off \
		-r tools/release/requirements.txt ||
		echo "Without clang and ziglang, gcc compiles the engine: it is slower. Later, make can use one of them after" \
			"'apt-get install clang' or '$venv/bin/python -m pip install -r tools/release/requirements.txt'."
fi
