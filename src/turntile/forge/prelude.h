/* What every game's translated rules stand on: checked arithmetic, and the way out of a fault.
 *
 * A failed check notes what went wrong and jumps to the guard that Python's call came through.
 * Rules hold no resources, so nothing is lost by leaving them in the middle; the state they were
 * working on is given up by the wrapper.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TT_RARE(x) __builtin_expect(!!(x), 0)

enum { TT_INDEX = 1, TT_RANGE, TT_OVERFLOW, TT_ZERO, TT_ASSERT, TT_SHIFT };

typedef struct {
    jmp_buf env;
    int kind;
    int site;
    int64_t value;
    int64_t limit;
} tt_fault_t;

static _Thread_local tt_fault_t tt_fault;

__attribute__((noinline, cold, noreturn)) static void tt_fail(int kind, int site, int64_t value, int64_t limit) {
    tt_fault.kind = kind;
    tt_fault.site = site;
    tt_fault.value = value;
    tt_fault.limit = limit;
    longjmp(tt_fault.env, 1);
}

/* First in every function that Python calls. */
#define TT_GUARD if (setjmp(tt_fault.env)) return tt_fault.kind

static inline int64_t tt_index(int64_t i, int64_t n, int site) {
    if (TT_RARE((uint64_t) i >= (uint64_t) n)) tt_fail(TT_INDEX, site, i, n);
    return i;
}

/* Do offset + first .. offset + last - 1 all lie in an array of n? (Small numbers, so that no sum overflows.) */
static inline int tt_walk(int64_t offset, int64_t first, int64_t last, int64_t n) {
    const int64_t small = INT64_C(1) << 40;
    if (TT_RARE(offset < -small || offset > small || first < -small || last > small)) return 0;
    return offset + first >= 0 && offset + last <= n;
}

static inline int64_t tt_fit(int64_t v, int64_t low, int64_t high, int site) {
    if (TT_RARE(v < low || v > high)) tt_fail(TT_RANGE, site, v, high);
    return v;
}

static inline int64_t tt_add(int64_t a, int64_t b, int site) {
    int64_t r;
    if (TT_RARE(__builtin_add_overflow(a, b, &r))) tt_fail(TT_OVERFLOW, site, a, b);
    return r;
}

static inline int64_t tt_sub(int64_t a, int64_t b, int site) {
    int64_t r;
    if (TT_RARE(__builtin_sub_overflow(a, b, &r))) tt_fail(TT_OVERFLOW, site, a, b);
    return r;
}

static inline int64_t tt_mul(int64_t a, int64_t b, int site) {
    int64_t r;
    if (TT_RARE(__builtin_mul_overflow(a, b, &r))) tt_fail(TT_OVERFLOW, site, a, b);
    return r;
}

/* Python's // and %: rounded down, the remainder with the divisor's sign. */
static inline int64_t tt_div(int64_t a, int64_t b, int site) {
    if (TT_RARE(b == 0)) tt_fail(TT_ZERO, site, a, b);
    if (TT_RARE(b == -1)) return tt_sub(0, a, site);
    int64_t q = a / b;
    return q - ((a % b != 0) & ((a ^ b) < 0));
}

static inline int64_t tt_mod(int64_t a, int64_t b, int site) {
    if (TT_RARE(b == 0)) tt_fail(TT_ZERO, site, a, b);
    if (TT_RARE(b == -1)) return 0;
    int64_t r = a % b;
    return r + ((r != 0) & ((r ^ b) < 0) ? b : 0);
}

/* The same in 32 bits, where both numbers are known to fit and the first is not negative. */
static inline int64_t tt_div_small(int64_t a, int64_t b, int site) {
    if (TT_RARE(b <= 0)) return tt_div(a, b, site);
    return (int64_t) ((uint32_t) a / (uint32_t) b);
}

static inline int64_t tt_mod_small(int64_t a, int64_t b, int site) {
    if (TT_RARE(b <= 0)) return tt_mod(a, b, site);
    return (int64_t) ((uint32_t) a % (uint32_t) b);
}

/* Shifts that can hardly be meant: below zero, or beyond the word. */
__attribute__((noinline, cold)) static int64_t tt_shl_far(int64_t a, int64_t n, int site) {
    if (n < 0) tt_fail(TT_SHIFT, site, a, n);
    if (a == 0) return 0;
    if (a == -1 && n == 63) return INT64_MIN;
    tt_fail(TT_OVERFLOW, site, a, n);
}

static inline int64_t tt_shl(int64_t a, int64_t n, int site) {
    if (TT_RARE((uint64_t) n > 62)) return tt_shl_far(a, n, site);
    int64_t r = (int64_t) ((uint64_t) a << n);
    if (TT_RARE((r >> n) != a)) tt_fail(TT_OVERFLOW, site, a, n);
    return r;
}

static inline int64_t tt_shr(int64_t a, int64_t n, int site) {
    if (TT_RARE(n < 0)) tt_fail(TT_SHIFT, site, a, n);
    return a >> (n > 63 ? 63 : n);
}

static inline int64_t tt_abs(int64_t a) { return a < 0 ? -a : a; }

static inline int64_t tt_abs_checked(int64_t a, int site) { return a < 0 ? tt_sub(0, a, site) : a; }

static inline int64_t tt_min(int64_t a, int64_t b) { return b < a ? b : a; }

static inline int64_t tt_max(int64_t a, int64_t b) { return b > a ? b : a; }
