#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer than Debian 12's headers.
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif

static int lower(int resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -errno;
    if (limit.rlim_max > most) limit.rlim_max = most;
    if (limit.rlim_cur > most) limit.rlim_cur = most;
    return setrlimit(resource, &limit) == 0 ? 0 : -errno;
}

int cwk_limit(int64_t memory) {
    const int code = lower(RLIMIT_CORE, 0);
    if (code || memory <= 0) return code;
    return lower(RLIMIT_DATA, (rlim_t)memory);
}

int cwk_forbid_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : -errno; }

// glibc has no wrappers for these. Each version of Landlock knows a longer form of the first argument.
typedef struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
} ruleset;

int cwk_landlock_version(void) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? -errno : (int)version;
}

static int allow(int rules, const char *path, uint64_t rights) {
    struct landlock_path_beneath_attr beneath = {.allowed_access = rights};
    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0) return -errno;
    const long code = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    const int failure = code == 0 ? 0 : -errno;
    close(beneath.parent_fd);
    return failure;
}

int cwk_confine_files(
    const char *const *writable, const char *const *readable, const char *const *listed, int may_execute, int version) {
    // Before version 2 nothing is renamed from one folder to another, which is how files get their names.
    if (may_execute && version < 2) return -EOPNOTSUPP;
    uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                       LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                       LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                       LANDLOCK_ACCESS_FS_MAKE_SYM;
    if (version >= 2) writing |= LANDLOCK_ACCESS_FS_REFER;
    const uint64_t truncating = version >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0;
    const uint64_t devices = version >= 5 ? LANDLOCK_ACCESS_FS_IOCTL_DEV : 0;
    const uint64_t executing = may_execute ? 0 : LANDLOCK_ACCESS_FS_EXECUTE;
    const uint64_t looking = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    const uint64_t reading = readable ? looking : 0;
    const uint64_t renaming = may_execute ? LANDLOCK_ACCESS_FS_REFER : 0;
    // From version 4 on TCP, from 6 on abstract sockets and signals to others.
    const ruleset all = {
        writing | truncating | devices | executing | reading, version >= 4 ? 3 : 0,
        // Who starts others has to be able to end them.
        version >= 6 && !may_execute ? 3 : 0};
    const size_t size = version >= 6 ? sizeof all : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (rules < 0) return -errno;
    // A rule about it is one about this very folder of the kernel's, which is the same one for as long as it is open.
    if (readable) (void)open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int code = 0;
    for (size_t i = 0; writable && writable[i] && !code; i++)
        code = allow(
            rules, writable[i],
            LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | truncating | reading | renaming);
    for (size_t i = 0; readable && readable[i] && !code; i++) {
        code = allow(rules, readable[i], looking);
        // A file can't be listed.
        if (code == -EINVAL) code = allow(rules, readable[i], LANDLOCK_ACCESS_FS_READ_FILE);
        // A pipe of the shell's lies in no folder, and may always be read.
        if (code == -ENOENT || code == -EACCES || code == -ENOTDIR || code == -EBADFD) code = 0;
    }
    for (size_t i = 0; readable && listed && listed[i] && !code; i++) {
        code = allow(rules, listed[i], LANDLOCK_ACCESS_FS_READ_DIR);
        if (code == -EINVAL || code == -ENOENT || code == -EACCES || code == -ENOTDIR) code = 0;
    }
    if (!code)
        code = allow(
            rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | truncating | (reading & LANDLOCK_ACCESS_FS_READ_FILE));
    if (!code && syscall(SYS_landlock_restrict_self, rules, 0) != 0) code = -errno;
    close(rules);
    return code;
}
