internal import Glibc

/// Standard input, opened anew so that reading it doesn't block where it is a pipe: FFmpeg then looks between attempts
/// whether the job was cancelled, and a silent pipe can't outlast a time limit.
final class StandardInput {
    let descriptor: Int32

    init() {
        var status = stat()
        let isPipe = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        // The new description has flags of its own: those of other processes' ends stay as they are.
        let opened = isPipe ? open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1
        descriptor = opened >= 0 ? opened : STDIN_FILENO
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }
}
