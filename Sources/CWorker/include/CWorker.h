#ifndef CWORKER_H
#define CWORKER_H

// What a worker process is made of and Swift can't call: fork, signal handlers, the kernel's filters.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A page that a worker shares with whoever started it: what it is at, and, after it died, what it died of. Both sides
/// read and write numbers at any time. Behind them are texts, which are read when the worker is no more, or stands still.
typedef struct cwk_status {
    int64_t written;  // frames
    int64_t looked;   // frames, when all of them are looked at before any is written
    int64_t decoded;  // frames
    int64_t expected; // frames, 0 where nothing says
    int64_t signal;   // that ended it, 0 for none
    int64_t outside;  // 1 where somebody else sent that signal
    int64_t refusals; // calls that the kernel's filter refused
    int64_t parent;   // the process that started it
} cwk_status;

/// The page's texts.
typedef enum cwk_text {
    CWK_ROLE,     // of the thread that crashed: “the decoder”; empty where nobody knows
    CWK_REFUSED,  // the first call that was refused
    CWK_ACTIVITY, // the file that is being looked at, empty for none
} cwk_text;
/// Where a text of the page is, ended by 0 or by its place, whose size is written.
const char *cwk_get_text(const cwk_status *status, cwk_text which, size_t *size);
/// Writes a text of the page, cut to its place.
void cwk_set_text(cwk_status *status, cwk_text which, const char *text);

/// What a worker and who started it have of each other.
typedef struct cwk_link {
    int channel;        // a stream socket to the other side
    int errors;         // reading end of the child's standard error; -1 in the child
    cwk_status *status; // shared
} cwk_link;

/// Starts a program as a child, whose process id it returns, or a negative errno. The child has a session of its own, no
/// terminal, no descriptor but its channel and the standard ones: standard input is empty, standard output leads nowhere,
/// standard error to `errors`; all signals have their defaults. Of the environment
/// it has what libraries look at. It ends with the thread that made it. `arguments` end with NULL;
/// the program calls `cwk_adopt`.
pid_t cwk_spawn(const char *program, char *const *arguments, cwk_link *link);
/// In a program that `cwk_spawn` started: takes what was handed over. Returns a negative errno where nothing was.
int cwk_adopt(cwk_link *link);
void cwk_release(cwk_link *link);
/// A copy of this process, of one thread still, that outlives it: in a session of its own, with standard streams that lead
/// nowhere and no descriptor but a stream socket to the other side. Returns the child's process id, 0 in the child, or a
/// negative errno.
pid_t cwk_fork_apart(int *channel);

/// Starts another program, `words[0]`, which is looked for in PATH, with `environment` (both lists end with NULL). It reads
/// `input`, writes nowhere, and says what it has to say to the file `errors`; all signals have their defaults. Returns the
/// process id of its keeper, which ends as the program does, with 128 and the signal where one ended it; or a negative errno
/// where it can't be started.
///
/// Keeper, program and all that this starts are a group of processes, named after the keeper, which ends as a whole, by
/// SIGKILL, when the calling thread or its process does, however that comes about. So who calls this waits for the keeper.
pid_t cwk_keep(char *const *words, char *const *environment, int input, const char *errors);

/// Gives up what this process, which wasn't started by `cwk_spawn`, has of whoever started it: a terminal that it could read
/// from (standard output and error stay, for writing alone), standard input unless `keeps_input`, every other descriptor but
/// those in `kept` (`count` of them), and of the environment all that libraries and this program don't look at.
void cwk_stand_alone(int keeps_input, const int *kept, size_t count);
/// A page of its own, for a process that shares it with nobody; NULL where there is no memory. It stays.
cwk_status *cwk_own_status(void);

/// Hands a descriptor over through a socket. Returns 0 or a negative errno.
int cwk_send_descriptor(int channel, int descriptor);
/// The descriptor that the other side hands over next, or a negative errno.
int cwk_receive_descriptor(int channel);

static inline int64_t cwk_get(const int64_t *number) { return __atomic_load_n(number, __ATOMIC_RELAXED); }
static inline void cwk_put(int64_t *number, int64_t value) { __atomic_store_n(number, value, __ATOMIC_RELAXED); }
static inline void cwk_add(int64_t *number, int64_t value) { __atomic_fetch_add(number, value, __ATOMIC_RELAXED); }

/// A count of changes that threads of this process wait for.
static inline uint32_t cwk_changes(const uint32_t *changes) { return __atomic_load_n(changes, __ATOMIC_ACQUIRE); }
static inline void cwk_count_change(uint32_t *changes) { __atomic_fetch_add(changes, 1, __ATOMIC_RELEASE); }
/// Sleeps while the count is `seen`, for that many seconds at most, infinity for no end; may return earlier. Leaves `errno` changed.
void cwk_await_change(const uint32_t *changes, uint32_t seen, double seconds);
/// Wakes all who sleep for a change of the count.
void cwk_wake_all(const uint32_t *changes);

/// Exit status of a process that couldn't go on for want of what there may be again: threads, descriptors.
enum { CWK_STATUS_OF_LACK = 75 };
/// Ends a process that is about to be ended by a library, with that status and a line, where there are hardly any threads
/// left; returns where there are.
void cwk_end_in_lack(void);
/// Has what C++ calls when nobody catches an error tell of a lack of threads. Part of `cwk_watch_faults`.
void cwk_watch_lack(void);

/// What the calling thread is, for the sentence that tells of a crash: “the decoder”.
void cwk_set_role(const char *role);

/// Signals that a fault raises end the process at once, with a line on standard error, and on `status` (may be NULL) what
/// it was. Takes the place of other handlers. Needed once in a process; a thread needs a signal stack for the
/// overflow of its own stack to be told of, from `cwk_use_signal_stack` to `cwk_drop_signal_stack` at its end.
/// A library that gives up for want of threads is none: it ends the process with `CWK_STATUS_OF_LACK` and a line.
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
/// Writing beneath `writable` alone (a list that ends with NULL), reading there and beneath `readable` alone (a list that
/// ends with NULL; NULL for everywhere), and names alone of folders beneath `listed` (NULL for none), what of them isn't there
/// left out; `may_execute` is for who starts others and gives files their names: it may do both. `version` is the one of
/// Landlock to keep to. Needs `cwk_forbid_privileges`.
int cwk_confine_files(
    const char *const *writable, const char *const *readable, const char *const *listed, int may_execute, int version);
/// Nothing but the calls that a job makes (`calls.c` lists them). A refused call fails with EACCES, one that nobody knows
/// with ENOSYS, and both are told of on `status`.
///
/// - `channel`: the one socket through which a descriptor may be handed over.
/// - `listener`: NULL, or where a descriptor goes on which `cwk_next_opening` hears of every file that is to be opened; -1
///   where the kernel has no such thing.
int cwk_filter_calls(cwk_status *status, int channel, int *listener);
/// Whether the kernel has such filters.
int cwk_has_filter(void);
/// The number of the system call that is allowed next after `number` (-1 for the first), -1 behind the last: the same list
/// that `cwk_filter_calls` makes a filter of, those included of which only some uses are allowed.
int cwk_next_allowed_call(int number);
/// Writes a call's name; empty for none.
void cwk_call_name(int number, char *name, size_t size);

/// A file that a confined process wants to open and waits for.
typedef struct cwk_opening {
    uint64_t id;
    int32_t process; // the thread's id
    int32_t folder;  // its first argument
    int32_t flags;   // of open(2)
    int32_t unread;  // 0, or why the path can't be read: an errno
} cwk_opening;
/// The kind of the file system that a path lies in, links followed, as linux/magic.h numbers them; a negative errno.
int64_t cwk_file_system(const char *path);
/// Waits for the next one, so many milliseconds at the most, -1 for any time, and writes its path, ended by 0. Returns 1; 0
/// where it is no more, or none came; a negative errno where no more will come.
int cwk_next_opening(int listener, int milliseconds, cwk_opening *opening, char *path, size_t size);
/// Whether these flags of open(2) only name a file, without opening it.
int cwk_opens_nothing(int32_t flags);
/// The kernel decides, as if nobody had listened. All three return 0 or a negative errno, which mostly means that whoever
/// waited is no more.
int cwk_leave_opening(int listener, const cwk_opening *opening);
int cwk_refuse_opening(int listener, const cwk_opening *opening, int error);
/// The process gets a descriptor of what this one has opened.
int cwk_grant_opening(int listener, const cwk_opening *opening, int descriptor);

/// Opens a folder to look for names in it, which takes no right to list it; a path starts at another open folder, or at
/// AT_FDCWD. Returns a descriptor or a negative errno: ELOOP or ENOTDIR for a link that isn't to be followed.
int cwk_hold(int folder, const char *path, int follows);
/// Gives two files or folders of an open folder each the other's name, at once. Returns 0 or a negative errno: EINVAL where the file system
/// can't.
int cwk_exchange(int folder, const char *a, const char *b);
/// Brings the file system that an open file lies in to the disk. Returns 0 or a negative errno.
int cwk_sync_file_system(int descriptor);

#endif
