#include "CWorker.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// What no job needs: sockets, programs and processes, other processes' memory, the system itself, and the ways around this
// filter and Landlock. Names that an architecture doesn't have are left out there.
static const char *const names[] = {
    "socket",
    "socketpair",
    "connect",
    "bind",
    "listen",
    "accept",
    "accept4",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "execve",
    "execveat",
    "fork",
    "vfork",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "pidfd_open",
    "pidfd_getfd",
    "kcmp",
    "kill",
    "pidfd_send_signal",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "setns",
    "unshare",
    "open_tree",
    "move_mount",
    "fsopen",
    "fspick",
    "mount_setattr",
    "open_by_handle_at",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "keyctl",
    "add_key",
    "request_key",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "swapon",
    "swapoff",
    "syslog",
    "acct",
    "quotactl",
    "settimeofday",
    "clock_settime",
    "adjtimex",
    "clock_adjtime",
    "sethostname",
    "setdomainname",
    "iopl",
    "ioperm",
    "setuid",
    "setgid",
    "setreuid",
    "setregid",
    "setresuid",
    "setresgid",
    "setgroups",
    "setfsuid",
    "setfsgid",
    "capset",
    "utime",
    "utimes",
    "futimesat",
    "utimensat",
    "chmod",
    "fchmod",
    "fchmodat",
    "chown",
    "lchown",
    "fchown",
    "fchownat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "mknod",
    "mknodat",
    "symlink",
    "symlinkat",
    "link",
    "linkat",
    "shmget",
    "msgget",
    "semget",
    "mq_open",
    "inotify_init",
    "inotify_init1",
    "fanotify_init",
    NULL};

// Calls that say whom they mean, and in which argument.
static const struct {
    const char *name;
    unsigned argument;
} own[] = {{"prlimit64", 0},     {"sched_setaffinity", 0}, {"sched_setscheduler", 0}, {"sched_setparam", 0},
           {"sched_setattr", 0}, {"setpriority", 1},       {"ioprio_set", 1},         {"setpgid", 0},
           {"migrate_pages", 0}, {"move_pages", 0}};
static int own_numbers[sizeof own / sizeof *own];

static cwk_status *shared;
// Filled before the filter is there: a handler may not ask libseccomp.
static int numbers[sizeof names / sizeof *names];

static void on_refusal(int number, siginfo_t *information, void *context) {
    (void)number;
    ucontext_t *state = context;
    const int call = information->si_syscall;
    const char *name = call == SYS_clone ? "clone" : call == SYS_ioctl ? "ioctl" : "?";
    for (size_t i = 0; names[i]; i++)
        if (numbers[i] == call) name = names[i];
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own_numbers[i] == call) name = own[i].name;
    if (shared) {
        if (cwk_get(&shared->refusals) == 0) cwk_set_text(shared->refused, sizeof shared->refused, name);
        cwk_add(&shared->refusals, 1);
    }
    // The call returns to whoever made it, as a failed one.
#if defined(__x86_64__)
    state->uc_mcontext.gregs[REG_RAX] = -EACCES;
#elif defined(__aarch64__)
    state->uc_mcontext.regs[0] = (unsigned long long)-EACCES;
#else
#error "which register holds a call's result?"
#endif
}

int cwk_filter_calls(cwk_status *status) {
    shared = status;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_refusal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (sigaction(SIGSYS, &action, NULL) != 0) return -errno;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return -ENOMEM;
    // Compared as a tree: every call passes through it.
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    int code = 0;
    for (size_t i = 0; names[i] && !code; i++) {
        numbers[i] = seccomp_syscall_resolve_name(names[i]);
        if (numbers[i] >= 0) code = seccomp_rule_add(filter, SCMP_ACT_TRAP, numbers[i], 0);
    }
    // A thread is a process that shares its memory; anything else is refused. What the newer call asks for lies in memory,
    // where no filter sees it: without it glibc takes the older one.
    if (!code)
        code =
            seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    if (!code) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    // What a process may change of itself, named 0, and not of others.
    for (size_t i = 0; i < sizeof own / sizeof *own && !code; i++) {
        const int call = seccomp_syscall_resolve_name(own[i].name);
        own_numbers[i] = call;
        if (call < 0) continue;
        const struct scmp_arg_cmp other = {own[i].argument, SCMP_CMP_NE, 0, 0};
        code = seccomp_rule_add_array(filter, SCMP_ACT_TRAP, call, 1, &other);
    }
    // Typing into somebody's terminal.
    if (!code) code = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, TIOCSTI));
    if (!code) code = seccomp_load(filter);
    seccomp_release(filter);
    return code;
}
