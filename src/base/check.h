/* base/check.h - conditions that only our own bugs can break; the process ends with a line on stderr. */
#ifndef CUZK_BASE_CHECK_H
#define CUZK_BASE_CHECK_H

_Noreturn void check_failed(const char *condition, const char *file, int line);

/* Cheap, always on. */
#define cuzk_check(c) ((c) ? (void)0 : check_failed(#c, __FILE__, __LINE__))

/* Bounds on hot paths: VERIFY builds only.  The condition is compiled in every build. */
#ifdef VERIFY
#define CUZK_VERIFY(c) cuzk_check(c)
#else
#define CUZK_VERIFY(c) ((void)sizeof(c))
#endif

#endif
