#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CWorker.h"

void cwk_await_change(const uint32_t *changes, uint32_t seen, double seconds) {
    const time_t whole = seconds > 0 ? (time_t)seconds : 0;
    const struct timespec most = {whole, seconds > 0 ? (long)((seconds - (double)whole) * 1e9) : 0};
    syscall(SYS_futex, changes, FUTEX_WAIT_PRIVATE, seen, seconds < 1e9 ? &most : NULL, NULL, 0);
}

void cwk_wake_all(const uint32_t *changes) { syscall(SYS_futex, changes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }
