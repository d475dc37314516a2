/* SPDX-License-Identifier: Apache-2.0 */
/*
 * util.c - allocation that ends the program on failure, the two kinds of fatal errors, and half floats.
 */
#define SPV_ENABLE_UTILITY_CODE
#include "judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *nfj_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory) {
        fprintf(stderr, "nonflat-judge: out of memory\n");
        exit(3);
    }
    return memory;
}

void *nfj_grow(void *at, uint32_t *room, uint32_t need, size_t size)
{
    uint32_t want = *room ? *room : 8;
    while (want < need)
        want *= 2;
    void *grown = realloc(at, want * size);
    if (!grown) {
        fprintf(stderr, "nonflat-judge: out of memory\n");
        exit(3);
    }
    memset((char *)grown + *room * size, 0, (want - *room) * size);
    *room = want;
    return grown;
}

/* Ends the program: the command line is wrong, or a file cannot be read. */
_Noreturn void nfj_usage(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "nonflat-judge: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(2);
}

/* Ends the program: the module needs something that the judge does not implement. */
_Noreturn void nfj_cannot(const struct module *module, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fflush(stdout);
    fprintf(stderr, "nonflat-judge: %s: cannot interpret: ", module->path);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(3);
}

double nfj_half_to_double(uint16_t half)
{
    unsigned exponent = half >> 10 & 31, mantissa = half & 1023;
    double value;
    if (exponent == 31)
        value = mantissa ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(mantissa, -24);
    else
        value = ldexp(mantissa + 1024, (int)exponent - 25);
    return half & 0x8000 ? -value : value;
}

/* `rounding` is 1 + an FPRoundingMode; 0 means to nearest even. */
static double round_in_mode(double value, int rounding, bool negative)
{
    switch (rounding - 1) {
    case SpvFPRoundingModeRTZ: return floor(value);
    case SpvFPRoundingModeRTP: return negative ? floor(value) : ceil(value);
    case SpvFPRoundingModeRTN: return negative ? ceil(value) : floor(value);
    default: return nearbyint(value);
    }
}

uint16_t nfj_double_to_half(double value, int rounding)
{
    bool negative = signbit(value) != 0;
    uint16_t sign = negative ? 0x8000 : 0;
    if (isnan(value)) return sign | 0x7e00;
    value = fabs(value);
    if (isinf(value)) return sign | 0x7c00;
    int exponent;
    frexp(value, &exponent);
    if (value == 0.0 || exponent < -13) return sign | (uint16_t)round_in_mode(ldexp(value, 24), rounding, negative);
    double units = round_in_mode(ldexp(value, 11 - exponent), rounding, negative);
    /* Units of 1024..2048: the addition carries correctly into the next power of two. */
    uint32_t half = (uint32_t)(exponent + 14) * 1024 + (uint32_t)units - 1024;
    if (half >= 0x7c00) {
        bool to_infinity = rounding == 0 || rounding - 1 == SpvFPRoundingModeRTE ||
                           rounding - 1 == (negative ? SpvFPRoundingModeRTN : SpvFPRoundingModeRTP);
        half = to_infinity ? 0x7c00 : 0x7bff;
    }
    return sign | (uint16_t)half;
}

/* The header defines the function inline; C needs one external definition. */
extern void SpvHasResultAndType(SpvOp op, bool *has_result, bool *has_type);

/* Sets whether an opcode has a result and a result type, as SPIRV-Headers do, also for opcodes that older headers
 * lack. */
void nfj_result_of(uint16_t op, bool *has_result, bool *has_type)
{
    SpvHasResultAndType((SpvOp)op, has_result, has_type);
    if (op >= 4417 && op <= 4424) /* OpTypeUntypedPointerKHR to OpUntypedInBoundsPtrAccessChainKHR */
        *has_result = true;
    if (op >= 4418 && op <= 4424) *has_type = true;
}

const char *nfj_op_name(uint16_t op)
{
    static const struct {
        uint16_t op;
        const char *name;
    } names[] = {
#define NAME(x) {SpvOp##x, "Op" #x}
        NAME(Load),
        NAME(Store),
        NAME(CopyMemory),
        NAME(CopyMemorySized),
        NAME(FunctionCall),
        NAME(ExtInst),
        NAME(AtomicIAdd),
        NAME(AtomicISub),
        NAME(AtomicLoad),
        NAME(AtomicStore),
        NAME(AtomicExchange),
        NAME(AtomicCompareExchange),
        NAME(AtomicOr),
        NAME(AtomicAnd),
        NAME(AtomicXor),
        NAME(AtomicSMin),
        NAME(AtomicSMax),
        NAME(AtomicUMin),
        NAME(AtomicUMax),
        NAME(AtomicIIncrement),
        NAME(ControlBarrier),
        NAME(AtomicFAddEXT),
        NAME(PtrDiff),
        NAME(BranchConditional),
        NAME(Switch),
        NAME(Variable),
        NAME(AtomicIDecrement),
        NAME(Unreachable),
        NAME(GenericCastToPtr),
        NAME(GenericCastToPtrExplicit),
        NAME(GenericPtrMemSemantics),
        NAME(AtomicFlagTestAndSet),
        NAME(AtomicFlagClear),
        NAME(AtomicCompareExchangeWeak),
        {5601, "OpFunctionPointerCallINTEL"},
#undef NAME
    };
    static char other[16];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].op == op) return names[i].name;
    snprintf(other, sizeof other, "opcode %u", op);
    return other;
}
