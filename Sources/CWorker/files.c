// renameat2 and syncfs, which Swift does not see.
#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int cwk_exchange(const char *a, const char *b) {
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0 ? 0 : -errno;
}

int cwk_sync_file_system(int descriptor) { return syncfs(descriptor) == 0 ? 0 : -errno; }
