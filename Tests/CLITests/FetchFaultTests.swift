import Annotate
import Foundation
import Glibc
import Synchronization
import Testing

/// What goes wrong on the way from and to other machines.
@Suite(.serialized) struct FetchFaultTests {
    private static let clip: [UInt8]? = {
        guard let workspace = try? Workspace(), (try? workspace.clip("clip.mp4", frames: 5)) != nil else { return nil }
        return try? workspace.bytes("clip.mp4")
    }()

    private func manifest(_ workspace: Workspace, _ input: String) throws -> String {
        try workspace.manifest([#""input": "\#(input)""#], encode: #"{"codec": "none"}"#)
    }

    // MARK: Tries

    @Test func whatMayPassIsFetchedAndStoredAgain() throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        // Fails the first time.
        func once(_ deed: String, _ mark: String) -> String {
            #"["sh", "-c", "test -e $2 || { touch $2; exit 3; }; \#(deed)", "{url}", "{file}", "\#(workspace.file(mark))"]"#
        }
        func run(_ folder: String, _ more: String...) throws -> Outcome {
            let path = try workspace.write(
                """
                {"version": 1, "fetch": \(once("cp ${0#disk://} $1", "fetched")), "store": \(once("true", "stored")),
                 "output": {"directory": "\(folder)", "address": "disk://there"}, "graphs": {"g": {"stages": []}},
                 "jobs": [{"input": "disk://\(workspace.file("clip.mp4"))", "graph": "g",
                           "encode": {"codec": "none"}}]}
                """, to: "m.json")
            return try Program.run(Program.annotateBatch, ["run", path, "--allow-commands"] + more)
        }
        let fetching = try run("first")
        #expect(fetching.status == 75 && fetching.errors.contains("could not fetch"), "\(fetching.errors)")
        let storing = try run("first")
        #expect(storing.status == 75 && storing.errors.contains("could not store"), "\(storing.errors)")
        for mark in ["fetched", "stored"] { unlink(workspace.file(mark)) }
        let both = try run("second", "--retries", "1")
        #expect(both.status == 0, "\(both.errors)")
        let notes = try json(workspace.text("second/report.json"))["jobs"]?.elements?.first?["notes"]?.elements ?? []
        let sentences = notes.compactMap(\.string)
        #expect(sentences.contains { $0.hasPrefix("it was fetched at try 2; before, could not fetch disk://") })
        #expect(sentences.contains { $0.hasPrefix("it was stored when that was tried again; before, could not store") })
    }

    @Test func aServerWithoutRangesIsAskedForNone() throws {
        let bytes = try #require(Self.clip)
        let server = try WebServer { _ in .init(fields: ["ETag: \"one\""], body: bytes, cut: bytes.count / 2) }
        defer { server.stop() }
        let workspace = try Workspace()
        let outcome = try annotateBatch("run", try manifest(workspace, server.address("clip.mp4")))
        #expect(outcome.status == 75)
        #expect(outcome.errors.contains("the server has no ranges, so that it begins anew each time"))
        #expect(!outcome.errors.contains("changed under way"), "\(outcome.errors)")
        // Once, to know it.
        #expect(server.requests.compactMap(\.start).count == 1)
    }

    /// Servers say when they have time again.
    @Test func aServerIsAskedWhenItSays() throws {
        let bytes = try #require(Self.clip)
        let server = try WebServer { request in
            let date = "Fri, 31 Dec 1999 23:59:5"
            let wait = request.path == "soon.mp4" ? "3" : request.path == "date.mp4" ? date + "9 GMT" : "86400"
            return request.number == 1
                ? .init(status: 503, fields: ["Retry-After: \(wait)", "Date: \(date)6 GMT"])
                : .init(fields: ["ETag: \"one\""], body: bytes)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        // In seconds, or as a date of the server's own clock.
        for name in ["soon.mp4", "date.mp4"] {
            let soon = try annotateBatch("run", try manifest(workspace, server.address(name)))
            #expect(soon.status == 0, "\(soon.errors)")
            #expect(soon.seconds > 3)
        }
        let late = try annotateBatch("run", try manifest(workspace, server.address("late.mp4")))
        #expect(late.status == 75)
        #expect(
            late.errors.contains("the server answered 503, and wants to be asked again in 86400 s"), "\(late.errors)")
        #expect(late.seconds < 20)
        #expect(server.requests.count == 5)
    }

    @Test func whatCannotBeUsedIsRefusedAtOnce() throws {
        let bytes = try #require(Self.clip)
        let server = try WebServer { request in
            request.path == "packed.mp4"
                ? .init(fields: ["Content-Encoding: gzip"], body: bytes)
                // It would take a minute to come.
                : .init(body: [UInt8](repeating: 7, count: 1 << 20), pause: 1_000_000, tellsLength: false)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let packed = try annotateBatch("run", try manifest(workspace, server.address("packed.mp4")))
        #expect(packed.status == 1)
        #expect(packed.errors.contains("the server sends it packed (Content-Encoding: gzip)"), "\(packed.errors)")
        let endless = try annotateBatch("run", try manifest(workspace, server.address("endless.mp4")))
        #expect(endless.status == 1)
        #expect(endless.errors.contains("the server doesn't say how long it is"), "\(endless.errors)")
        #expect(endless.seconds < 30)
        #expect(server.requests.count == 2)
    }

    /// The word for how it was brought to a store says nothing of a file that has the length that is told.
    @Test(
        arguments: [
            ([], true, 0), (["X-Amz-Decoded-Content-Length: 5"], true, 1), ([], false, 1),
        ] as [([String], Bool, Int32)])
    func aWordThatStoresLeave(fields: [String], tellsLength: Bool, status: Int32) throws {
        let bytes = try #require(Self.clip)
        let server = try WebServer { _ in
            .init(fields: ["Content-Encoding: aws-chunked"] + fields, body: bytes, tellsLength: tellsLength)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let outcome = try annotateBatch("run", try manifest(workspace, server.address("clip.mp4")))
        #expect(outcome.status == status, "\(outcome.errors)")
    }

    /// What a proxy says of the way is no answer without a length.
    @Test func aProxyOnTheWay() throws {
        let bytes = try #require(Self.clip)
        let server = try WebServer { request in
            guard let start = request.start else {
                return .init(fields: ["ETag: \"one\""], body: bytes, cut: bytes.count / 2)
            }
            // Long enough for somebody to look at what the proxy said.
            usleep(500_000)
            let range = "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
            return .init(status: 206, fields: ["ETag: \"one\"", range], body: Array(bytes[start...]))
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        try workspace.writeProgram(
            "#!/bin/sh\nPATH='\(path)'\nexport PATH\nexec curl \"$@\" --proxytunnel\n", to: "bin/curl")
        let outcome = try annotateBatch(
            "run", try manifest(workspace, server.address("clip.mp4")),
            environment: [
                "PATH": workspace.file("bin") + ":" + path, "http_proxy": server.address(""), "no_proxy": "",
                "NO_PROXY": "",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(server.requests.compactMap(\.start) == [bytes.count / 2])
    }

    // MARK: Space

    /// Who is tried again may need the room of what was fetched ahead.
    @Test(arguments: [1, 2]) func whatWasFetchedAheadGivesWay(lanes: Int) throws {
        let bytes = try #require(Self.clip)
        let workspace = try Workspace()
        // A box that nobody reads: for two such files there is no room.
        let size = 700 << 10
        let head = withUnsafeBytes(of: UInt32(size).bigEndian) { Array($0) } + Array("free".utf8)
        try workspace.write(bytes + head + [UInt8](repeating: 0, count: size - 8), to: "clip.mp4")
        // All but the last fail the first time.
        try workspace.write("", to: "fetched-\(lanes).mp4")
        let jobs = (0...lanes).map { "{\"input\": \"disk://there/\($0).mp4\"}" }
        let path = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}}, "defaults": {"graph": "g", "encode": {"codec": "none"}},
             "fetch": ["sh", "-c", "m=$2${0##*/}; test -e $m || { touch $m; exit 3; }; cp $3 $1", "{url}", "{file}",
                       "\(workspace.file("fetched-"))", "\(workspace.file("clip.mp4"))"],
             "jobs": [\(jobs.joined(separator: ", "))]}
            """, to: "m.json")
        let program = try Program(
            Program.annotateBatch,
            ["run", path, "--allow-commands", "--retries", "1", "--jobs", "\(lanes)", "--fetch-space", "1"])
        for _ in 0..<2400 where program.isRunning { usleep(25_000) }
        if program.isRunning { program.signal(SIGKILL) }
        let outcome = try program.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names() == (0...lanes).map { "\($0).tracks.jsonl" } + ["report.json"])
    }

    /// What CI and make read has its name when it is whole.
    @Test(.enabled(if: canMount, "a file system can be mounted"))
    func aFullDiskLeavesNoEmptyFiles() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try Files.makeDirectory(workspace.file("full"))
        let mounted = try Program.run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", workspace.file("full")])
        try #require(mounted.status == 0)
        defer { _ = try? Program.run("umount", [workspace.file("full")]) }
        let path = try manifest(workspace, "a.mp4")
        let files = ["--junit", workspace.file("full/j.xml"), "--depfile", workspace.file("full/d")]
        let first = try Program.run(Program.annotateBatch, ["run", path] + files)
        #expect(first.status == 0 && workspace.names(in: "full") == ["d", "j.xml"], "\(first.errors)")
        // This run's take the place of that one's, whatever comes of it.
        #expect(try Program.run("sh", ["-c", "rm $0/d; cat /dev/zero > $0/fill", workspace.file("full")]).status != 0)
        let second = try Program.run(Program.annotateBatch, ["run", path] + files)
        #expect(second.status == 75, "\(second.errors)")
        #expect(second.errors.contains("could not write \(workspace.file("full/j.xml")): No space"), "\(second.errors)")
        for name in workspace.names(in: "full") {
            #expect(Files.status(workspace.file("full/" + name))?.size != 0 && !name.contains(".partial-"), "\(name)")
        }
    }

    private static let canMount: Bool = {
        guard let folder = try? Workspace(),
            let outcome = try? Program.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path])
        else { return false }
        if outcome.status == 0 { _ = try? Program.run("umount", [folder.path]) }
        return outcome.status == 0
    }()

    @Test(.enabled(if: canMount, "a file system can be mounted"), arguments: [true, false])
    func aFullDiskMayPass(isWeb: Bool) throws {
        let server = try WebServer { _ in .init(body: [UInt8](repeating: 7, count: 4 << 20)) }
        defer { server.stop() }
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("out"))
        let mounted = try Program.run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", workspace.file("out")])
        try #require(mounted.status == 0)
        defer { _ = try? Program.run("umount", [workspace.file("out")]) }
        let path = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}},
             "fetch": ["sh", "-c", "cat /dev/zero > $1", "{url}", "{file}"],
             "jobs": [{"input": "\(isWeb ? server.address("a.mp4") : "disk://a.mp4")", "graph": "g"}]}
            """, to: "m.json")
        let outcome = try annotateBatch("run", path, "--allow-commands", "--fetch-space", "100")
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("No space left on device where it is fetched to"), "\(outcome.errors)")
        if isWeb { #expect(server.requests.count == 1) }
    }

    /// What can't be written for another reason than a full disk would be no better another time.
    @Test func whatCannotBeWrittenFails() throws {
        let workspace = try Workspace()
        try workspace.writeProgram("#!/bin/sh\necho 'curl: (23) no such luck' >&2\nexit 23\n", to: "bin/curl")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let outcome = try annotateBatch(
            "run", try manifest(workspace, "http://127.0.0.1:1/a.mp4"),
            environment: ["PATH": workspace.file("bin") + ":" + path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("curl: (23) no such luck"), "\(outcome.errors)")
    }

    // MARK: The end

    private func isThere(_ process: pid_t) -> Bool {
        // Of one that has ended somebody may still have to be told.
        guard let bytes = try? Files.read("/proc/\(process)/stat") else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return !text.isEmpty && !text.contains(") Z ")
    }

    @Test func whatFetchesEndsWithTheProgram() throws {
        let workspace = try Workspace()
        let script = #"sleep 1000 & echo $! $$ > \"$2.new\"; mv \"$2.new\" \"$2\"; wait"#
        let path = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}},
             "fetch": ["sh", "-c", "\(script)", "{url}", "{file}", "\(workspace.file("pids"))"],
             "jobs": [{"input": "disk://a/b.mp4", "graph": "g"}]}
            """, to: "m.json")
        let program = try Program(Program.annotateBatch, ["run", path, "--allow-commands"])
        for _ in 0..<400 where !Files.exists(workspace.file("pids")) { usleep(25_000) }
        let processes = try workspace.text("pids").split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
        #expect(processes.count == 2 && processes.allSatisfy(isThere))
        program.signal(SIGKILL)
        _ = try program.finish()
        for _ in 0..<400 where processes.contains(where: isThere) { usleep(25_000) }
        #expect(!processes.contains(where: isThere))
    }

    // MARK: Without asking

    @Test(arguments: [true, false]) func statusAndPreviewAskNoServer(hasTag: Bool) throws {
        let bytes = try #require(Self.clip)
        let server = try WebServer { _ in .init(fields: hasTag ? ["ETag: \"one\""] : [], body: bytes) }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try manifest(workspace, server.address("clip.mp4?sign=1"))
        #expect(try annotateBatch("status", path, "--shards", "1").status == 75)
        #expect(try annotateBatch("run", path, "--shard", "1/1").status == 0)
        let count = server.requests.count
        let status = try annotateBatch("status", path, "--shards", "1")
        #expect(status.status == 0, "\(status.errors)")
        let preview = try annotateBatch("run", path, "--dry-run")
        #expect(preview.output == "clip: up to date, as far as is known without asking its server\n")
        #expect(server.requests.count == count)
        // Another address isn't known.
        let other = try manifest(workspace, server.address("other/clip.mp4"))
        #expect(try annotateBatch("status", other, "--shards", "1").status == 75)
    }

    /// What can't be fetched for good isn't submitted again and again.
    @Test(arguments: [(503, 75), (404, 1)] as [(Int, Int32)])
    func statusOfWhatIsGone(answer: Int, code: Int32) throws {
        let bytes = try #require(Self.clip)
        let isDown = Atomic(false)
        let server = try WebServer { _ in
            isDown.load(ordering: .relaxed) ? .init(status: answer) : .init(fields: ["ETag: \"one\""], body: bytes)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try manifest(workspace, server.address("clip.mp4"))
        #expect(try annotateBatch("run", path).status == 0)
        isDown.store(true, ordering: .relaxed)
        #expect(try annotateBatch("run", path).status == code)
        #expect(try annotateBatch("status", path, "--shards", "1").status == code)
    }

    @Test func whatWasMadeOnALineStays() throws {
        let bytes = try #require(Self.clip)
        let isDown = Atomic(false)
        let server = try WebServer { _ in
            isDown.load(ordering: .relaxed) ? .init(status: 404) : .init(fields: ["ETag: \"one\""], body: bytes)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}}, "defaults": {"graph": "g", "encode": {"codec": "none"}}}
            """, to: "m.json")
        let lines = try workspace.write(#"{"input": "\#(server.address("clip.mp4"))"}"# + "\n", to: "lines.txt")
        for status in ["done", "failed"] {
            let outcome = try Program.run(Program.annotateBatch, ["work", path], input: lines)
            #expect(try json(outcome.output)["status"]?.string == status)
            #expect(workspace.names() == ["clip.tracks.jsonl", "report.json"])
            isDown.store(true, ordering: .relaxed)
        }
    }
}
