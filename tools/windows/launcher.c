/* python.exe: hands its arguments to the Python whose library lies beside it. */
#include <stdio.h>
#include <windows.h>

typedef int (*Main)(int count, wchar_t **arguments);

int wmain(int count, wchar_t **arguments) {
    const HMODULE python = LoadLibraryW(L"python311.dll");
    const FARPROC run = python ? GetProcAddress(python, "Py_Main") : NULL;
    if (!run) {
        fputs("python311.dll cannot be loaded\n", stderr);
        return 1;
    }
    return ((Main)(void (*)(void))run)(count, arguments);
}
