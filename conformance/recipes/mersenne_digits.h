/* SPDX-License-Identifier: Apache-2.0
 * mersenne_digits.h - a number modulo 2^EXPONENT - 1 in DIGITS signed digits of two widths, as programs that square by an irrational-base
 * transform have it. The functions take pointers without an address space, and get private, local and global digits. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* Returns the bit of the number at which a digit begins: EXPONENT * digit / DIGITS, rounded up. */
uint begin_of(uint digit)
{
    return (digit * EXPONENT + DIGITS - 1) / DIGITS;
}

uint bits_of(bool is_wide)
{
    switch (is_wide) {
    case true: return EXPONENT / DIGITS + 1;
    default: return EXPONENT / DIGITS;
    }
}

bool is_wide(uint digit)
{
    return begin_of(digit + 1) - begin_of(digit) > EXPONENT / DIGITS;
}

/* Returns 0 or 1: how many bits the product of two digits lies above the digit that it is added to. */
uint shift_of(uint a, uint b)
{
    return begin_of(a) + begin_of(b) - begin_of(a + b);
}

/* Returns a digit of the square, before its carries. */
long square_digit(const int *digits, uint at)
{
    long sum = 0;
    for (uint i = 0; i < DIGITS; i++) {
        uint j = (at + DIGITS - i) % DIGITS;
        sum += ((long)digits[i] * digits[j]) << shift_of(i, j);
    }
    return sum;
}

/* Raises `error` to the difference between the digit of the square and the same sum in double precision, if the device has it. */
void compare_in_doubles(const int *digits, uint at, long exact, float *error)
{
#ifdef cl_khr_fp64
    double sum = 0;
    for (uint i = 0; i < DIGITS; i++) {
        uint j = (at + DIGITS - i) % DIGITS;
        sum = fma((double)digits[i] * (double)(1l << shift_of(i, j)), (double)digits[j], sum);
    }
    *error = max(*error, (float)fabs(sum - (double)exact));
#endif
}

/* Returns the digit, and passes on its carry. */
int carry_step(long value, long *carry, bool wide)
{
    uint bits = bits_of(wide);
    long digit = (value << (64 - bits)) >> (64 - bits);
    *carry = (value - digit) >> bits;
    return digit;
}

/* Returns the first index at which two numbers differ, or DIGITS. */
uint first_difference(const int *a, const int *b)
{
    for (uint i = 0; i < DIGITS; i++)
        if (a[i] != b[i]) return i;
    return DIGITS;
}

ulong hash_of(const int *digits)
{
    ulong hash = 0xcbf29ce484222325ull;
    for (uint i = 0; i < DIGITS; i++) {
        hash = (hash ^ (uint)digits[i]) * 0x100000001b3ull;
        hash ^= mul_hi(hash, 0x9e3779b97f4a7c15ul);
    }
    return hash;
}
