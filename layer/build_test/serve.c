/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve.c - answers the layer's requests (wire.h), one build after another. A failed build may leave the driver in a
 * state that the driver would not have in the application, so the process ends after such a build. It
 * also ends after MOST_BUILDS builds, and after IDLE_SECONDS without a request.
 */
#include "layer/build_test/build_test.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IDLE_SECONDS = 10, MOST_BUILDS = 256, MORE_SECONDS = 10 };

/* Waits until a request arrives. @return false after IDLE_SECONDS without one. */
static bool is_awaited(int file)
{
    struct pollfd list = {file, POLLIN, 0};
    int ready;
    do
        ready = poll(&list, 1, IDLE_SECONDS * 1000);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static bool take(int file, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        ssize_t got = recv(file, at, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool send_all(int file, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        ssize_t done = send(file, at, size, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* Reads `size` bytes into new memory, followed by a zero byte. @return NULL if that fails. */
static void *take_new(int file, size_t size)
{
    char *data = calloc(1, size + 1);
    if (data && take(file, data, size)) return data;
    free(data);
    return NULL;
}

static void free_request(struct nf_try_request *request)
{
    free(request->specs);
    free(request->options);
    free(request->module.data);
}

static bool take_request(int file, struct nf_try_request *request)
{
    *request = (struct nf_try_request){.specs = NULL};
    if (!take(file, &request->head, sizeof request->head)) return false;
    request->specs = take_new(file, request->head.spec_count * sizeof *request->specs);
    request->options = request->specs ? take_new(file, request->head.options_size) : NULL;
    request->module.size = request->head.module_size;
    request->module.data = request->options ? take_new(file, request->module.size) : NULL;
    return request->module.data;
}

/* Builds the module of the request, and answers. @return true if the process may do another build. */
static bool answer(int file, const struct nf_try_request *request)
{
    const struct nf_try_answer begins = {NF_TRY_BEGINS, (int32_t)getppid(), 0};
    if (!send_all(file, &begins, sizeof begins)) return false;
    struct nf_bytes built;
    const int32_t error = nf_try_build(request, &built);
    const struct nf_try_answer returns = {NF_TRY_RETURNS, error, built.size};
    bool given = send_all(file, &returns, sizeof returns) && send_all(file, built.data, built.size);
    free(built.data);
    return given && error == 0;
}

int nf_try_serve(int socket, const struct nf_try_device *device, unsigned seconds)
{
    struct nf_try_request request;
    bool good = nf_try_find(device);
    if (!good) return NF_EXIT_USAGE;
    for (int i = 0; good && i < MOST_BUILDS && is_awaited(socket); i++) {
        alarm(seconds + MORE_SECONDS); /* ends this process if the layer, which enforces the limit, has ended */
        good = take_request(socket, &request) && answer(socket, &request);
        free_request(&request);
        alarm(0);
    }
    return NF_EXIT_OK;
}
