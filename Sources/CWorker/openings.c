// Files that a confined process opens: the kernel asks who listens. The process waits in its system call meanwhile, and the
// listener opens the file itself, so that what was looked at is what is opened.
#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// A part of a page at a time: what lies behind the end of a path may not be there.
static int read_text(pid_t process, uint64_t address, char *text, size_t size) {
    enum { page = 4096 };
    size_t filled = 0;
    while (filled < size) {
        size_t wanted = page - (address + filled) % page;
        if (wanted > size - filled) wanted = size - filled;
        const struct iovec here = {text + filled, wanted}, there = {(void *)(uintptr_t)(address + filled), wanted};
        const ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
        if (got <= 0) return got < 0 ? errno : EFAULT;
        if (memchr(text + filled, 0, (size_t)got)) return 0;
        filled += (size_t)got;
    }
    return ENAMETOOLONG;
}

int cwk_next_opening(int listener, int milliseconds, cwk_opening *opening, char *path, size_t size) {
    // Older kernels don't wake who asks for the openings of a process that is no more.
    struct pollfd state = {.fd = listener, .events = POLLIN};
    const int count = poll(&state, 1, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    if (count == 0) return 0;
    if (!(state.revents & POLLIN)) return -ENOTCONN;
    struct seccomp_notif request;
    memset(&request, 0, sizeof request);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) return errno == EINTR || errno == ENOENT ? 0 : -errno;
    const int is_at = request.data.nr == SYS_openat;
    const __u64 *arguments = request.data.args;
    opening->id = request.id;
    opening->process = (int32_t)request.pid;
    opening->folder = is_at ? (int32_t)arguments[0] : AT_FDCWD;
    opening->flags = (int32_t)arguments[is_at ? 2 : 1];
    opening->unread = read_text((pid_t)request.pid, arguments[is_at ? 1 : 0], path, size);
    // The thread's number may be another's by now: what was read counts while it waits.
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &request.id) == 0 ? 1 : 0;
}

static int answer(int listener, const cwk_opening *opening, int error, unsigned flags) {
    struct seccomp_notif_resp response;
    memset(&response, 0, sizeof response);
    response.id = opening->id;
    response.error = -error;
    response.flags = flags;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0 ? 0 : -errno;
}

int cwk_leave_opening(int listener, const cwk_opening *opening) {
    return answer(listener, opening, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

int cwk_refuse_opening(int listener, const cwk_opening *opening, int error) {
    return answer(listener, opening, error, 0);
}

int cwk_grant_opening(int listener, const cwk_opening *opening, int descriptor) {
    struct seccomp_notif_addfd grant;
    memset(&grant, 0, sizeof grant);
    grant.id = opening->id;
    grant.flags = SECCOMP_ADDFD_FLAG_SEND;
    grant.srcfd = (uint32_t)descriptor;
    grant.newfd_flags = O_CLOEXEC;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &grant) >= 0 ? 0 : -errno;
}

typedef union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} control;

int cwk_send_descriptor(int channel, int descriptor) {
    char sign = 'd';
    struct iovec data = {&sign, 1};
    control buffer;
    memset(&buffer, 0, sizeof buffer);
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &buffer, .msg_controllen = sizeof buffer.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    ssize_t sent;
    while ((sent = sendmsg(channel, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return sent == 1 ? 0 : -errno;
}

int cwk_receive_descriptor(int channel) {
    char sign = 0;
    struct iovec data = {&sign, 1};
    control buffer;
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &buffer, .msg_controllen = sizeof buffer.bytes};
    ssize_t got;
    while ((got = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    if (got < 0) return -errno;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (got != 1 || !head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof(int))) return -EPROTO;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
    return descriptor;
}

int cwk_opens_nothing(int32_t flags) { return (flags & O_PATH) != 0; }
