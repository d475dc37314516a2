/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c - files and folders with the names of POSIX, over handles of Windows. Takes paths, or an open folder and a
 * name in it; gives descriptors of the C library, and the properties of a file.
 *
 *     openat(folder, "module-01.nonflat", O_RDONLY)   ->   CreateFile("\\?\C:\...\nonflat\module-01.nonflat", ...)
 *
 * Hazard: an open file cannot be replaced by other processes unless it was opened with that kind of sharing. So every
 * file is opened with all kinds of sharing; a folder whose descriptor is returned is opened without sharing for
 * deletion, which keeps its path valid.
 */
#include "layer/windows/posix.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <windows.h>

enum { PATH_MOST = 4096 };

/* Sets errno to the last error of Windows. Returns -1. */
static int fail(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME: errno = ENOENT; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_DIRECTORY: errno = ENOTDIR; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_NOT_ENOUGH_MEMORY: errno = ENOMEM; break;
    case ERROR_INVALID_HANDLE: errno = EBADF; break;
    default: errno = EACCES;
    }
    return -1;
}

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

static struct timespec to_timespec(FILETIME time)
{
    const int64_t epoch = INT64_C(116444736000000000); /* 1970, in units of 100 ns since 1601 */
    int64_t units = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - epoch;
    return (struct timespec){units / 10000000, (long)(units % 10000000 * 100)};
}

static int describe(HANDLE file, struct nf_posix_stat *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    bool shared;
    if (!GetFileInformationByHandle(file, &found)) return fail();
    bool own = nf_posix_is_own(file, &shared);
    unsigned kind = found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? S_IFLNK
                    : found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY   ? S_IFDIR
                                                                          : S_IFREG;
    *info = (struct nf_posix_stat){.st_dev = found.dwVolumeSerialNumber,
                                   .st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
                                   .st_mode = kind | 0700 | (shared ? 022 : 0),
                                   .st_uid = !own,
                                   .st_size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow),
                                   .st_mtim = to_timespec(found.ftLastWriteTime)};
    return 0;
}

/* Opens the file or folder at a path with `access`, FILE_READ_ATTRIBUTES and READ_CONTROL. Opens a link itself, unless
 * `follow`. Returns INVALID_HANDLE_VALUE on failure. */
static HANDLE open_handle(const char *path, DWORD access, DWORD sharing, DWORD how, bool follow)
{
    DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
    return CreateFileA(path, access | FILE_READ_ATTRIBUTES | READ_CONTROL, sharing, NULL, how, flags, NULL);
}

static const DWORD all_sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/* Returns true if the kind of an open file is as the flags request: no link with O_NOFOLLOW; with O_DIRECTORY a folder,
 * otherwise no folder. Returns false with errno set if it is not. */
static bool has_requested_kind(HANDLE file, int flags)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    if (!GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof info)) return fail() == 0;
    bool folder = info.FileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    if ((flags & O_NOFOLLOW) && (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
        errno = ELOOP;
    else if (folder != ((flags & O_DIRECTORY) != 0))
        errno = folder ? EISDIR : ENOTDIR;
    else
        return true;
    return false;
}

int nf_posix_open(const char *path, int flags, ...)
{
    const int access = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    DWORD rights = access == O_RDONLY   ? GENERIC_READ
                   : access == O_WRONLY ? GENERIC_WRITE
                                        : GENERIC_READ | GENERIC_WRITE;
    DWORD how = flags & O_EXCL ? CREATE_NEW : flags & O_CREAT ? OPEN_ALWAYS : OPEN_EXISTING;
    DWORD sharing = flags & O_DIRECTORY ? FILE_SHARE_READ | FILE_SHARE_WRITE : all_sharing;
    if (flags & O_APPEND) rights = FILE_APPEND_DATA | SYNCHRONIZE;
    HANDLE handle = open_handle(path, rights, sharing, how, !(flags & O_NOFOLLOW));
    if (handle == INVALID_HANDLE_VALUE) return fail();
    int file = has_requested_kind(handle, flags)
                   ? _open_osfhandle((intptr_t)handle, access | (flags & O_APPEND) | _O_BINARY)
                   : -1;
    if (file < 0) CloseHandle(handle);
    return file;
}

/* ---- files of an open folder ------------------------------------------------------------------------------------- */

/* Sets `path` to the path of `name` in the open folder, or to the folder's own path for ".". Returns false with errno
 * set if there is no room for the path, or that of the folder is unknown. */
static bool join(int folder, const char *name, char path[PATH_MOST])
{
    DWORD length = folder == AT_FDCWD ? 0 : GetFinalPathNameByHandleA(handle_of(folder), path, PATH_MOST, 0);
    size_t rest = strlen(name);
    if (folder != AT_FDCWD && length == 0) return fail() == 0;
    errno = ENAMETOOLONG;
    if (length + rest + 2 > PATH_MOST) return false;
    bool itself = strcmp(name, ".") == 0;
    if (length && !itself) path[length++] = '\\';
    if (!itself) memcpy(path + length, name, rest + 1);
    return true;
}

int nf_posix_openat(int folder, const char *name, int flags, ...)
{
    char path[PATH_MOST];
    return join(folder, name, path) ? nf_posix_open(path, flags) : -1;
}

DIR *nf_posix_fdopendir(int folder)
{
    char path[PATH_MOST];
    DIR *list = join(folder, ".", path) ? opendir(path) : NULL;
    if (list) close(folder);
    return list;
}

int nf_posix_unlinkat(int folder, const char *name, int flags)
{
    char path[PATH_MOST];
    (void)flags;
    if (!join(folder, name, path)) return -1;
    return DeleteFileA(path) ? 0 : fail();
}

int nf_posix_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    char old[PATH_MOST], new_path[PATH_MOST];
    if (!join(from_folder, from, old) || !join(to_folder, to, new_path)) return -1;
    return MoveFileExA(old, new_path, MOVEFILE_REPLACE_EXISTING) ? 0 : fail();
}

/* ---- properties ---- */

int nf_posix_fstat(int file, struct nf_posix_stat *info)
{
    return describe(handle_of(file), info);
}

static int describe_path(const char *path, struct nf_posix_stat *info, bool follow)
{
    HANDLE file = open_handle(path, 0, all_sharing, OPEN_EXISTING, follow);
    if (file == INVALID_HANDLE_VALUE) return fail();
    int result = describe(file, info);
    CloseHandle(file);
    return result;
}

int nf_posix_stat(const char *path, struct nf_posix_stat *info)
{
    return describe_path(path, info, true);
}

int nf_posix_lstat(const char *path, struct nf_posix_stat *info)
{
    return describe_path(path, info, false);
}

int nf_posix_fstatat(int folder, const char *name, struct nf_posix_stat *info, int flags)
{
    char path[PATH_MOST];
    return join(folder, name, path) ? describe_path(path, info, !(flags & AT_SYMLINK_NOFOLLOW)) : -1;
}

/* A new folder inherits the access rights of its parent. */
int nf_posix_mkdir(const char *path, int mode)
{
    (void)mode;
    return CreateDirectoryA(path, NULL) ? 0 : fail();
}

static int touch(HANDLE file)
{
    FILETIME now;
    if (file == INVALID_HANDLE_VALUE) return fail();
    GetSystemTimeAsFileTime(&now);
    int result = SetFileTime(file, NULL, NULL, &now) ? 0 : fail();
    CloseHandle(file);
    return result;
}

int nf_posix_futimens(int file, const struct timespec *now)
{
    (void)now;
    return touch(ReOpenFile(handle_of(file), FILE_WRITE_ATTRIBUTES, all_sharing, 0));
}

int nf_posix_utimensat(int folder, const char *name, const struct timespec *now, int flags)
{
    char path[PATH_MOST];
    (void)now;
    if (!join(folder, name, path)) return -1;
    return touch(open_handle(path, FILE_WRITE_ATTRIBUTES, all_sharing, OPEN_EXISTING, !(flags & AT_SYMLINK_NOFOLLOW)));
}

/* Modes do not exist, so there is nothing to change. */
int nf_posix_fchmodat(int folder, const char *name, int mode, int flags)
{
    (void)folder;
    (void)name;
    (void)mode;
    (void)flags;
    return 0;
}
