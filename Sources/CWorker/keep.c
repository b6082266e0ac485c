#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// What stands here runs in copies of a process of many threads: nothing but calls that a signal handler may make.
//
// The keeper stays such a copy for as long as what it keeps runs, so what the process writes in meanwhile is held twice,
// up to what it had in memory when this began: little, where jobs run in workers. To run this program anew as the keeper
// would cost each transfer the linking of all its libraries, and their memory; a program for this alone would be one more
// file to install.

// Where the keeper says why the program couldn't be started.
enum { report_place = 3 };

// The keeper's own group: it, the program, and all that this has started and that hasn't left.
static void end_group(int number) {
    (void)number;
    kill(0, SIGKILL);
}

static _Noreturn void give_up(int report, int code) {
    if (write(report, &code, sizeof code) < 0) _exit(126);
    _exit(127);
}

// Copies of all, out of the way of where they go to. Returns 0 or an errno.
static int place_streams(int input, int output, int errors, int report) {
    const int from[] = {input, output, errors, report};
    int above[4];
    for (int i = 0; i < 4; i++)
        if ((above[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 10)) < 0) return errno == EINVAL ? EMFILE : errno;
    for (int i = 0; i < 3; i++)
        if (dup2(above[i], i) < 0) return errno;
    if (dup3(above[3], report_place, O_CLOEXEC) < 0) return errno;
    // Locks and sockets of the process that this is a copy of are not held any longer than there.
    closefrom(report_place + 1);
    return 0;
}

static void set_all_signals_to_defaults(void) {
    const struct sigaction normal = {.sa_handler = SIG_DFL};
    // Those that can't be set have it.
    for (int number = 1; number < NSIG; number++) sigaction(number, &normal, NULL);
}

static _Noreturn void keep(char *const *words, char *const *environment, pid_t parent) {
    const struct sigaction ending = {.sa_handler = end_group};
    sigset_t none;
    sigemptyset(&none);
    set_all_signals_to_defaults();
    sigaction(SIGTERM, &ending, NULL);
    prctl(PR_SET_NAME, "annotate-keeper");
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // It may have ended before.
    if (getppid() != parent) _exit(0);
    const pid_t own = getpid();
    const pid_t program = fork();
    if (program < 0) give_up(report_place, errno);
    if (program == 0) {
        // Somebody may end the keeper alone.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != own) _exit(0);
        // Its handler goes with the old program.
        sigprocmask(SIG_SETMASK, &none, NULL);
        execvpe(words[0], words, environment);
        give_up(report_place, errno);
    }
    close(report_place);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int status = 0;
    while (waitpid(program, &status, 0) < 0)
        if (errno != EINTR) _exit(126);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

// The keeper's process id, or a negative errno.
static pid_t fork_keeper(char *const *words, char *const *environment, int input, int output, int errors, int report) {
    const pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    // No handler of this process may run in its copy.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t keeper = fork();
    if (keeper == 0) {
        setpgid(0, 0);
        const int code = place_streams(input, output, errors, report);
        if (code) give_up(report, code);
        keep(words, environment, parent);
    }
    const int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return keeper < 0 ? -code : keeper;
}

// Waits until the program has begun. Returns 0 or an errno.
static int await_start(int report) {
    int code = 0;
    ssize_t count;
    // Closed with the start of the program, or the end of all that could have started it.
    while ((count = read(report, &code, sizeof code)) < 0 && errno == EINTR) {
    }
    return count == sizeof code ? code : 0;
}

pid_t cwk_keep(char *const *words, char *const *environment, int input, const char *errors) {
    int report[2] = {-1, -1};
    const int output = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int said = output < 0 ? -1 : open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    pid_t keeper = -1;
    if (said < 0 || pipe2(report, O_CLOEXEC) != 0)
        keeper = -errno;
    else
        keeper = fork_keeper(words, environment, input, output, said, report[1]);
    const int own[] = {output, said, report[1]};
    for (int i = 0; i < 3; i++)
        if (own[i] >= 0) close(own[i]);
    if (keeper > 0) {
        const int code = await_start(report[0]);
        if (code) {
            while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR) {
            }
            keeper = -code;
        }
    }
    if (report[0] >= 0) close(report[0]);
    return keeper;
}
