/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rights.c - determines whether a file is trusted, by its owner and its access control list. Takes an open file, which
 * is trusted if the user, administrators or the system own it, and no one else may write it.
 *
 *     owner: the user; allowed: SYSTEM full, Administrators full, the user full, Everyone read   ->   own, not shared
 *
 * Entries that deny access are ignored, so that the result can only be stricter.
 */
#include "layer/windows/posix.h"

#include <aclapi.h>
#include <stdbool.h>
#include <windows.h>

/* The rights with which the contents of a file or of a folder, or the list itself, can be changed. */
static const DWORD writing = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER |
                             GENERIC_WRITE | GENERIC_ALL;

/* Returns the user of this process, which the caller frees, or NULL. */
static TOKEN_USER *find_user(void)
{
    HANDLE token;
    DWORD size = 0;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return NULL;
    GetTokenInformation(token, TokenUser, NULL, 0, &size);
    TOKEN_USER *user = size ? malloc(size) : NULL;
    bool good = user && GetTokenInformation(token, TokenUser, user, size, &size);
    CloseHandle(token);
    if (good) return user;
    free(user);
    return NULL;
}

static bool is_trusted(PSID who, const TOKEN_USER *user)
{
    return EqualSid(who, user->User.Sid) || IsWellKnownSid(who, WinBuiltinAdministratorsSid) ||
           IsWellKnownSid(who, WinLocalSystemSid);
}

/* Returns true if an entry allows writing to an untrusted user. An entry that applies only to files created in the
 * folder later does not count, because these have their own list. */
static bool allows_writes_by_others(const ACE_HEADER *entry, const TOKEN_USER *user)
{
    if (entry->AceFlags & INHERIT_ONLY_ACE) return false;
    if (entry->AceType == ACCESS_DENIED_ACE_TYPE) return false;
    if (entry->AceType != ACCESS_ALLOWED_ACE_TYPE) return true; /* an unknown kind of entry */
    const ACCESS_ALLOWED_ACE *allowed = (const ACCESS_ALLOWED_ACE *)entry;
    return (allowed->Mask & writing) && !is_trusted((PSID)(uintptr_t)&allowed->SidStart, user);
}

static bool is_shared(const ACL *list, const TOKEN_USER *user)
{
    if (!list) return true; /* without a list, every user has all rights */
    for (DWORD i = 0; i < list->AceCount; i++) {
        void *entry;
        if (!GetAce((ACL *)(uintptr_t)list, i, &entry) || allows_writes_by_others(entry, user)) return true;
    }
    return false;
}

bool nf_posix_is_own(void *handle, bool *shared)
{
    PSID owner = NULL;
    ACL *list = NULL;
    PSECURITY_DESCRIPTOR descriptor = NULL;
    TOKEN_USER *user = find_user();
    bool known = user && GetSecurityInfo(handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                         &owner, NULL, &list, NULL, &descriptor) == ERROR_SUCCESS;
    bool own = known && owner && is_trusted(owner, user);
    *shared = !known || is_shared(list, user);
    if (descriptor) LocalFree(descriptor);
    free(user);
    return own;
}
