import Annotate
import Foundation
import Glibc
import Testing

/// A command that decodes in its own process gives up what it doesn't need before it opens anything: a decoder that a file has
/// taken over finds every door closed.
@Suite struct CommandConfinementTests {
    /// Tries every door where a file is opened to be decoded, and says of each whether it is open.
    private static let burglar = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/ioctl.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/sysmacros.h>
        #include <unistd.h>

        static void tell(int is_open, const char *what) {
            char line[128];
            const int length = snprintf(line, sizeof line, "DOOR %s %s\n", is_open ? "open" : "held", what);
            if (write(2, line, length) < 0) _exit(9);
        }
        static int opens(const char *path, int flags) {
            const int file = open(path, flags, 0600);
            if (file >= 0) close(file);
            return file >= 0;
        }
        static int asks_to_remove(const char *path) {
            for (int i = 3; i < 64; i++) {
                struct stat status;
                if (fstat(i, &status) || !S_ISSOCK(status.st_mode)) continue;
                char message[600];
                const int length = snprintf(message + 4, 596, "{\"task\":\"remove\",\"path\":\"%s\"}", path);
                for (int k = 0; k < 4; k++) message[k] = length >> (8 * k);
                char answer[600];
                if (write(i, message, length + 4) > 0 && read(i, answer, sizeof answer) > 0) break;
            }
            return access(path, F_OK) != 0;
        }
        static int environ_has(const char *word) {
            static char text[1 << 16];
            const int file = open("/proc/self/environ", O_RDONLY);
            const long size = read(file, text, sizeof text);
            close(file);
            return getenv(word) || (size > 0 && memmem(text, size, word, strlen(word)));
        }
        static void try_doors(void) {
            const char *place = getenv("ANNOTATE_PLACE");
            char path[500];
            #define AT(name) (snprintf(path, sizeof path, "%s/%s", place, name), path)
            tell(opens(AT("private/secret.mp4"), O_RDONLY), "secret");
            tell(opens(AT("out/way"), O_RDONLY), "link");
            tell(opens(AT("planted"), O_WRONLY | O_CREAT), "planted");
            tell(opens(AT("m.json"), O_WRONLY), "write");
            tell(rename(AT("private/secret.mp4"), "x") == 0, "rename");
            tell(asks_to_remove(AT("private/other")), "broker");
            tell(socket(AF_INET, SOCK_STREAM, 0) >= 0, "socket");
            tell(socket(AF_UNIX, SOCK_STREAM, 0) >= 0, "local");
            char sign = 'x';
            tell(ioctl(0, TIOCSTI, &sign) == 0, "terminal");
            tell(environ_has("HOUSE_TOKEN"), "token");
            struct stat input;
            tell(!(fstat(0, &input) == 0 && S_ISCHR(input.st_mode) && major(input.st_rdev) == 1), "input");
            // By its number: glibc 2.41's blocks every signal before, and the filter's trap would end all of this.
            const pid_t child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
            if (child == 0) _exit(0);
            tell(child > 0, "fork");
            char *const words[] = {"true", NULL}, *const none[] = {NULL};
            tell(opens("/dev/tty", O_RDONLY), "tty");
            execve("/bin/true", words, none);
            tell(0, "program");
        }
        int avformat_open_input(void **context, const char *path, const void *format, void **options) {
            static int is_done;
            char line[64];
            snprintf(line, sizeof line, "DECODES %d\n", getpid());
            if (write(2, line, strlen(line)) < 0) _exit(9);
            if (!is_done++ && getenv("ANNOTATE_PLACE")) try_doors();
            int (*next)(void **, const char *, const void *, void **) = dlsym(RTLD_NEXT, "avformat_open_input");
            return next(context, path, format, options);
        }
        """#

    private static let commands = [
        ["verify", "out", "--junit", "v.xml"], ["verify", "out", "--again"], ["probe", "clip.mp4"],
        ["frame", "clip.mp4", "-o", "new/f.png"], ["pick", "clip.mp4", "--embed", "-o", "p.html"],
        ["render", "out/clip.tracks.jsonl", "--input", "clip.mp4", "-o", "r.mp4", "--progress", "none"],
        ["review", "out", "--embed", "-o", "v.html"],
        ["export", "out", "--format", "yolo", "--frames", "png", "-o", "y"],
        ["export", "out", "--format", "coco", "--dataset", "--negatives", "--crops", "all", "-o", "d"],
        ["compare", "out", "other", "--html", "c.html"],
        ["calibrate", "clip.mp4", "--columns", "9", "--rows", "6", "--square", "0.02", "-o", "k.json"],
        ["init", "clip.mp4", "-o", "i.json"],
    ]

    /// A finished batch, other results of it, something private, and who tries the doors.
    private func house() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 8)
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#])
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        try workspace.write("x", to: "private/other")
        try workspace.clip("private/secret.mp4", frames: 2)
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("out/way"), withDestinationPath: workspace.file("private/secret.mp4"))
        let tracks = try workspace.text("out/clip.tracks.jsonl")
        let moved = tracks.replacing(#/"polygon":\[\[\d/#, with: "\"polygon\":[[1")
        #expect(moved != tracks)
        try workspace.write(moved, to: "other/clip.tracks.jsonl")
        try workspace.write(Self.burglar, to: "burglar.c")
        let made = try Program.run(
            "cc",
            ["-shared", "-fPIC", "-w", "-o", workspace.file("burglar.so"), workspace.file("burglar.c"), "-ldl"])
        #expect(made.status == 0, "\(made.errors)")
        return workspace
    }

    private func run(_ words: [String], in workspace: Workspace, _ more: [String: String] = [:]) throws -> Outcome {
        let environment = [
            "LD_PRELOAD": workspace.file("burglar.so"), "ANNOTATE_PLACE": workspace.path, "HOUSE_TOKEN": "1",
        ]
        return try Program.run(
            "bash", ["-c", #"cd "$0" && exec "$@""#, workspace.path, Program.annotateBatch] + words,
            environment: environment.merging(more) { $1 }, input: workspace.file("m.json"))
    }

    private func doors(_ outcome: Outcome, _ word: String) -> Set<String> {
        Set(outcome.errorLines.filter { $0.hasPrefix("DOOR \(word) ") }.map { String($0.dropFirst(10)) })
    }

    @Test func aDecoderTakenOverFindsEveryDoorClosed() throws {
        let workspace = try house()
        for words in Self.commands {
            let outcome = try run(words, in: workspace)
            let name = words.joined(separator: " ")
            #expect(doors(outcome, "open") == [], "\(name): \(outcome.errors)")
            // All of them were tried, and the command went on.
            #expect(doors(outcome, "held").count == 14, "\(name): \(outcome.errors)")
            if words[0] != "calibrate" { #expect([0, 2].contains(outcome.status), "\(name): \(outcome.errors)") }
            #expect(workspace.hidden.isEmpty, "\(name): \(workspace.hidden)")
        }
        #expect(workspace.names(in: "private") == ["other", "secret.mp4"])
        let made = ["v.xml", "new/f.png", "p.html", "r.mp4", "v.html", "y", "d/dataset.json", "c.html", "i.json"]
        #expect(made.filter { !Files.exists(workspace.file($0)) } == [])
    }

    /// The doors are real ones.
    @Test func theyAreOpenWhereNothingIsGivenUp() throws {
        let workspace = try house()
        let outcome = try run(
            ["probe", "clip.mp4"], in: workspace, ["ANNOTATE_LANDLOCK": "0", "ANNOTATE_SECCOMP": "0"])
        #expect(
            doors(outcome, "open").isSuperset(of: ["secret", "link", "planted", "write", "token", "input", "fork"]),
            "\(outcome.errors)")
        #expect(!outcome.errors.contains("isn't confined"), "\(outcome.errors)")
    }

    /// `isatty` is no attempt at anything, by whichever of its two calls the C library asks.
    @Test func whetherThereIsATerminalMayBeAsked() throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 2)
        let asker = #"""
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <stdio.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int avformat_open_input(void **context, const char *path, const void *format, void **options) {
                static const unsigned long ways[] = {0x5401 /* TCGETS */, 0x802c542a /* TCGETS2 */};
                char room[256];
                for (int i = 0; i < 2; i++) {
                    const long result = syscall(SYS_ioctl, 2, ways[i], room);
                    dprintf(2, "ASKED %s\n", result == 0 || errno == ENOTTY ? "well" : "and was refused");
                }
                int (*next)(void **, const char *, const void *, void **) = dlsym(RTLD_NEXT, "avformat_open_input");
                return next(context, path, format, options);
            }
            """#
        try workspace.write(asker, to: "asker.c")
        let made = try Program.run(
            "cc", ["-shared", "-fPIC", "-w", "-o", workspace.file("asker.so"), workspace.file("asker.c"), "-ldl"])
        #expect(made.status == 0, "\(made.errors)")
        let outcome = try Program.run(
            Program.annotateBatch, ["probe", workspace.file("clip.mp4")],
            environment: ["LD_PRELOAD": workspace.file("asker.so")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(Set(outcome.errorLines) == ["ASKED well"], "\(outcome.errors)")
    }

    /// What a run decodes, for its data set too, is decoded by workers.
    @Test func aRunDecodesNothingItself() throws {
        let workspace = try house()
        let manifest = try workspace.text("m.json").replacing(
            "\"version\": 1,",
            with: #""version": 1, "output": {"dataset": {"format": "coco", "directory": "set", "negatives": true}},"#)
        try workspace.write(manifest, to: "m.json")
        let program = try Program(
            "bash",
            [
                "-c", #"cd "$0" && exec "$@""#, workspace.path, Program.annotateBatch, "run", "m.json", "--force",
                "--log-level", "debug",
            ], environment: ["LD_PRELOAD": workspace.file("burglar.so"), "ANNOTATE_DEED": ""])
        let own = program.number
        let outcome = try program.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("DECODES "))
        #expect(!outcome.errorLines.contains("DECODES \(own)"), "\(outcome.errors)")
        #expect(workspace.names(in: "set").contains("dataset.json"), "\(outcome.errors)")
        #expect(workspace.hidden.isEmpty)
    }

    /// A track file, a report or a playlist names another file: it is not what the user named.
    @Test func whatAFileNamesIsNotRead() throws {
        let workspace = try house()
        try workspace.write("#EXTM3U\n#EXTINF:1,\nprivate/secret.mp4\n#EXT-X-ENDLIST\n", to: "list.m3u8")
        try workspace.write("ffconcat version 1.0\nfile private/secret.mp4\n", to: "list.ffconcat")
        for name in ["list.m3u8", "list.ffconcat"] {
            let outcome = try run(["frame", name, "-o", "l.png"], in: workspace)
            #expect(outcome.status == 1 && !Files.exists(workspace.file("l.png")), "\(name): \(outcome.errors)")
        }
        let report = try workspace.text("out/report.json").replacing("../clip.mp4", with: "../private/secret.mp4")
        try workspace.write(report, to: "out/report.json")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.errors.contains("not compared"), "\(outcome.errors)")
    }

    /// Paths of a shell's own: standard input is read where it is named, and a pipe is seen to be one.
    @Test func whatAShellHandsOverIsSeen() throws {
        let workspace = try house()
        let script = #"cd "$0" && "$1" frame /dev/stdin -o a.png < clip.mp4"#
        let outcome = try Program.run("bash", ["-c", script, workspace.path, Program.annotateBatch])
        #expect(outcome.status == 0 && Files.exists(workspace.file("a.png")), "\(outcome.errors)")
        let drawing = #"cd "$0" && "$1" render out/clip.tracks.jsonl --input clip.mp4 -o r.mp4 --draw <(echo '{}')"#
        let refused = try Program.run("bash", ["-c", drawing, workspace.path, Program.annotateBatch])
        #expect(refused.status == 1 && refused.errors.contains("it is a pipe or a device; expected a file"))
    }

    /// An older kernel: what it doesn't have is said, and the command does its work.
    @Test func theCommandWorksOnOlderKernels() throws {
        let workspace = try house()
        for version in ["1", "2", "3", "0"] {
            let outcome = try run(
                ["frame", "clip.mp4", "-o", "f\(version).png"], in: workspace,
                ["ANNOTATE_LANDLOCK": version, "ANNOTATE_PLACE": workspace.path])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(doors(outcome, "open").isDisjoint(with: ["fork", "socket", "terminal", "token", "input"]))
            if version != "0" { #expect(doors(outcome, "open") == [], "\(version): \(outcome.errors)") }
        }
    }
}

extension Workspace {
    /// What nobody has finished, and folders for it, in the workspace and in its results.
    fileprivate var hidden: [String] {
        (names(in: "") + names()).filter { $0.hasPrefix(".worker-") || $0.contains(".partial-") }
    }
}

/// Where the system has no more processes, threads or descriptors to give, another run may do better: 75.
@Suite struct ShortageTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 3)
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#])
        chmod(workspace.path, 0o777)
        return workspace
    }

    @Test(arguments: ["run m.json --progress none", "frame clip.mp4 -o f.png"])
    func fewDescriptors(command: String) throws {
        let workspace = try workspace()
        for count in [4, 8, 10, 11, 12, 15, 17, 18, 19, 20, 21, 22, 24] {
            let outcome = try Program.run(
                "bash",
                [
                    "-c", #"cd "$0" && ulimit -n \#(count) && exec "$1" \#(command)"#, workspace.path,
                    Program.annotateBatch,
                ])
            #expect([0, 75].contains(outcome.status), "\(count): \(outcome.status) \(outcome.errors)")
            #expect(workspace.hidden.isEmpty, "\(count): \(workspace.hidden)")
            // There are no descriptors to be had for a dynamic linker, either, below some number.
            if count == 12 { #expect(outcome.status == (command.hasPrefix("run") ? 75 : 0), "\(outcome.errors)") }
        }
    }

    /// The second job's file is opened for a worker that can't hold one more: it is told so, and doesn't wait for ever.
    @Test func noRoomForWhatIsHandedOver() throws {
        let workspace = try workspace()
        try workspace.clip("long.mp4", frames: 250, size: "640x480")
        try workspace.manifest(
            [#""id": "a", "input": "long.mp4""#, #""id": "b", "input": "clip.mp4""#], stages: "",
            encode: #"{"preset": "medium"}"#)
        let program = try Program(
            Program.annotateBatch, ["run", workspace.file("m.json"), "--jobs", "1", "--progress", "none"])
        let deadline = Date() + 60
        while program.isRunning, Date() < deadline {
            // Once it works on the first: before, it has its libraries to open.
            guard !workspace.unfinished().isEmpty else { continue }
            for worker in program.workers {
                _ = try Program.run("prlimit", ["--pid", "\(worker)", "--nofile=3"])
            }
            usleep(10_000)
        }
        program.signal(SIGKILL)
        let outcome = try program.finish()
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("Too many open files"), "\(outcome.errors)")
    }

    @Test func noMoreProcesses() throws {
        let workspace = try workspace()
        // Nobody else has processes of this user, whom the limit counts for.
        let other = ["--reuid=51234", "--regid=51234", "--clear-groups"]
        guard !Program.isUnprivileged,
            try Program.run("setpriv", other + ["test", "-x", Program.annotateBatch]).status == 0
        else {
            print("skipped: no other user can be had who may run the program")
            return
        }
        var statuses: Set<Int32> = []
        for count in [1, 2, 3, 5, 7, 8, 9, 11, 12, 13, 15, 16] {
            let outcome = try Program.run(
                "setpriv",
                other + [
                    "bash", "-c", #"cd "$0" && ulimit -u \#(count) && exec "$1" run m.json --progress none"#,
                    workspace.path, Program.annotateBatch,
                ])
            #expect([0, 75].contains(outcome.status), "\(count): \(outcome.status) \(outcome.errors)")
            statuses.insert(outcome.status)
        }
        #expect(statuses.contains(75))
    }
}
