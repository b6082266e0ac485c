#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// What a job needs: memory, threads, clocks, and files, about which Landlock has the last word. Whatever isn't here is
// refused, what the kernel learns next year included. Names that an architecture doesn't have are left out there.
static const char *const allowed[] = {
    // Memory.
    "brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "mincore", "msync", "mlock", "munlock", "membarrier",
    "mbind", "get_mempolicy", "set_mempolicy",
    // Open files.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "lseek", "close", "close_range",
    "dup", "dup2", "dup3", "pipe", "pipe2", "flock", "fsync", "fdatasync", "syncfs", "sync_file_range", "ftruncate",
    "fallocate", "fadvise64", "readahead", "copy_file_range", "sendfile", "poll", "ppoll", "select", "pselect6",
    "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "recvmsg",
    // Files by name.
    "stat", "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents64", "getcwd", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir",
    "mkdirat", "rmdir", "umask",
    // Threads, and what they are to each other.
    "futex", "set_robust_list", "rseq", "set_tid_address", "arch_prctl", "exit", "exit_group", "restart_syscall",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "rt_sigpending", "sigaltstack", "pause",
    "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "getcpu", "wait4", "waitid",
    // Who and where it is, and when.
    "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getrlimit", "getrusage", "getpriority", "times", "sysinfo", "uname",
    "getrandom", "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", NULL};

// Calls of which some uses are allowed: those whose argument has one of these values. The kernel reads 32 bits of each, and
// so does the filter.
enum { most_values = 16 };
#define ONLY32 0xffffffffu
static const struct {
    const char *name;
    unsigned argument;
    unsigned mask;
    int count;
    unsigned values[most_values];
} partly[] = {
    // A thread is a process that shares its memory; there are no others.
    {"clone", 0, CLONE_THREAD, 1, {CLONE_THREAD}},
    // Nothing that types into a terminal or makes the kernel send signals. Since glibc 2.42 `isatty` asks by TCGETS2.
    {"ioctl",
     1,
     ONLY32,
     6,
     {0x5401 /* TCGETS */, 0x802c542a /* TCGETS2 */, 0x5413 /* TIOCGWINSZ */, 0x541B /* FIONREAD */,
      0x5421 /* FIONBIO */, 0x5451 /* FIOCLEX */}},
    {"fcntl",
     1,
     ONLY32,
     12,
     {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC, 36 /* F_OFD_GETLK */,
      37 /* F_OFD_SETLK */, 38 /* F_OFD_SETLKW */}},
    // libcap, which newer systems' sound libraries stand on, asks what could be had when it is opened; asking gives nothing.
    {"prctl", 0, ONLY32, 4, {PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, 0x53564d41 /* PR_SET_VMA */}},
    // What a process may change of itself, named 0.
    {"prlimit64", 0, ONLY32, 1, {0}},
    {"sched_setaffinity", 0, ONLY32, 1, {0}},
};

// What libraries try first, and do without where a kernel is too old.
static const char *const unknown[] = {"clone3", "openat2", "epoll_pwait2", "futex_waitv", "memfd_secret", NULL};

// Refused without a word: SVT-AV1's threads, where root runs it, ask to come before all others, and do without.
static const char *const unheard[] = {"sched_setscheduler", "sched_setparam", "sched_setattr", NULL};

enum { most_calls = 1024 };
static cwk_status *shared;
// Filled before the filter is there: a handler may not ask libseccomp.
static char *names[most_calls];

static void on_refusal(int number, siginfo_t *information, void *context) {
    (void)number;
    ucontext_t *state = context;
    const int call = information->si_syscall;
    const char *name = call >= 0 && call < most_calls ? names[call] : NULL;
    if (shared) {
        if (cwk_get(&shared->refusals) == 0) cwk_set_text(shared, CWK_REFUSED, name ? name : "?");
        cwk_add(&shared->refusals, 1);
    }
    // The call returns to whoever made it, as a failed one.
    const int result = name ? -EACCES : -ENOSYS;
#if defined(__x86_64__)
    state->uc_mcontext.gregs[REG_RAX] = result;
#elif defined(__aarch64__)
    state->uc_mcontext.regs[0] = (unsigned long long)result;
#else
#error "which register holds a call's result?"
#endif
}

static int catch_refusals(cwk_status *status) {
    shared = status;
    for (int call = 0; call < most_calls; call++)
        names[call] = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, call);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_refusal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    return sigaction(SIGSYS, &action, NULL) == 0 ? 0 : -errno;
}

static int add(scmp_filter_ctx filter, uint32_t action, const char *name) {
    const int call = seccomp_syscall_resolve_name(name);
    return call < 0 ? 0 : seccomp_rule_add(filter, action, call, 0);
}

static int add_where(scmp_filter_ctx filter, const char *name, unsigned argument, uint64_t mask, uint64_t value) {
    const int call = seccomp_syscall_resolve_name(name);
    const struct scmp_arg_cmp is = {argument, SCMP_CMP_MASKED_EQ, mask, value};
    return call < 0 ? 0 : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &is);
}

// Opening is allowed; but before Landlock 3 nothing else would keep a file from being emptied that is opened for reading.
static int add_opening(scmp_filter_ctx filter, const char *name, unsigned flags) {
    int code = add_where(filter, name, flags, O_TRUNC, 0);
    if (!code) code = add_where(filter, name, flags, O_ACCMODE, O_WRONLY);
    if (!code) code = add_where(filter, name, flags, O_ACCMODE, O_RDWR);
    return code;
}

// x265's threads make themselves nice, and do without: their own priority is refused without a word.
static int add_own_priority(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp own[] = {
        {0, SCMP_CMP_MASKED_EQ, ONLY32, PRIO_PROCESS}, {1, SCMP_CMP_MASKED_EQ, ONLY32, 0}};
    return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(setpriority), 2, own);
}

static int add_rules(scmp_filter_ctx filter, int channel, int has_listener) {
    int code = 0;
    for (size_t i = 0; allowed[i] && !code; i++) code = add(filter, SCMP_ACT_ALLOW, allowed[i]);
    for (size_t i = 0; unknown[i] && !code; i++) code = add(filter, SCMP_ACT_ERRNO(ENOSYS), unknown[i]);
    for (size_t i = 0; unheard[i] && !code; i++) code = add(filter, SCMP_ACT_ERRNO(EPERM), unheard[i]);
    for (size_t i = 0; i < sizeof partly / sizeof *partly; i++)
        for (int value = 0; value < partly[i].count && !code; value++)
            code = add_where(filter, partly[i].name, partly[i].argument, partly[i].mask, partly[i].values[value]);
    if (!code) code = add_own_priority(filter);
    // Signals to its own threads: `abort` sends one.
    if (!code) code = add_where(filter, "tgkill", 0, ONLY32, (uint32_t)getpid());
    if (!code) code = add_where(filter, "sendmsg", 0, ONLY32, (uint32_t)channel);
    if (code) return code;
    if (has_listener) {
        code = add(filter, SCMP_ACT_NOTIFY, "open");
        return code ? code : add(filter, SCMP_ACT_NOTIFY, "openat");
    }
    code = add_opening(filter, "open", 1);
    return code ? code : add_opening(filter, "openat", 2);
}

static int load(cwk_status *status, int channel, int *listener) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    if (!filter) return -ENOMEM;
    // Compared as a tree: every call passes through it. Calls of another architecture's have other numbers.
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    int code = catch_refusals(status);
    if (!code) code = add_rules(filter, channel, listener != NULL);
    if (!code) code = seccomp_load(filter);
    if (!code && listener) *listener = seccomp_notify_fd(filter);
    seccomp_release(filter);
    return code;
}

int cwk_filter_calls(cwk_status *status, int channel, int *listener) {
    if (!listener) return load(status, channel, NULL);
    *listener = -1;
    // A kernel that can't tell of openings, or one that tells somebody else.
    if (seccomp_api_get() >= 5 && load(status, channel, listener) == 0) return 0;
    return load(status, channel, NULL);
}

int cwk_has_filter(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

static int is_allowed(const char *name) {
    static const char *const others[] = {"open", "openat", "tgkill", "sendmsg", NULL};
    for (size_t i = 0; allowed[i]; i++)
        if (!strcmp(allowed[i], name)) return 1;
    for (size_t i = 0; others[i]; i++)
        if (!strcmp(others[i], name)) return 1;
    for (size_t i = 0; i < sizeof partly / sizeof *partly; i++)
        if (!strcmp(partly[i].name, name)) return 1;
    return 0;
}

int cwk_next_allowed_call(int number) {
    while (++number < most_calls) {
        char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
        const int found = name && is_allowed(name);
        free(name);
        if (found) return number;
    }
    return -1;
}

void cwk_call_name(int number, char *name, size_t size) {
    char *found = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
    cwk_write_text(name, size, found ? found : "");
    free(found);
}
