import Annotate
import Foundation
import Glibc
import Testing

/// What jobs do to the processes that they run in, and what of that others notice.
@Suite(.serialized) struct WorkerTests {
    /// A library that goes before FFmpeg's, and does at one call what a broken decoder would.
    private static let hook: Workspace? = {
        guard let workspace = try? Workspace() else { return nil }
        let source = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdatomic.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <signal.h>
            #include <sys/prctl.h>
            #include <sys/resource.h>
            #include <sys/socket.h>
            #include <sys/stat.h>
            #include <sys/syscall.h>
            #include <sched.h>
            #include <unistd.h>
            static atomic_int calls;
            int avcodec_send_packet(void *context, const void *packet) {
                static int (*real)(void *, const void *);
                if (!real) real = dlsym(RTLD_NEXT, "avcodec_send_packet");
                const char *deed = getenv("ANNOTATE_DEED");
                if (deed && ++calls == atoi(getenv("ANNOTATE_AT"))) {
                    if (!strcmp(deed, "crash")) *(volatile int *)8 = 1;
                    if (!strcmp(deed, "abort")) abort();
                    if (!strcmp(deed, "trap")) __builtin_trap();
                    if (!strcmp(deed, "sleep")) for (;;) pause();
                    if (!strcmp(deed, "exit")) _exit(3);
                    if (!strcmp(deed, "eat")) for (char *more; (more = malloc(1 << 24)); usleep(2000)) memset(more, 1, 1 << 24);
                    if (!strcmp(deed, "call")) socket(AF_INET, SOCK_STREAM, 0);
                    if (!strcmp(deed, "run")) system("touch ran");
                    if (!strcmp(deed, "peek") && open(getenv("ANNOTATE_AIM"), O_RDONLY) >= 0) abort();
                    if (!strcmp(deed, "poke") && open(getenv("ANNOTATE_AIM"), O_WRONLY | O_CREAT, 0600) >= 0) abort();
                    if (!strcmp(deed, "spoil") && (truncate(getenv("ANNOTATE_AIM"), 0) == 0 || unlink(getenv("ANNOTATE_AIM")) == 0 ||
                        open(getenv("ANNOTATE_AIM"), O_RDONLY | O_TRUNC) >= 0)) abort();
                    if (!strcmp(deed, "mode") && !syscall(452, AT_FDCWD, getenv("ANNOTATE_AIM"), 04777, 0)) abort();
                    if (!strcmp(deed, "nice") && !setpriority(PRIO_USER, 0, 1)) abort();
                    if (!strcmp(deed, "first") && !sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){1})) abort();
                    if (!strcmp(deed, "kin") && !kill(getppid(), 0)) abort();
                    if (!strcmp(deed, "fate") && !prctl(PR_SET_PDEATHSIG, 0)) abort();
                    if (!strcmp(deed, "input") && read(0, &(char){0}, 1) != 0) abort();
                    if (!strcmp(deed, "paint")) {
                        if (write(2, "\\033]0;owned\\007\\n", 11) < 0) _exit(4);
                        _exit(3);
                    }
                    if (!strcmp(deed, "sockets")) {
                        int sockets = 0;
                        struct stat status;
                        for (int f = 0; f < 1024; f++) sockets += !fstat(f, &status) && S_ISSOCK(status.st_mode);
                        if (sockets != 1) abort();
                    }
                    if (!strcmp(deed, "token") && getenv("API_TOKEN")) abort();
                    if (!strcmp(deed, "shrink")) {
                        // The page that it shares with the program, under a name that root may open.
                        unsigned long from, to;
                        char line[512], name[64];
                        for (FILE *maps = fopen("/proc/self/maps", "r"); maps && fgets(line, sizeof line, maps);)
                            if (strstr(line, "annotate-worker") && sscanf(line, "%lx-%lx", &from, &to) == 2) {
                                snprintf(name, sizeof name, "/proc/self/map_files/%lx-%lx", from, to);
                                const int page = open(name, O_RDWR);
                                if (page >= 0 && ftruncate(page, 0) == 0) sleep(1);
                            }
                    }
                    if (!strcmp(deed, "quiet")) close(2);
                    if (!strcmp(deed, "junk")) for (int f = 3; f < 30; f++) if (write(f, "junk", 4) < 0) continue;
                    if (!strcmp(deed, "limit")) {
                        struct rlimit none = {0, 0};
                        if (!prlimit(getppid(), RLIMIT_NOFILE, &none, NULL)) abort();
                    }
                    if (!strcmp(deed, "babble")) for (int i = 0; i < 100000; i++) if (write(2, "no\\n", 3) < 0) break;
                }
                return real(context, packet);
            }
            int avformat_find_stream_info(void *context, void *options) {
                const char *deed = getenv("ANNOTATE_DEED");
                if (deed && !strcmp(deed, "probe")) abort();
                if (deed && !strcmp(deed, "stall")) for (;;) pause();
                int (*real)(void *, void *) = dlsym(RTLD_NEXT, "avformat_find_stream_info");
                return real(context, options);
            }
            """
        guard (try? workspace.write(source, to: "hook.c")) != nil,
            let outcome = try? Program.run(
                "cc", ["-shared", "-fPIC", "-O0", "-o", workspace.file("hook.so"), workspace.file("hook.c"), "-ldl"]),
            outcome.status == 0
        else { return nil }
        return workspace
    }()

    /// Three short jobs and one of 90 frames, in which something happens at the 60th packet.
    private func run(
        _ deed: String, _ arguments: String..., aim: String = "", root: Bool = false
    ) throws -> (Workspace, Outcome) {
        let hook = try #require(Self.hook, "no C compiler")
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.clip("long.mp4", frames: 90)
        let path = try workspace.manifest(
            [
                #""input": "a.mp4""#, #""input": "long.mp4""#, #""input": "a.mp4", "id": "c""#,
                #""input": "a.mp4", "id": "d""#,
            ])
        let outcome = try Program.run(
            Program.annotateBatch, ["run", path] + arguments + (root ? ["--root", workspace.path] : []),
            environment: [
                "LD_PRELOAD": hook.file("hook.so"), "ANNOTATE_DEED": deed, "ANNOTATE_AT": "60", "ANNOTATE_AIM": aim,
            ])
        return (workspace, outcome)
    }

    private static let others = [
        "a.mp4", "a.tracks.jsonl", "c.mp4", "c.tracks.jsonl", "d.mp4", "d.tracks.jsonl", "report.json",
    ]

    @Test(arguments: [
        ("crash", "the decoder crashed (signal 11) near frame 5"),
        ("abort", "the decoder crashed (signal 6) near frame 5"),
        ("trap", "the decoder crashed (signal 4) near frame 5"),
        ("exit", "its worker ended by itself (status 3) near frame 5"),
    ])
    func aCrashCostsOneJob(deed: String, sentence: String) throws {
        let (workspace, outcome) = try run(deed, "--jobs", "4")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("[2/4] long: failed: \(sentence)"), "\(outcome.errors)")
        #expect(workspace.names() == Self.others)
        let report = try json(try workspace.text("out/report.json"))["jobs"]?.elements ?? []
        #expect(report.compactMap { $0["status"]?.string } == ["done", "failed", "done", "done"])
        // Not again while nothing has changed, but where that is asked for.
        let path = workspace.file("m.json")
        let again = try annotateBatch("run", path)
        #expect(again.status == 1)
        #expect(
            again.errors.contains(
                "\(sentence)")
                && again.errors.contains("; not tried again, since nothing has changed (--retry-crashed does)"),
            "\(again.errors)")
        let retried = try annotateBatch("run", path, "--retry-crashed")
        #expect(retried.status == 0, "\(retried.errors)")
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    @Test func anEndlessCallCostsOneJob() throws {
        let (workspace, outcome) = try run("sleep", "--jobs", "4", "--timeout", "3")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("long: failed: took longer than the 3 s that --timeout allows"), "\(outcome.errors)"
        )
        #expect(workspace.names() == Self.others)
        #expect(outcome.seconds < 10)
        // A limit of time may be another one the next time.
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
    }

    /// A thread that waits for ever, and all others for it: nothing says so but that nothing happens.
    @Test func whoDoesNothingIsEndedAndTriedAgain() throws {
        let (workspace, outcome) = try run("sleep", "--jobs", "4", "--idle-timeout", "2")
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("long: failed: its worker did nothing for 2 s near frame 5"), "\(outcome.errors)")
        let stance = try #require(
            outcome.errors.split(separator: "\n").first { $0.contains("does nothing any more; please report") })
        // The one that waits for ever, in pause or ppoll as the C library has it.
        #expect(stance.contains(" in call ") && stance.contains(" at libc.so.6+"), "\(stance)")
        #expect(workspace.names() == Self.others)
        // Twice: it wasn't the job's fault.
        #expect(outcome.seconds > 4 && outcome.seconds < 20, "\(outcome.seconds)")
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
    }

    @Test func endlessMemoryCostsOneJob() throws {
        let (workspace, outcome) = try run("eat", "--jobs", "2", "--max-memory", "400")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("long: failed: the program grew over the 400 MiB"), "\(outcome.errors)")
        #expect(workspace.names() == Self.others)
    }

    @Test func whatAWorkerNeedNotDoIsRefusedAndTold() throws {
        let (_, called) = try run("call", "--jobs", "1")
        #expect(called.status == 0, "\(called.errors)")
        #expect(
            called.errors.contains("job “long”: its worker was refused the system call “socket”\n"), "\(called.errors)")
        let (workspace, ran) = try run("run", "--jobs", "1")
        #expect(ran.status == 1, "\(ran.errors)")
        #expect(ran.errors.contains("long: failed: its worker made a system call that it is refused"), "\(ran.errors)")
        #expect(!Files.exists(workspace.file("ran")) && !Files.exists("ran"))
        #expect(workspace.names() == Self.others)
    }

    private static let hasLandlock: Bool = {
        guard let workspace = try? Workspace(), (try? workspace.clip("a.mp4", frames: 1)) != nil,
            let path = try? workspace.manifest([#""input": "a.mp4""#]),
            let outcome = try? annotateBatch("run", path, "--log-level", "debug")
        else { return false }
        return !outcome.errors.contains("no Landlock")
    }()

    /// What the filter of calls, a session and descriptors of its own keep a worker from; one that gets through aborts.
    @Test(arguments: [("mode", "fchmodat2"), ("nice", "setpriority"), ("kin", "kill"), ("fate", "prctl")])
    func aWorkerTouchesNoOtherProcessAndNoMode(deed: String, call: String) throws {
        let aim = try Workspace()
        try aim.write("precious", to: "secret")
        #expect(chmod(aim.file("secret"), 0o600) == 0)
        let (_, outcome) = try run(deed, "--jobs", "1", aim: aim.file("secret"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("refused the system call “\(call)”"), "\(outcome.errors)")
        var status = stat()
        #expect(stat(aim.file("secret"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
    }

    /// SVT-AV1's threads ask for it where root runs them, and do without: nobody needs to hear of it.
    @Test func aWorkerComesBeforeNobody() throws {
        let (_, outcome) = try run("first", "--jobs", "1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("refused"), "\(outcome.errors)")
    }

    @Test(arguments: ["sockets", "input"])
    func aWorkerHasNobodyElsesDescriptors(deed: String) throws {
        let (_, outcome) = try run(deed, "--jobs", "3")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// What a worker says is shown to people.
    @Test func aWorkersWordsCommandNoTerminal() throws {
        let (_, outcome) = try run("paint", "--jobs", "1")
        #expect(outcome.status == 1)
        #expect(!outcome.errors.unicodeScalars.contains { $0.value == 0x1B }, "\(outcome.errors)")
        #expect(outcome.errors.contains(#"\u{1b}]0;owned"#), "\(outcome.errors)")
    }

    @Test(.enabled(if: hasLandlock, "this kernel has no Landlock"), arguments: ["b.mp4", "m.json", "out/report.json"])
    func othersInputsAndResultsAreNotTheJobs(name: String) throws {
        let hook = try #require(Self.hook, "no C compiler")
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 10)
        try workspace.clip("b.mp4", frames: 3)
        let path = try workspace.manifest([#""input": "a.mp4""#, #""input": "b.mp4""#])
        for deed in ["peek", "spoil"] {
            let outcome = try Program.run(
                Program.annotateBatch, ["run", path, "--jobs", "1", "--force"],
                environment: [
                    "LD_PRELOAD": hook.file("hook.so"), "ANNOTATE_DEED": deed, "ANNOTATE_AT": "5",
                    "ANNOTATE_AIM": workspace.file(name),
                ])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// An older kernel keeps less of what a worker may do; the results are the same.
    @Test(arguments: 0...7) func olderKernelsGiveTheSame(version: Int) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest([#""input": "a.mp4""#])
        #expect(try annotateBatch("run", path).status == 0)
        let whole = try workspace.text("out/a.tracks.jsonl")
        let older = ["ANNOTATE_LANDLOCK": "\(version)"]
        for settings in [older, older.merging(["ANNOTATE_SECCOMP": "0"]) { $1 }] {
            let outcome = try Program.run(Program.annotateBatch, ["run", path, "--force"], environment: settings)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.text("out/a.tracks.jsonl") == whole)
        }
        // As old as the kernel is itself.
        let doctor = try annotateBatch("doctor").output
        let own = (1...7).last { doctor.contains("Landlock \($0):") } ?? 0
        let told = try Program.run(Program.annotateBatch, ["doctor"], environment: older).output
        let least = own == 0 ? 0 : min(version, own)
        #expect(told.contains(least == 0 ? "no Landlock" : "Landlock \(least):"), "\(told)")
    }

    private static let canUnmount: Bool = {
        (try? Program.run("unshare", ["-m", "umount", "-l", "/proc"]).status) == 0
    }()

    @Test(.enabled(if: canUnmount, "/proc can't be unmounted in a namespace here"))
    func withoutProcItSaysSo() throws {
        let outcome = try Program.run(
            "unshare", ["-m", "sh", "-c", #"umount -l /proc && exec "$0" run m.json"#, Program.annotateBatch])
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains("there is no /proc here"), "\(outcome.errors)")
    }

    @Test func aJobOfItsOwnWorkerIsTheSame() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 10)
        let path = try workspace.manifest([#""input": "a.mp4""#, #""input": "a.mp4", "id": "b""#])
        let outcome = try annotateBatch("run", path, "--isolation", "job", "--jobs", "1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            workspace.names() == ["a.mp4", "a.tracks.jsonl", "b.mp4", "b.tracks.jsonl", "report.json"])
    }

    @Test(.enabled(if: hasLandlock, "this kernel has no Landlock"))
    func nobodyElsesFilesAreWrittenOrRead() throws {
        let outside = try Workspace()
        try outside.write("precious", to: "secret")
        let (_, poked) = try run("poke", aim: outside.file("new"))
        #expect(poked.status == 0, "\(poked.errors)")
        #expect(outside.names(in: "") == ["secret"])
        let (_, seen) = try run("peek", aim: outside.file("secret"))
        #expect(seen.status == 0, "\(seen.errors)")
        let (_, peeked) = try run("peek", aim: outside.file("secret"), root: true)
        #expect(peeked.status == 0, "\(peeked.errors)")
    }

    /// Tokens and keys in the program's environment are nobody's business who decodes videos; nor can a worker take away the
    /// page that it shares with the program.
    @Test(arguments: ["token", "shrink"]) func whatAWorkerHasOfTheProgram(deed: String) throws {
        setenv("API_TOKEN", "precious", 1)
        defer { unsetenv("API_TOKEN") }
        let (workspace, outcome) = try run(deed)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names().contains("long.mp4"))
    }

    /// A manifest's reader looks at the sizes of videos that have regions.
    @Test(arguments: [
        ("probe", "the reader of manifests crashed (signal 6)"), ("stall", "it took longer than the 1 s"),
    ])
    func aVideoThatTakesTheReaderWithItCostsItsJob(deed: String, reason: String) throws {
        let hook = try #require(Self.hook, "no C compiler")
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest(
            [#""input": "a.mp4", "regions": [{"id": "r", "box": [10, 10, 50, 50]}]"#],
            stages: #"{"id": "t", "type": "track"}"#)
        let environment = ["LD_PRELOAD": hook.file("hook.so"), "ANNOTATE_DEED": deed, "ANNOTATE_AT": "0"]
        let validated = try annotateBatch("validate", path, "--timeout", "1", environment: environment)
        #expect(validated.status == 0, "\(validated.errors)")
        #expect(validated.errors.contains("a.mp4 can't be looked at: \(reason)"), "\(validated.errors)")
        let ran = try annotateBatch("run", path, "--timeout", "1", environment: environment)
        #expect(ran.status == 1, "\(ran.errors)")
        #expect(ran.errors.contains("a: failed: "), "\(ran.errors)")
        #expect(workspace.names() == ["report.json"])
    }

    @Test func whatIsNoAnswerCostsOneJob() throws {
        let (workspace, outcome) = try run("junk", "--jobs", "1", "--timeout", "20")
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(workspace.names() == Self.others)
        #expect(outcome.seconds < 15)
    }

    @Test func nobodyElsesLimitsAreChanged() throws {
        let (_, outcome) = try run("limit", "--jobs", "1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("refused the system call “prlimit64”"), "\(outcome.errors)")
    }

    /// Under a root the output folder is the one that it was at the beginning.
    @Test(arguments: ["process", "none"])
    func aRootHoldsWhereTheOutputFolderBecomesALink(isolation: String) throws {
        let (workspace, outside) = (try Workspace(), try Workspace())
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest([#""input": "slow.mp4""#], encode: #"{"preset": "slow"}"#)
        let program = try Program(
            Program.annotateBatch, ["run", path, "--root", workspace.path, "--isolation", isolation])
        for _ in 0..<400 where !workspace.unfinished().contains(where: { $0.contains(".mp4.partial-") }) {
            usleep(10_000)
        }
        #expect(rename(workspace.file("out"), workspace.file("moved")) == 0)
        #expect(symlink(outside.path, workspace.file("out")) == 0)
        let outcome = try program.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Files.list(outside.path) == [])
        #expect(workspace.names(in: "moved") == ["report.json", "slow.mp4", "slow.tracks.jsonl"])
    }

    @Test(arguments: ["quiet", "babble"]) func whatAWorkerSaysOrNotIsNoMatter(deed: String) throws {
        let (workspace, outcome) = try run(deed)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names().count == 9)
    }

    @Test func aWorkerSaysWhatItGaveUp() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let outcome = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#]), "--log-level", "debug")
        #expect(outcome.status == 0)
        let line = outcome.errorLines.first { $0.contains("writes in ") || $0.contains("no Landlock") }
        #expect(line?.contains("no new privileges") == true, "\(outcome.errors)")
        #expect(line?.contains("seccomp: the calls that a job needs alone") == true, "\(outcome.errors)")
    }

    @Test func theSameBytesInWorkersAndWithout() throws {
        let workspace = try Workspace()
        for name in ["a.mp4", "b.mp4", "c.mp4"] { try workspace.clip(name, frames: 20, size: "256x128") }
        let path = try workspace.manifest([#""input": "*.mp4""#])
        _ = try annotateBatch("run", path, "--output", workspace.file("process"))
        _ = try annotateBatch("run", path, "--output", workspace.file("none"), "--isolation", "none")
        let names = workspace.names(in: "process").filter { $0 != "report.json" }
        #expect(names.count == 6)
        for name in names {
            #expect(
                try Files.read(workspace.file("process/" + name)) == Files.read(workspace.file("none/" + name)),
                "\(name)")
        }
    }

    /// The signal that a fault would raise, sent by somebody.
    @Test func aFaultSentFromOutsideEndsTheProgram() throws {
        let workspace = try Workspace()
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest([#""input": "slow.mp4""#], encode: #"{"preset": "placebo"}"#)
        let program = try Program(Program.annotateBatch, ["run", path, "--isolation", "none"])
        for _ in 0..<400 where workspace.unfinished().isEmpty { usleep(25_000) }
        program.signal(SIGSEGV)
        let outcome = try program.finish()
        #expect(outcome.status == 128 + SIGSEGV)
        #expect(outcome.errors.contains("was ended by somebody (segmentation fault)"), "\(outcome.errors)")
    }

    /// The batch's end, whoever it comes from, takes the workers with it.
    @Test(arguments: [SIGKILL, SIGTERM, SIGINT, SIGQUIT])
    func noWorkerOutlivesTheProgram(signal: Int32) throws {
        let workspace = try Workspace()
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest(
            [#""input": "slow.mp4""#, #""input": "slow.mp4", "id": "b""#], encode: #"{"preset": "placebo"}"#)
        let program = try Program(Program.annotateBatch, ["run", path, "--jobs", "2"])
        for _ in 0..<400 where workspace.unfinished().filter({ $0.contains(".mp4.partial-") }).count < 2 {
            usleep(25_000)
        }
        let workers = try children(of: program.number)
        #expect(workers.count >= 2)
        program.signal(signal)
        #expect(try program.finish().status == 128 + signal)
        for _ in 0..<100 where workers.contains(where: isRunning) { usleep(20_000) }
        #expect(workers.filter(isRunning) == [])
        #expect(workspace.names().filter { $0 != "report.json" } == [])
    }

    /// Somebody, or the kernel, ends a worker.
    @Test func aKilledWorkerCostsItsJobForNow() throws {
        let workspace = try Workspace()
        try workspace.slowClip("slow.mp4")
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest([#""input": "slow.mp4""#, #""input": "a.mp4""#])
        let program = try Program(Program.annotateBatch, ["run", path, "--jobs", "1", "--threads", "1"])
        var victim: pid_t?
        for _ in 0..<800 where victim == nil {
            usleep(5_000)
            victim = workspace.unfinished().first { $0.hasPrefix(".slow.mp4.partial-") }.flatMap {
                pid_t($0.dropFirst(".slow.mp4.partial-".count))
            }
        }
        kill(try #require(victim), SIGKILL)
        let outcome = try program.finish()
        // Its reason may pass.
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("slow: failed: its worker was killed (signal 9)"), "\(outcome.errors)")
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json"])
        #expect(try annotateBatch("run", path).status == 0)
    }

    /// Tried again, it goes well, and says so.
    @Test func aJobWhoseWorkerWasKilledIsTriedAgain() throws {
        let workspace = try Workspace()
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest([#""input": "slow.mp4""#])
        let program = try Program(Program.annotateBatch, ["run", path, "--threads", "1", "--retries", "1"])
        var victim: pid_t?
        for _ in 0..<800 where victim == nil {
            usleep(5_000)
            victim = workspace.unfinished().first { $0.hasPrefix(".slow.mp4.partial-") }.flatMap {
                pid_t($0.dropFirst(".slow.mp4.partial-".count))
            }
        }
        kill(try #require(victim), SIGKILL)
        let outcome = try program.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("it went well at try 2; before, its worker was killed (signal 9)"),
            "\(outcome.errors)")
        #expect(workspace.names() == ["report.json", "slow.mp4", "slow.tracks.jsonl"])
    }

    /// A zombie has ended: when its new parent asks for its status isn't ours to decide.
    private func isRunning(_ process: pid_t) -> Bool {
        guard let status = try? Files.read("/proc/\(process)/stat") else { return false }
        let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last ?? ""
        return !["Z", "X"].contains(fields.split(separator: " ").first)
    }

    private func children(of process: pid_t) throws -> [pid_t] {
        try Files.list("/proc/\(process)/task").flatMap { task in
            String(decoding: try Files.read("/proc/\(process)/task/\(task)/children"), as: UTF8.self)
                .split(separator: " ").compactMap { pid_t($0) }
        }
    }
}
