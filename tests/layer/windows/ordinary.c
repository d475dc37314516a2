/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ordinary.c - runs a program with the rights of an ordinary user: ordinary PROGRAM [ARGUMENTS as one text]. Wine gives
 * every process the rights of an administrator, and in such processes the layer ignores the settings of the user. The
 * exit status is the program's.
 */
#include <stdio.h>
#include <windows.h>

static int fail(const char *what)
{
    fprintf(stderr, "ordinary: %s failed (%lu)\n", what, GetLastError());
    return 99;
}

int main(int count, char **arguments)
{
    HANDLE own, user;
    TOKEN_LINKED_TOKEN linked;
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION process;
    DWORD status = 99;
    if (count < 2) return fail("without a program, everything");
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ALL_ACCESS, &own)) return fail("OpenProcessToken");
    if (!GetTokenInformation(own, TokenLinkedToken, &linked, sizeof linked, &status)) return fail("TokenLinkedToken");
    if (!DuplicateTokenEx(linked.LinkedToken, MAXIMUM_ALLOWED, NULL, SecurityImpersonation, TokenPrimary, &user))
        return fail("DuplicateTokenEx");
    if (!CreateProcessAsUserA(user, NULL, arguments[1], NULL, NULL, TRUE, 0, NULL, NULL, &start, &process))
        return fail("CreateProcessAsUser");
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &status);
    return (int)status;
}
