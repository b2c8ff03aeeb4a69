"""The Windows packages, made on Linux: clang compiles with mingw's libraries, wine runs a Windows
Python that freezes.

A file here may use only what stands above it: wine, compiler, python, __main__. What is compiled
and how it is frozen is the matter of build_core.py and build_exe.py, as for other systems.
"""
