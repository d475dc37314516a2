/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomics.h - atomics on types and address spaces that devices lack.
 *
 * Private memory belongs to one work-item, so its atomics are a load, the operation and a store. Floating-point
 * atomics, and integer atomics that SPIR 1.2 lacks, loop over a compare-and-exchange of the same width.
 */

#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define TAKE(a, b) (b)

/* ---- Private ----------------------------------------------------------------------------------------------------- */

#define PRIVATE_BINARY(name, T, OP)                                                                                    \
    T OVERLOAD name(volatile __private T *p, T value)                                                                  \
    {                                                                                                                  \
        T old = *p;                                                                                                    \
        *p = OP(old, value);                                                                                           \
        return old;                                                                                                    \
    }
#define PRIVATE_UNARY(name, T, OP)                                                                                     \
    T OVERLOAD name(volatile __private T *p)                                                                           \
    {                                                                                                                  \
        T old = *p;                                                                                                    \
        *p = OP(old, (T)1);                                                                                            \
        return old;                                                                                                    \
    }
#define PRIVATE_EXCHANGE(name, T)                                                                                      \
    T OVERLOAD name(volatile __private T *p, T expected, T value)                                                      \
    {                                                                                                                  \
        T old = *p;                                                                                                    \
        if (old == expected) *p = value;                                                                               \
        return old;                                                                                                    \
    }
#define PRIVATE_INTEGER(prefix, T)                                                                                     \
    PRIVATE_BINARY(prefix##_add, T, ADD)                                                                               \
    PRIVATE_BINARY(prefix##_sub, T, SUB)                                                                               \
    PRIVATE_BINARY(prefix##_and, T, AND)                                                                               \
    PRIVATE_BINARY(prefix##_or, T, OR)                                                                                 \
    PRIVATE_BINARY(prefix##_xor, T, XOR)                                                                               \
    PRIVATE_BINARY(prefix##_min, T, MIN)                                                                               \
    PRIVATE_BINARY(prefix##_max, T, MAX)                                                                               \
    PRIVATE_BINARY(prefix##_xchg, T, TAKE)                                                                             \
    PRIVATE_UNARY(prefix##_inc, T, ADD)                                                                                \
    PRIVATE_UNARY(prefix##_dec, T, SUB)                                                                                \
    PRIVATE_EXCHANGE(prefix##_cmpxchg, T)
#define PRIVATE_FLOAT(prefix, T)                                                                                       \
    PRIVATE_BINARY(prefix##_add, T, ADD)                                                                               \
    PRIVATE_BINARY(prefix##_sub, T, SUB)                                                                               \
    PRIVATE_BINARY(prefix##_min, T, MIN)                                                                               \
    PRIVATE_BINARY(prefix##_max, T, MAX)                                                                               \
    PRIVATE_BINARY(prefix##_xchg, T, TAKE)

PRIVATE_INTEGER(atomic, int)
PRIVATE_INTEGER(atomic, uint)
PRIVATE_INTEGER(atom, int)
PRIVATE_INTEGER(atom, uint)
PRIVATE_INTEGER(atomic, long)
PRIVATE_INTEGER(atomic, ulong)
PRIVATE_INTEGER(atom, long)
PRIVATE_INTEGER(atom, ulong)
PRIVATE_FLOAT(atomic, float)
PRIVATE_FLOAT(atomic, double)
PRIVATE_FLOAT(atom, float)
PRIVATE_FLOAT(atom, double)

/* ---- Global and local, by compare-and-exchange ------------------------------------------------------------------- */

#define EXCHANGE_LOOP(name, T, BITS, AS, as_T, as_BITS, exchange, OP)                                                  \
    T OVERLOAD name(volatile AS T *p, T value)                                                                         \
    {                                                                                                                  \
        volatile AS BITS *bits = (volatile AS BITS *)p;                                                                \
        BITS seen = 0; /* a guess: a load of the memory would be a race */                                             \
        BITS old;                                                                                                      \
        do {                                                                                                           \
            old = seen;                                                                                                \
            seen = exchange(bits, old, as_BITS(OP(as_T(old), value)));                                                 \
        } while (seen != old);                                                                                         \
        return as_T(old);                                                                                              \
    }
#define AS_FLOAT(x) __builtin_astype(x, float)
#define AS_DOUBLE(x) __builtin_astype(x, double)
#define AS_UINT(x) __builtin_astype(x, uint)
#define AS_ULONG(x) __builtin_astype(x, ulong)
#define AS_INT(x) __builtin_astype(x, int)
#define AS_LONG(x) __builtin_astype(x, long)

#define FOR_SPACES(X) X(__global) X(__local)

#define DECLARE_EXCHANGE(AS)                                                                                           \
    uint OVERLOAD atomic_cmpxchg(volatile AS uint *p, uint expected, uint value);                                      \
    ulong OVERLOAD atom_cmpxchg(volatile AS ulong *p, ulong expected, ulong value);
FOR_SPACES(DECLARE_EXCHANGE)

#define FLOAT_ATOMICS(prefix, AS)                                                                                      \
    EXCHANGE_LOOP(prefix##_add, float, uint, AS, AS_FLOAT, AS_UINT, atomic_cmpxchg, ADD)                               \
    EXCHANGE_LOOP(prefix##_sub, float, uint, AS, AS_FLOAT, AS_UINT, atomic_cmpxchg, SUB)                               \
    EXCHANGE_LOOP(prefix##_min, float, uint, AS, AS_FLOAT, AS_UINT, atomic_cmpxchg, MIN)                               \
    EXCHANGE_LOOP(prefix##_max, float, uint, AS, AS_FLOAT, AS_UINT, atomic_cmpxchg, MAX)                               \
    EXCHANGE_LOOP(prefix##_xchg, float, uint, AS, AS_FLOAT, AS_UINT, atomic_cmpxchg, TAKE)                             \
    EXCHANGE_LOOP(prefix##_add, double, ulong, AS, AS_DOUBLE, AS_ULONG, atom_cmpxchg, ADD)                             \
    EXCHANGE_LOOP(prefix##_sub, double, ulong, AS, AS_DOUBLE, AS_ULONG, atom_cmpxchg, SUB)                             \
    EXCHANGE_LOOP(prefix##_min, double, ulong, AS, AS_DOUBLE, AS_ULONG, atom_cmpxchg, MIN)                             \
    EXCHANGE_LOOP(prefix##_max, double, ulong, AS, AS_DOUBLE, AS_ULONG, atom_cmpxchg, MAX)                             \
    EXCHANGE_LOOP(prefix##_xchg, double, ulong, AS, AS_DOUBLE, AS_ULONG, atom_cmpxchg, TAKE)
#define ALL_FLOAT_ATOMICS(AS) FLOAT_ATOMICS(atomic, AS) FLOAT_ATOMICS(atom, AS)
FOR_SPACES(ALL_FLOAT_ATOMICS)

/* 64-bit integers with both prefixes, because a device has only one of the prefixes, which differs between devices. */
#define LONG_ATOMICS(prefix, T, as_T, AS)                                                                              \
    EXCHANGE_LOOP(prefix##_add, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, ADD)                                       \
    EXCHANGE_LOOP(prefix##_sub, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, SUB)                                       \
    EXCHANGE_LOOP(prefix##_and, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, AND)                                       \
    EXCHANGE_LOOP(prefix##_or, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, OR)                                         \
    EXCHANGE_LOOP(prefix##_xor, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, XOR)                                       \
    EXCHANGE_LOOP(prefix##_min, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, MIN)                                       \
    EXCHANGE_LOOP(prefix##_max, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, MAX)                                       \
    EXCHANGE_LOOP(prefix##_xchg, T, ulong, AS, as_T, AS_ULONG, atom_cmpxchg, TAKE)
#define ALL_LONG_ATOMICS(AS)                                                                                           \
    LONG_ATOMICS(atomic, long, AS_LONG, AS)                                                                            \
    LONG_ATOMICS(atomic, ulong, AS_ULONG, AS)                                                                          \
    LONG_ATOMICS(atom, long, AS_LONG, AS)                                                                              \
    LONG_ATOMICS(atom, ulong, AS_ULONG, AS)                                                                            \
    long OVERLOAD atomic_cmpxchg(volatile AS long *p, long expected, long value)                                       \
    {                                                                                                                  \
        return (long)atom_cmpxchg((volatile AS ulong *)p, (ulong)expected, (ulong)value);                              \
    }                                                                                                                  \
    ulong OVERLOAD atomic_cmpxchg(volatile AS ulong *p, ulong expected, ulong value)                                   \
    {                                                                                                                  \
        return atom_cmpxchg(p, expected, value);                                                                       \
    }                                                                                                                  \
    long OVERLOAD atomic_inc(volatile AS long *p)                                                                      \
    {                                                                                                                  \
        return atomic_add(p, 1l);                                                                                      \
    }                                                                                                                  \
    ulong OVERLOAD atomic_inc(volatile AS ulong *p)                                                                    \
    {                                                                                                                  \
        return atomic_add(p, 1ul);                                                                                     \
    }                                                                                                                  \
    long OVERLOAD atomic_dec(volatile AS long *p)                                                                      \
    {                                                                                                                  \
        return atomic_sub(p, 1l);                                                                                      \
    }                                                                                                                  \
    ulong OVERLOAD atomic_dec(volatile AS ulong *p)                                                                    \
    {                                                                                                                  \
        return atomic_sub(p, 1ul);                                                                                     \
    }
FOR_SPACES(ALL_LONG_ATOMICS)

/* ---- Fences ------------------------------------------------------------------------------------------------------ */

/* Only devices that execute LLVM's fence instruction lack these functions. */
void OVERLOAD mem_fence(uint fences)
{
    (void)fences;
    __sync_synchronize();
}

void OVERLOAD read_mem_fence(uint fences)
{
    (void)fences;
    __sync_synchronize();
}

void OVERLOAD write_mem_fence(uint fences)
{
    (void)fences;
    __sync_synchronize();
}
