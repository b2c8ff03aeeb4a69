"""The Linux packages of a release: they run on every glibc since 2.17, of 2012.

PyInstaller freezes the Python that runs it, and a Python of the machine needs the machine's glibc.
So a Python is compiled here for the old one, by the compiler of the wheels. A file here may use
only what stands above it: sources, compiled, python, __main__. build_exe.py freezes the engine,
as for every system.
"""
