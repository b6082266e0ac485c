#ifndef CWORKER_H
#define CWORKER_H

// What a worker process is made of and Swift can't call: fork, signal handlers, the kernel's filters.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A page that a worker shares with whoever started it: what it is at, and, after it died, what it died of. Both sides
/// read and write numbers at any time; texts are read when the worker is no more, or stands still.
typedef struct cwk_status {
    int64_t written;     // frames
    int64_t decoded;     // frames
    int64_t expected;    // frames, 0 where nothing says
    int64_t signal;      // that ended it, 0 for none
    int64_t outside;     // 1 where somebody else sent that signal
    int64_t refusals;    // calls that the kernel's filter refused
    char role[64];       // of the thread that crashed: “the decoder”; empty where nobody knows
    char refused[32];    // the first call that was refused
    char activity[4096]; // the file that is being looked at, empty for none
} cwk_status;

/// `fork`, which Swift hides, with a channel and a page for the child. Only for a process of one thread.
///
/// Returns the child's process id in the parent, 0 in the child and a negative errno where it fails. In the child the other
/// ends are closed, standard output leads nowhere, standard error to `errors`; all signals have their defaults.
typedef struct cwk_birth {
    int channel;        // a stream socket to the other side
    int errors;         // reading end of the child's standard error; -1 in the child
    cwk_status *status; // shared
} cwk_birth;
pid_t cwk_fork(cwk_birth *birth);

/// The same by starting a program anew, for a process of many threads. `arguments` end with NULL; the program calls
/// `cwk_adopt`.
pid_t cwk_spawn(const char *program, char *const *arguments, cwk_birth *birth);
/// In a program that `cwk_spawn` started: takes what was handed over. Returns a negative errno where nothing was.
int cwk_adopt(cwk_birth *birth);
void cwk_release(cwk_birth *birth);

static inline int64_t cwk_get(const int64_t *number) { return __atomic_load_n(number, __ATOMIC_RELAXED); }
static inline void cwk_put(int64_t *number, int64_t value) { __atomic_store_n(number, value, __ATOMIC_RELAXED); }
static inline void cwk_add(int64_t *number, int64_t value) { __atomic_fetch_add(number, value, __ATOMIC_RELAXED); }

/// What the calling thread is, for the sentence that tells of a crash: “the decoder”.
void cwk_set_role(const char *role);
/// Writes a text into a field of the page, cut to its size.
void cwk_set_text(char *field, size_t size, const char *text);

/// Signals that a fault raises end the process at once, with a line on standard error, and on `status` (may be NULL) what
/// it was. Takes the place of other handlers. Needed once in a process; a thread needs a signal stack for the
/// overflow of its own stack to be told of, from `cwk_use_signal_stack` to `cwk_drop_signal_stack` at its end.
void cwk_watch_faults(cwk_status *status);
void cwk_use_signal_stack(void);
void cwk_drop_signal_stack(void);

/* Cores that the process may run on; 0 where the kernel does not say. */
int cwk_cores(void);

/// What the kernel grants from here on. All functions return 0 or a negative errno.
/// Limits: no core files; bytes of private memory (0: no limit).
int cwk_limit(int64_t memory);
int cwk_forbid_privileges(void);
/// The highest version of Landlock that the kernel has, or a negative errno.
int cwk_landlock_version(void);
/// Writing beneath `writable` alone (a list that ends with NULL; NULL for nowhere), reading there and beneath `readable` alone (a list that ends with
/// NULL; NULL for everywhere), what of them isn't there left out; nothing executed unless `may_execute`. Needs
/// `cwk_forbid_privileges`.
int cwk_confine_files(const char *const *writable, const char *const *readable, int may_execute);
/// No sockets, programs, processes, or changes to the system. A refused call fails with EACCES and is told of on `status`.
int cwk_filter_calls(cwk_status *status);

/// Opens a folder to look for names in it, which takes no right to list it; a path starts at another open folder, or at
/// AT_FDCWD. Returns a descriptor or a negative errno: ELOOP or ENOTDIR for a link that isn't to be followed.
int cwk_hold(int folder, const char *path, int follows);
/// Gives two files or folders of an open folder each the other's name, at once. Returns 0 or a negative errno: EINVAL where the file system
/// can't.
int cwk_exchange(int folder, const char *a, const char *b);
/// Brings the file system that an open file lies in to the disk. Returns 0 or a negative errno.
int cwk_sync_file_system(int descriptor);

#endif
