#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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

static int is_passed_on(const char *variable) {
    for (size_t i = 0; passed_on[i]; i++) {
        const size_t length = strlen(passed_on[i]);
        if (strncmp(variable, passed_on[i], length) != 0) continue;
        if (passed_on[i][length - 1] == '_' || variable[length] == '=') return 1;
    }
    return 0;
}

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
    const int input = open("/dev/null", O_RDONLY), output = open("/dev/null", O_WRONLY);
    // Out of the way of where they go to.
    channel = fcntl(channel, F_DUPFD_CLOEXEC, 10);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    dup3(channel, channel_place, O_CLOEXEC);
    closefrom(channel_place + 1);
}

// Ends with whoever started it. It may have ended before.
static void end_with_parent(const cwk_status *shared) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != shared->parent) _exit(0);
}

pid_t cwk_fork_keeper(int *channel) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    const pid_t child = fork();
    if (child == 0) {
        stand_alone(ends[1]);
        *channel = channel_place;
        return 0;
    }
    const int failure = errno;
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return -failure;
    }
    *channel = ends[0];
    return child;
}

pid_t cwk_spawn(const char *program, char *const *arguments, cwk_birth *birth) {
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
    *birth = (cwk_birth){all.channel[0], all.errors[0], all.shared};
    return child;
}

int cwk_adopt(cwk_birth *birth) {
    struct stat socket, page;
    if (fstat(channel_place, &socket) != 0 || fstat(status_place, &page) != 0) return -errno;
    if (!S_ISSOCK(socket.st_mode) || page.st_size != sizeof(cwk_page)) return -EINVAL;
    cwk_status *shared = map(status_place);
    if (!shared) return -errno;
    close(status_place);
    fcntl(channel_place, F_SETFD, FD_CLOEXEC);
    end_with_parent(shared);
    *birth = (cwk_birth){channel_place, -1, shared};
    return 0;
}

void cwk_release(cwk_birth *birth) {
    if (birth->channel >= 0) close(birth->channel);
    if (birth->errors >= 0) close(birth->errors);
    if (birth->status) munmap(birth->status, sizeof(cwk_page));
    *birth = (cwk_birth){-1, -1, NULL};
}
