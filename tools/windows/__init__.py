"""The Windows packages, made on Linux: clang compiles with mingw's libraries, wine runs a Windows
Python that freezes.

A file here may use only what stands above it: wine, compiler, python, __main__. build_core.py
compiles and build_exe.py freezes, as for other systems.
"""
