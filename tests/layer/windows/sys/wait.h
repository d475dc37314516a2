/* SPDX-License-Identifier: Apache-2.0 */
/* wait.h - the status of a child, which no test on Windows has. */
#ifndef TESTS_LAYER_WINDOWS_WAIT_H
#define TESTS_LAYER_WINDOWS_WAIT_H

#define WEXITSTATUS(status) (status)
#define WIFEXITED(status) ((void)(status), 1)
#define WIFSIGNALED(status) ((void)(status), 0)
#define WTERMSIG(status) ((void)(status), 0)
#define waitpid(child, status, flags) ((void)(child), *(status) = -1)

#endif
