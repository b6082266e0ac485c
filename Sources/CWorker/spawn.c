#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

// What a worker has of its parent's environment: what its libraries look at, and this program. A variable's name, or with
// “_” at its end what names begin with. All else, tokens and keys say, is nobody's business who may have been taken over.
static const char *const passed_on[] = {
    "ANNOTATE_",   "HOME",  "LANG",   "LANGUAGE",        "LC_",   "TZ",    "TMPDIR", "LD_",     "GLIBC_",    "MALLOC_",
    "FONTCONFIG_", "XDG_",  "PANGO_", "TESSDATA_PREFIX", "OMP_",  "KMP_",  "TBB_",   "OPENCV_", "OPENVINO_", "OV_",
    "ONEDNN_",     "DNNL_", "SWIFT_", "ASAN_",           "LSAN_", "TSAN_", "UBSAN_", "LLVM_",   NULL};

// What a command looks at besides: how its terminal is.
static const char *const own[] = {"TERM", "NO_COLOR", "COLUMNS", "LINES", NULL};

static int is_among(const char *variable, const char *const *names) {
    for (size_t i = 0; names[i]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(variable, names[i], length) != 0) continue;
        if (names[i][length - 1] == '_' || variable[length] == '=') return 1;
    }
    return 0;
}

static int is_passed_on(const char *variable) { return is_among(variable, passed_on); }
static int is_own(const char *variable) { return is_among(variable, own); }

// A list that ends with NULL, to be freed; its texts are the environment's own.
static char **environment_of_child(void) {
    size_t count = 0, kept = 0;
    while (environ && environ[count]) count++;
    char **variables = malloc((count + 1) * sizeof *variables);
    if (!variables) return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_passed_on(environ[i])) variables[kept++] = environ[i];
    variables[kept] = NULL;
    return variables;
}

// Where `cwk_spawn` puts what it hands over.
enum { channel_place = 3, status_place = 4 };

typedef struct ends {
    int channel[2], errors[2], status;
    cwk_status *shared;
} ends;

static void close_all(const ends *all) {
    const int descriptors[] = {all->channel[0], all->channel[1], all->errors[0], all->errors[1], all->status};
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0) close(descriptors[i]);
    if (all->shared) munmap(all->shared, sizeof(cwk_page));
}

static cwk_status *map(int descriptor) {
    void *page = mmap(NULL, sizeof(cwk_page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return page == MAP_FAILED ? NULL : page;
}

static int open_all(ends *all) {
    *all = (ends){{-1, -1}, {-1, -1}, -1, NULL};
    int failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, all->channel) != 0 ||
                 pipe2(all->errors, O_CLOEXEC) != 0 ||
                 (all->status = memfd_create("annotate-worker", MFD_CLOEXEC | MFD_ALLOW_SEALING)) < 0 ||
                 ftruncate(all->status, sizeof(cwk_page)) != 0 ||
                 // A page that the child took away would end who reads it.
                 fcntl(all->status, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
                 !(all->shared = map(all->status));
    if (!failed) {
        all->shared->parent = getpid();
        return 0;
    }
    const int code = errno;
    close_all(all);
    return -code;
}

// What a process of ours has of its parent's: no terminal, whose signals go to who started it, and no descriptor that
// anybody left open.
static void stand_alone(int channel) {
    setsid();
    // Out of the way of where they go to. What lies in its place otherwise is somebody else's.
    const int apart = fcntl(channel, F_DUPFD_CLOEXEC, 10);
    if (apart < 0) _exit(0);
    close(channel);
    const int input = open("/dev/null", O_RDONLY), output = open("/dev/null", O_WRONLY);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    dup3(apart, channel_place, O_CLOEXEC);
    closefrom(channel_place + 1);
}

// Ends with whoever started it. It may have ended before.
static void end_with_parent(const cwk_status *shared) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != shared->parent) _exit(0);
}

pid_t cwk_fork_apart(int *channel) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    // The child needs some room as well, which it has from here.
    const int room = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    const int lack = errno;
    if (room < 0) {
        close(ends[0]);
        close(ends[1]);
        return -(lack == EINVAL ? EMFILE : lack);
    }
    const pid_t child = fork();
    if (child == 0) {
        close(room);
        close(ends[0]);
        stand_alone(ends[1]);
        *channel = channel_place;
        return 0;
    }
    const int failure = errno;
    close(ends[1]);
    close(room);
    if (child < 0) {
        close(ends[0]);
        return -failure;
    }
    *channel = ends[0];
    return child;
}

// A terminal is open for reading on every standard stream, whoever only writes there: what is typed could be read.
static void write_only(int descriptor) {
    if (!isatty(descriptor)) return;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    const int output = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    // One that can't be opened anew, another user's, stays as it is.
    if (output < 0) return;
    dup2(output, descriptor);
    close(output);
}

static int is_kept(int descriptor, const int *kept, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (kept[i] == descriptor) return 1;
    return 0;
}

static void close_others(const int *kept, size_t count) {
    int last = STDERR_FILENO;
    for (size_t i = 0; i < count; i++)
        if (kept[i] > last) last = kept[i];
    for (int descriptor = STDERR_FILENO + 1; descriptor < last; descriptor++)
        if (!is_kept(descriptor, kept, count)) close(descriptor);
    closefrom(last + 1);
}

// Where the kernel put it too: /proc/self/environ shows that very memory.
static void forget_environment(void) {
    size_t kept = 0;
    for (size_t i = 0; environ && environ[i]; i++)
        if (is_passed_on(environ[i]) || is_own(environ[i]))
            environ[kept++] = environ[i];
        else
            memset(environ[i], 0, strlen(environ[i]));
    if (environ) environ[kept] = NULL;
}

void cwk_stand_alone(int keeps_input, const int *kept, size_t count) {
    if (!keeps_input) {
        const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (input >= 0) {
            dup2(input, STDIN_FILENO);
            close(input);
        }
    }
    write_only(STDOUT_FILENO);
    write_only(STDERR_FILENO);
    close_others(kept, count);
    forget_environment();
}

cwk_status *cwk_own_status(void) { return calloc(1, sizeof(cwk_page)); }

pid_t cwk_spawn(const char *program, char *const *arguments, cwk_link *link) {
    ends all;
    int code = open_all(&all);
    if (code) return code;
    // What is handed over may itself lie where it goes to: it is moved out of the way first.
    const int channel = fcntl(all.channel[1], F_DUPFD_CLOEXEC, 10), status = fcntl(all.status, F_DUPFD_CLOEXEC, 10);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, all.errors[1], STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, channel, channel_place);
    posix_spawn_file_actions_adddup2(&actions, status, status_place);
    posix_spawn_file_actions_addclosefrom_np(&actions, status_place + 1);
    sigset_t none, every;
    sigemptyset(&none);
    sigfillset(&every);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &every);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    pid_t child = 0;
    char **environment = environment_of_child();
    code = channel < 0 || status < 0 ? EMFILE
         : !environment              ? ENOMEM
                                     : posix_spawn(&child, program, &actions, &attributes, arguments, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (channel >= 0) close(channel);
    if (status >= 0) close(status);
    if (code) {
        close_all(&all);
        return -code;
    }
    close(all.channel[1]);
    close(all.errors[1]);
    close(all.status);
    *link = (cwk_link){all.channel[0], all.errors[0], all.shared};
    return child;
}

int cwk_adopt(cwk_link *link) {
    struct stat socket, page;
    if (fstat(channel_place, &socket) != 0 || fstat(status_place, &page) != 0) return -errno;
    if (!S_ISSOCK(socket.st_mode) || page.st_size != sizeof(cwk_page)) return -EINVAL;
    cwk_status *shared = map(status_place);
    if (!shared) return -errno;
    close(status_place);
    fcntl(channel_place, F_SETFD, FD_CLOEXEC);
    end_with_parent(shared);
    *link = (cwk_link){channel_place, -1, shared};
    return 0;
}

void cwk_release(cwk_link *link) {
    if (link->channel >= 0) close(link->channel);
    if (link->errors >= 0) close(link->errors);
    if (link->status) munmap(link->status, sizeof(cwk_page));
    *link = (cwk_link){-1, -1, NULL};
}
