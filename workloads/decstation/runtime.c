/*
 * What gcc calls for arithmetic that MIPS I has no instructions for, in the place of libgcc: the cross compiler's own
 * copy is compiled for release 2. Names and meanings are those of the GCC Internals manual, "The GCC low-level runtime
 * library". No function may use, on the types of its own result, the operator that it implements.
 */
#include <stdint.h>

typedef union {
    uint64_t whole;
    int64_t integer;
    struct {
        uint32_t low, high; /* little endian */
    };
} LongLong;

uint64_t __ashldi3(uint64_t value, int count);
uint64_t __lshrdi3(uint64_t value, int count);
int64_t __ashrdi3(int64_t value, int count);
int __clzsi2(uint32_t value);
int __ctzsi2(uint32_t value);
int __clzdi2(uint64_t value);
int __ctzdi2(uint64_t value);
int __ffssi2(int32_t value);
int __ffsdi2(int64_t value);
int __popcountsi2(uint32_t value);
int __popcountdi2(uint64_t value);
int __paritysi2(uint32_t value);
uint32_t __bswapsi2(uint32_t value);
uint64_t __bswapdi2(uint64_t value);
int __cmpdi2(int64_t left, int64_t right);
int __ucmpdi2(uint64_t left, uint64_t right);
uint64_t __muldi3(uint64_t left, uint64_t right);
uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t *remainder);
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);
int64_t __divdi3(int64_t dividend, int64_t divisor);
int64_t __moddi3(int64_t dividend, int64_t divisor);
double __floatundidf(uint64_t value);
double __floatdidf(int64_t value);
float __floatundisf(uint64_t value);
float __floatdisf(int64_t value);
uint64_t __fixunsdfdi(double value);
int64_t __fixdfdi(double value);
uint64_t __fixunssfdi(float value);
int64_t __fixsfdi(float value);
uint32_t __fixunsdfsi(double value);
uint32_t __fixunssfsi(float value);

/* Shifts of 0 to 63 places. */

uint64_t __ashldi3(uint64_t value, int count)
{
    LongLong in = {value}, out;
    if (count == 0)
        return value;
    out.high = count < 32 ? in.high << count | in.low >> (32 - count) : in.low << (count - 32);
    out.low = count < 32 ? in.low << count : 0;
    return out.whole;
}

uint64_t __lshrdi3(uint64_t value, int count)
{
    LongLong in = {value}, out;
    if (count == 0)
        return value;
    out.low = count < 32 ? in.low >> count | in.high << (32 - count) : in.high >> (count - 32);
    out.high = count < 32 ? in.high >> count : 0;
    return out.whole;
}

int64_t __ashrdi3(int64_t value, int count)
{
    LongLong in = {.integer = value}, out;
    int32_t high = (int32_t)in.high;
    if (count == 0)
        return value;
    out.low = count < 32 ? in.low >> count | in.high << (32 - count) : (uint32_t)(high >> (count - 32));
    out.high = (uint32_t)(high >> (count < 32 ? count : 31));
    return out.integer;
}

/* Counts of bits. Of zero, those of leading and trailing zeros are undefined. */

int __clzsi2(uint32_t value)
{
    int count = 0;
    for (int width = 16; width > 0; width /= 2) {
        if (value >> (32 - width) == 0) {
            count += width;
            value <<= width;
        }
    }
    return count;
}

int __ctzsi2(uint32_t value)
{
    return 31 - __clzsi2(value & -value);
}

int __clzdi2(uint64_t value)
{
    LongLong in = {value};
    return in.high ? __clzsi2(in.high) : 32 + __clzsi2(in.low);
}

int __ctzdi2(uint64_t value)
{
    LongLong in = {value};
    return in.low ? __ctzsi2(in.low) : 32 + __ctzsi2(in.high);
}

int __ffssi2(int32_t value)
{
    return value ? __ctzsi2((uint32_t)value) + 1 : 0;
}

int __ffsdi2(int64_t value)
{
    return value ? __ctzdi2((uint64_t)value) + 1 : 0;
}

int __popcountsi2(uint32_t value)
{
    value -= value >> 1 & 0x55555555;
    value = (value & 0x33333333) + (value >> 2 & 0x33333333);
    value = (value + (value >> 4)) & 0x0f0f0f0f;
    return (int)(value * 0x01010101 >> 24);
}

int __popcountdi2(uint64_t value)
{
    LongLong in = {value};
    return __popcountsi2(in.low) + __popcountsi2(in.high);
}

int __paritysi2(uint32_t value)
{
    return __popcountsi2(value) & 1;
}

uint32_t __bswapsi2(uint32_t value)
{
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

uint64_t __bswapdi2(uint64_t value)
{
    LongLong in = {value}, out;
    out.low = __bswapsi2(in.high);
    out.high = __bswapsi2(in.low);
    return out.whole;
}

/* 0 if left is less, 1 if they are equal, 2 if it is greater. */

int __ucmpdi2(uint64_t left, uint64_t right)
{
    LongLong l = {left}, r = {right};
    if (l.high != r.high)
        return l.high < r.high ? 0 : 2;
    return l.low == r.low ? 1 : l.low < r.low ? 0 : 2;
}

int __cmpdi2(int64_t left, int64_t right)
{
    LongLong l = {.integer = left}, r = {.integer = right};
    if (l.high != r.high)
        return (int32_t)l.high < (int32_t)r.high ? 0 : 2;
    return l.low == r.low ? 1 : l.low < r.low ? 0 : 2;
}

/* Multiplication and division. multu gives the compiler the product of two words. */

uint64_t __muldi3(uint64_t left, uint64_t right)
{
    LongLong l = {left}, r = {right}, out = {(uint64_t)l.low * r.low};
    out.high += l.low * r.high + l.high * r.low;
    return out.whole;
}

/* Long division of the low word, one bit a step. Division by zero breaks as `divu` does. */
uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t *remainder)
{
    LongLong in = {dividend}, by = {divisor}, quotient = {0}, rest = {0};
    if (by.high == 0 && (in.high == 0 || by.low == 0)) {
        quotient.low = in.low / by.low;
        rest.low = in.low % by.low;
    } else {
        // The high word first; what is left of it is less than the divisor.
        quotient.high = by.high ? 0 : in.high / by.low;
        rest.low = by.high ? in.high : in.high % by.low;
        for (int bits = 32; bits > 0; bits--) {
            uint32_t carry = rest.high >> 31;
            rest.high = rest.high << 1 | rest.low >> 31;
            rest.low = rest.low << 1 | in.low >> 31;
            in.low <<= 1;
            quotient.low <<= 1;
            if (carry || rest.high > by.high || (rest.high == by.high && rest.low >= by.low)) {
                rest.high -= by.high + (rest.low < by.low);
                rest.low -= by.low;
                quotient.low |= 1;
            }
        }
    }
    if (remainder)
        *remainder = rest.whole;
    return quotient.whole;
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor)
{
    return __udivmoddi4(dividend, divisor, 0);
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor)
{
    uint64_t remainder;
    __udivmoddi4(dividend, divisor, &remainder);
    return remainder;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

int64_t __divdi3(int64_t dividend, int64_t divisor)
{
    uint64_t quotient = __udivmoddi4(magnitude(dividend), magnitude(divisor), 0);
    return (int64_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

int64_t __moddi3(int64_t dividend, int64_t divisor)
{
    uint64_t remainder;
    __udivmoddi4(magnitude(dividend), magnitude(divisor), &remainder);
    return (int64_t)(dividend < 0 ? -remainder : remainder);
}

/*
 * Between integers of 64 bits and floating point. A word is a double without loss, so the sum rounds once. For single
 * precision the bits that it cannot hold are gathered in one first, or it would be rounded twice.
 */

static double unsigned_word(uint32_t value)
{
    double half = (int32_t)(value >> 1);
    return half + half + (int32_t)(value & 1);
}

double __floatundidf(uint64_t value)
{
    LongLong in = {value};
    return unsigned_word(in.high) * 4294967296.0 + unsigned_word(in.low);
}

double __floatdidf(int64_t value)
{
    LongLong in = {.integer = value};
    return (int32_t)in.high * 4294967296.0 + unsigned_word(in.low);
}

float __floatundisf(uint64_t value)
{
    LongLong in = {value};
    if (in.high >> 21 && in.low & 0x7ff)
        in.low = (in.low & ~0x7ffu) | 0x800;
    return (float)__floatundidf(in.whole);
}

float __floatdisf(int64_t value)
{
    float result = __floatundisf(magnitude(value));
    return value < 0 ? -result : result;
}

uint64_t __fixunsdfdi(double value)
{
    LongLong out;
    out.high = __fixunsdfsi(value / 4294967296.0);
    out.low = __fixunsdfsi(value - unsigned_word(out.high) * 4294967296.0);
    return out.whole;
}

int64_t __fixdfdi(double value)
{
    return (int64_t)(value < 0 ? -__fixunsdfdi(-value) : __fixunsdfdi(value));
}

uint64_t __fixunssfdi(float value)
{
    return __fixunsdfdi(value);
}

int64_t __fixsfdi(float value)
{
    return __fixdfdi(value);
}

uint32_t __fixunsdfsi(double value)
{
    return value < 2147483648.0 ? (uint32_t)(int32_t)value : (uint32_t)(int32_t)(value - 2147483648.0) + 0x80000000u;
}

uint32_t __fixunssfsi(float value)
{
    return __fixunsdfsi(value);
}
