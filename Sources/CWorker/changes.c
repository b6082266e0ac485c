#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CWorker.h"

void cwk_await_change(const uint32_t *changes, uint32_t seen) {
    syscall(SYS_futex, changes, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

void cwk_wake_all(const uint32_t *changes) { syscall(SYS_futex, changes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }
