/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps.c - runs a sequence of steps, each of which may make a new module from the module of the previous step.
 *
 * A module is read when the first step runs, and again only after a step has changed it. So a sequence that changes
 * nothing reads the module once.
 *
 * needs: the words of a whole module.  gives: the words of the module that the last step made.
 */
#include "module/module.h"

struct nf_steps nf_steps_begin(struct nf_module *m, const struct nf_words *in)
{
    return (struct nf_steps){.arena = m->arena, .options = m->options, .words = *in};
}

void nf_steps_take(struct nf_steps *s, nf_step take)
{
    struct nf_words made;
    if (!s->read.words) {
        s->read = (struct nf_module){.arena = s->arena, .options = s->options};
        nf_read_again(&s->read, &s->words);
        nf_types(&s->read);
    }
    if (!take(&s->read, &made)) return;
    s->words = made;
    s->read.words = NULL;
    s->changed = true;
}
