/* store/fault.h - planted failures: in test builds CUZK_FAIL_STORE=n makes the n-th file or SQLite call fail. */
#ifndef CUZK_STORE_FAULT_H
#define CUZK_STORE_FAULT_H

#include <stdbool.h>

/* Stands before each such call; true: the call is not made, errno is EIO. */
bool store_fails(void);

#endif
