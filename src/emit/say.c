/* SPDX-License-Identifier: Apache-2.0 */
/*
 * say.c - appends formatted text that contains values and types.
 *
 *     nf_say(e, "%v = (%t)%v;", result, type, operand)         v5 = (uint)v4;
 *
 * needs: the section to which text is appended (e->to), and the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

/* Writes the argument of one conversion. */
static void say_argument(struct nf_emitter *e, char conversion, va_list *arguments)
{
    switch (conversion) {
    case 'v': nf_say_value(e, va_arg(*arguments, uint32_t)); break;
    case 'i': nf_say_signed(e, va_arg(*arguments, uint32_t)); break;
    case 'e': nf_say_unparenthesized(e, va_arg(*arguments, uint32_t)); break;
    case 'p': nf_say_postfix(e, va_arg(*arguments, uint32_t)); break;
    case 't': nf_say_type(e, va_arg(*arguments, uint32_t), false); break;
    case 'I': nf_say_type(e, va_arg(*arguments, uint32_t), true); break;
    case 'm': nf_say_memory_type(e, va_arg(*arguments, uint32_t)); break;
    default: nf_say_plain_argument(e, conversion, arguments); break;
    }
}

void nf_say(struct nf_emitter *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nf_say_format(e, format, &arguments, say_argument);
    va_end(arguments);
}
