/* SPDX-License-Identifier: Apache-2.0 */
/* wait.h - macros for the status of a child, which tests on Windows never have. */
#ifndef TESTS_LAYER_WINDOWS_WAIT_H
#define TESTS_LAYER_WINDOWS_WAIT_H

#define WEXITSTATUS(status) (status)
#define WIFEXITED(status) ((void)(status), 1)
#define WIFSIGNALED(status) ((void)(status), 0)
#define WTERMSIG(status) ((void)(status), 0)
#define waitpid(child, status, flags) ((void)(child), *(status) = -1)

#endif
