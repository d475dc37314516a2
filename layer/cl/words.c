/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.c - splits the options of a build as drivers do: blanks end a token except inside double quotes, and a
 * backslash quotes the next character. Single quotes are ordinary characters, as in -DLETTER='x', unless there are
 * blanks between two of them. No known driver accepts blanks there, so such a pair of quotes groups words as in a
 * shell.
 */
#include "cl.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take(struct nf_texts *texts, char *text)
{
    char **items = text ? realloc(texts->items, (texts->count + 1) * sizeof *items) : NULL;
    if (!items) {
        free(text);
        nf_helper_error("out of memory");
        return false;
    }
    texts->items = items;
    items[texts->count++] = text;
    return true;
}

bool nf_texts_add(struct nf_texts *texts, const char *text, size_t length)
{
    return take(texts, strndup(text, length));
}

bool nf_texts_print(struct nf_texts *texts, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    return take(texts, text);
}

void nf_texts_free(struct nf_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct nf_texts){NULL, 0};
}

/* Returns the length of the character constant that begins at a single quote, including both quotes; 1 if there is no
 * other quote. Returns 0 if the quote groups words with blanks, as in a shell. */
static size_t constant_at(const char *quote)
{
    size_t length = strcspn(quote + 1, "'");
    if (!quote[1 + length]) return 1;
    return strcspn(quote + 1, " \t\r\n\v\f") < length ? 0 : length + 2;
}

/* Copies the token at `*at` without its quotes. @return its length. */
static size_t take_word(const char **at, char *word)
{
    size_t length = 0, constant;
    char quote = 0;
    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;
        if (c == quote) {
            quote = 0;
        } else if (!quote && c == '\'' && (constant = constant_at(*at)) > 0) {
            memcpy(word + length, *at, constant);
            length += constant;
            *at += constant - 1;
        } else if (!quote && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == '\\' && quote != '\'' && (*at)[1]) {
            word[length++] = *++*at;
        } else {
            word[length++] = c;
        }
    }
    return length;
}

bool nf_words(const char *options, struct nf_texts *words)
{
    char *word = malloc(strlen(options) + 1);
    bool good = word != NULL;
    if (!good) nf_helper_error("out of memory");
    while (good) {
        while (isspace((unsigned char)*options))
            options++;
        if (!*options) break;
        size_t length = take_word(&options, word);
        good = nf_texts_add(words, word, length);
    }
    free(word);
    return good;
}
