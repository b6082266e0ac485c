// O_PATH, renameat2, syncfs and statfs, which Swift does not see.
#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

int cwk_hold(int folder, const char *path, int follows) {
    int found = openat(folder, path, O_PATH | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
    return found >= 0 ? found : -errno;
}

int cwk_exchange(int folder, const char *a, const char *b) {
    return renameat2(folder, a, folder, b, RENAME_EXCHANGE) == 0 ? 0 : -errno;
}

int cwk_sync_file_system(int descriptor) { return syncfs(descriptor) == 0 ? 0 : -errno; }

int64_t cwk_file_system(const char *path) {
    struct statfs system;
    if (statfs(path, &system) != 0) return -errno;
    // Some numbers have their highest bit set, which the field's type may take for a sign.
    return (uint32_t)system.f_type;
}
