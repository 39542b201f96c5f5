//go:build linux && amd64 && cgo && (mpi || cblas) && !nolibmvec

// Loops over the vector functions of glibc's libmvec, called by their names in the
// x86_64 vector function ABI. Every element goes through a vector of the full width, the
// last ones through one that is filled up, so that no element depends on its place.
// Nothing is left to the compiler's vectorizer, so that -ffast-math is not needed.

#include "libmvec.h"

#include <features.h>
#include <immintrin.h>
#include <string.h>

#define WIDE __attribute__((target("avx512f,avx512dq")))
#define NARROW __attribute__((target("avx2")))

// The functions in the order of vmath.go.
enum {
	fn_sqrt, fn_cbrt, fn_exp, fn_exp2, fn_expm1, fn_log, fn_log2, fn_log10, fn_log1p,
	fn_sin, fn_cos, fn_tan, fn_asin, fn_acos, fn_atan,
	fn_sinh, fn_cosh, fn_tanh, fn_asinh, fn_acosh, fn_atanh, num_unary
};
enum { fn_pow, fn_atan2, fn_hypot, num_binary };

// What this glibc has of them.
#if __GLIBC_PREREQ(2, 35)
#define UNARY(ROW) \
	ROW(cbrt) ROW(exp) ROW(exp2) ROW(expm1) ROW(log) ROW(log2) ROW(log10) ROW(log1p) \
	ROW(sin) ROW(cos) ROW(tan) ROW(asin) ROW(acos) ROW(atan) \
	ROW(sinh) ROW(cosh) ROW(tanh) ROW(asinh) ROW(acosh) ROW(atanh)
#define BINARY(ROW) ROW(pow) ROW(atan2) ROW(hypot)
#else
#define UNARY(ROW) ROW(exp) ROW(log) ROW(sin) ROW(cos)
#define BINARY(ROW) ROW(pow)
#endif

// A loop over n elements for vectors of w of them, with the names of
// the load, the store and the vector function.
#define LOOP1(target, name, elem, w, load, store, f) \
	target static void name(elem *dst, const elem *x, size_t n) { \
		size_t i = 0; \
		for (; i + w <= n; i += w) store(dst + i, f(load(x + i))); \
		if (i == n) return; \
		elem in[w], out[w]; \
		for (size_t j = 0; j < w; j++) in[j] = x[i + j < n ? i + j : i]; \
		store(out, f(load(in))); \
		memcpy(dst + i, out, (n - i) * sizeof(elem)); \
	}

#define LOOP2(target, name, elem, w, load, store, f) \
	target static void name(elem *dst, const elem *x, const elem *y, size_t n) { \
		size_t i = 0; \
		for (; i + w <= n; i += w) store(dst + i, f(load(x + i), load(y + i))); \
		if (i == n) return; \
		elem in[w], jn[w], out[w]; \
		for (size_t j = 0; j < w; j++) { \
			size_t k = i + j < n ? i + j : i; \
			in[j] = x[k]; \
			jn[j] = y[k]; \
		} \
		store(out, f(load(in), load(jn))); \
		memcpy(dst + i, out, (n - i) * sizeof(elem)); \
	}

#define LOOPS(LOOP, f, d8, d4, s16, s8) \
	LOOP(WIDE, f##_d8, double, 8, _mm512_loadu_pd, _mm512_storeu_pd, d8) \
	LOOP(NARROW, f##_d4, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, d4) \
	LOOP(WIDE, f##_s16, float, 16, _mm512_loadu_ps, _mm512_storeu_ps, s16) \
	LOOP(NARROW, f##_s8, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, s8)

#define DEFINE1(name) \
	extern __m512d _ZGVeN8v_##name(__m512d); \
	extern __m256d _ZGVdN4v_##name(__m256d); \
	extern __m512 _ZGVeN16v_##name##f(__m512); \
	extern __m256 _ZGVdN8v_##name##f(__m256); \
	LOOPS(LOOP1, name, _ZGVeN8v_##name, _ZGVdN4v_##name, _ZGVeN16v_##name##f, _ZGVdN8v_##name##f)

#define DEFINE2(name) \
	extern __m512d _ZGVeN8vv_##name(__m512d, __m512d); \
	extern __m256d _ZGVdN4vv_##name(__m256d, __m256d); \
	extern __m512 _ZGVeN16vv_##name##f(__m512, __m512); \
	extern __m256 _ZGVdN8vv_##name##f(__m256, __m256); \
	LOOPS(LOOP2, name, _ZGVeN8vv_##name, _ZGVdN4vv_##name, _ZGVeN16vv_##name##f, _ZGVdN8vv_##name##f)

UNARY(DEFINE1)
BINARY(DEFINE2)
LOOPS(LOOP1, sqrt, _mm512_sqrt_pd, _mm256_sqrt_pd, _mm512_sqrt_ps, _mm256_sqrt_ps)

#define ROW(f) [fn_##f] = {f##_d8, f##_d4, f##_s16, f##_s8},

static const struct {
	void (*d8)(double *, const double *, size_t);
	void (*d4)(double *, const double *, size_t);
	void (*s16)(float *, const float *, size_t);
	void (*s8)(float *, const float *, size_t);
} unary[num_unary] = {ROW(sqrt) UNARY(ROW)};

static const struct {
	void (*d8)(double *, const double *, const double *, size_t);
	void (*d4)(double *, const double *, const double *, size_t);
	void (*s16)(float *, const float *, const float *, size_t);
	void (*s8)(float *, const float *, const float *, size_t);
} binary[num_binary] = {BINARY(ROW)};

static int wide;

int vmath_supported(void) {
	wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
	return wide || __builtin_cpu_supports("avx2");
}

int vmath_set_wide(int on) {
	int was = wide;
	wide = on;
	return was;
}

int vmath_has_unary(int fn) { return fn < num_unary && unary[fn].d8 != NULL; }
int vmath_has_binary(int fn) { return fn < num_binary && binary[fn].d8 != NULL; }

void vmath_unary64(int fn, double *dst, const double *x, size_t n) {
	(wide ? unary[fn].d8 : unary[fn].d4)(dst, x, n);
}

void vmath_unary32(int fn, float *dst, const float *x, size_t n) {
	(wide ? unary[fn].s16 : unary[fn].s8)(dst, x, n);
}

void vmath_binary64(int fn, double *dst, const double *x, const double *y, size_t n) {
	(wide ? binary[fn].d8 : binary[fn].d4)(dst, x, y, n);
}

void vmath_binary32(int fn, float *dst, const float *x, const float *y, size_t n) {
	(wide ? binary[fn].s16 : binary[fn].s8)(dst, x, y, n);
}
