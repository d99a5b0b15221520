/* math/cat.h - name pasting for the include templates. */
#ifndef CUZK_MATH_CAT_H
#define CUZK_MATH_CAT_H

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT3(a, b, c) CAT(CAT(a, b), c)

/* Templates make more functions than each inclusion uses. */
#define CUZK_FN static inline __attribute__((unused))
#define CUZK_FN_NOINLINE static __attribute__((unused, noinline))

#define UNROLL _Pragma("GCC unroll 16")

#endif
