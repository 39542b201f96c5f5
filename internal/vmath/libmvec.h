#include <stddef.h>

// Whether this processor can run the functions, and whether function fn of the lists in
// libmvec.c is there.
int vmath_supported(void);
int vmath_set_wide(int on); // whether AVX-512 is used; returns whether it was
int vmath_has_unary(int fn);
int vmath_has_binary(int fn);

// dst[i] = fn(x[i], …) for i < n; dst may be an operand.
void vmath_unary64(int fn, double *dst, const double *x, size_t n);
void vmath_unary32(int fn, float *dst, const float *x, size_t n);
void vmath_binary64(int fn, double *dst, const double *x, const double *y, size_t n);
void vmath_binary32(int fn, float *dst, const float *x, const float *y, size_t n);
