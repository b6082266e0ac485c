#include "page.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static cwk_status *shared;
static _Thread_local char role[64];
static _Thread_local char *signal_stack;

void cwk_set_role(const char *text) { cwk_write_text(role, sizeof role, text); }

static void say(const char *text) {
    // Nothing to be done where it can't be said.
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static const char *name(int number) {
    switch (number) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic fault";
    case SIGABRT: return "aborted";
    case SIGSYS: return "forbidden system call";
    default: return "trap";
    }
}

static void on_fault(int number, siginfo_t *information, void *context) {
    (void)context;
    const int outside = information->si_code <= 0 && information->si_pid != getpid();
    if (shared) {
        cwk_put(&shared->outside, outside);
        cwk_set_text(shared, CWK_ROLE, role);
        cwk_put(&shared->signal, number);
    } else {
        say("annotate-batch: ");
        say(role[0] ? role : "the program");
        say(outside ? " was ended by somebody (" : " crashed (");
        say(name(number));
        say(outside ? ")\n" : "); this is a fault of the program, please report it\n");
    }
    // A fault comes again when this returns; a signal that was sent has to be sent again.
    signal(number, SIG_DFL);
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

void cwk_watch_faults(cwk_status *status) {
    shared = status;
    cwk_use_signal_stack();
    cwk_watch_lack();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &action, NULL);
    // Swift's own handler would write a backtrace and go on.
    signal(SIGQUIT, SIG_DFL);
}

void cwk_use_signal_stack(void) {
    enum { size = 1 << 15 };
    if (signal_stack || !(signal_stack = malloc(size))) return;
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = size};
    if (sigaltstack(&stack, NULL) != 0) {
        free(signal_stack);
        signal_stack = NULL;
    }
}

void cwk_drop_signal_stack(void) {
    if (!signal_stack) return;
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(signal_stack);
    signal_stack = NULL;
}
