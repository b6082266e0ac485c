import Annotate
import Foundation
import Glibc
import Synchronization
import Testing

/// Inputs that lie elsewhere.
@Suite(.serialized) struct FetchTests {
    /// A clip, and the track file that a plain run makes of it.
    private static let plain: (clip: [UInt8], other: [UInt8], tracks: String)? = {
        guard let workspace = try? Workspace(), (try? workspace.clip("clip.mp4", frames: 5)) != nil,
            (try? workspace.clip("other.mp4", frames: 7)) != nil,
            let path = try? workspace.manifest([#""input": "clip.mp4""#], encode: #"{"codec": "none"}"#),
            (try? annotateBatch("run", path))?.status == 0,
            let clip = try? Files.read(workspace.file("clip.mp4")),
            let other = try? Files.read(workspace.file("other.mp4")),
            let tracks = try? workspace.text("out/clip.tracks.jsonl")
        else { return nil }
        return (clip, other, tracks)
    }()

    private func manifest(_ workspace: Workspace, _ input: String) throws -> String {
        try workspace.manifest([#""input": "\#(input)""#], encode: #"{"codec": "none"}"#)
    }

    private func status(_ workspace: Workspace) throws -> String? {
        try json(workspace.text("out/report.json"))["jobs"]?.elements?.first?["status"]?.string
    }

    /// A server that does what is asked of a file.
    private static func wellBehaved(
        _ request: WebServer.Request, _ bytes: [UInt8], etag: String = "\"one\""
    ) -> WebServer.Answer {
        if request.fields["if-none-match"] == etag { return .init(status: 304, fields: ["ETag: \(etag)"]) }
        if let start = request.start, request.fields["if-range"] == etag, start < bytes.count {
            return .init(
                status: 206,
                fields: ["ETag: \(etag)", "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"],
                body: Array(bytes[start...]))
        }
        return .init(fields: ["ETag: \(etag)"], body: bytes)
    }

    @Test func theSameAsAFileHere() throws {
        let plain = try #require(Self.plain)
        let bytes = Mutex(plain.clip), etag = Mutex("\"one\"")
        let server = try WebServer { Self.wellBehaved($0, bytes.withLock { $0 }, etag: etag.withLock { $0 }) }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try manifest(workspace, server.address("videos/clip.mp4"))
        #expect(try annotateBatch("validate", path).status == 0)
        #expect(server.requests.isEmpty)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try workspace.text("out/clip.tracks.jsonl") == plain.tracks)
        #expect(workspace.names() == ["clip.tracks.jsonl", "report.json"])
        let entry = try json(workspace.text("out/report.json"))["jobs"]?.elements?.first
        #expect(entry?["address"]?.string == server.address("videos/clip.mp4"))
        #expect(entry?["source"] == nil)
        #expect(entry?["etag"]?.string == "\"one\"")
        // Asked whether it is what it was, and not fetched.
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try status(workspace) == "up-to-date")
        #expect(server.requests.map { $0.fields["if-none-match"] } == [nil, "\"one\""])
        // Another tag, the same contents.
        etag.withLock { $0 = "\"two\"" }
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try status(workspace) == "up-to-date")
        // Other contents.
        bytes.withLock { $0 = plain.other }
        etag.withLock { $0 = "\"three\"" }
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try status(workspace) == "done")
        #expect(try workspace.text("out/clip.tracks.jsonl") != plain.tracks)
        // What is missing is made again, for which the file is needed.
        unlink(workspace.file("out/clip.tracks.jsonl"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(workspace.names() == ["clip.tracks.jsonl", "report.json"])
        let alone = try annotateBatch("verify", workspace.file("out"))
        #expect(alone.status == 0)
        let sentence =
            "clip.tracks.jsonl: its source lies at \(server.address("videos/clip.mp4")), and is fetched for a run alone; "
            + "--sources takes a folder with a copy of it: not compared"
        #expect(alone.errors.contains(sentence), "\(alone.errors)")
        // A copy is held against it, where it has the same contents.
        let copies = workspace.file("copies")
        try Files.makeDirectory(copies)
        func copy(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: copies + "/clip.mp4")) }
        try copy(plain.other)
        let compared = try annotateBatch("verify", workspace.file("out"), "--sources", copies)
        #expect(compared.output.contains("= source clip.mp4: 7 frames"), "\(compared.output)\(compared.errors)")
        try copy(plain.clip)
        let wrong = try annotateBatch("verify", workspace.file("out"), "--sources", copies)
        #expect(wrong.errors.contains("clip.mp4 isn't what the job read: its contents are others: not compared"))
    }

    @Test func whatIsCutOffIsGoneOnWith() throws {
        let plain = try #require(Self.plain)
        let half = plain.clip.count / 2
        let server = try WebServer { request in
            var answer = Self.wellBehaved(request, plain.clip)
            if request.number == 1 { answer.cut = half }
            return answer
        }
        defer { server.stop() }
        let workspace = try Workspace()
        #expect(try annotateBatch("run", try manifest(workspace, server.address("clip.mp4"))).status == 0)
        #expect(server.requests.map(\.start) == [nil, half])
        #expect(try workspace.text("out/clip.tracks.jsonl") == plain.tracks)
    }

    /// Ways in which a file isn't what it was when the second half is asked for.
    enum Change: CaseIterable { case noticed, unnoticed, withoutTag, withoutRanges }

    @Test(arguments: Change.allCases) func whatChangesUnderWayBeginsAnew(_ change: Change) throws {
        let plain = try #require(Self.plain)
        let server = try WebServer { request in
            let isFirst = request.number == 1
            var answer = Self.wellBehaved(
                request, isFirst ? plain.other : plain.clip, etag: isFirst ? "\"old\"" : "\"new\"")
            if isFirst { answer.cut = plain.other.count / 2 }
            switch change {
            case .noticed: break
            case .withoutTag: answer.fields = []
            case .withoutRanges: answer = .init(fields: ["ETag: \"old\""], body: answer.body, cut: answer.cut)
            case .unnoticed:
                // A server that gives the rest of another file.
                guard let start = request.start, start < plain.clip.count else { break }
                answer = .init(
                    status: 206,
                    fields: [
                        "ETag: \"new\"", "Content-Range: bytes \(start)-\(plain.clip.count - 1)/\(plain.clip.count)",
                    ], body: Array(plain.clip[start...]))
            }
            return answer
        }
        defer { server.stop() }
        let workspace = try Workspace()
        #expect(try annotateBatch("run", try manifest(workspace, server.address("clip.mp4"))).status == 0)
        #expect(try workspace.text("out/clip.tracks.jsonl") == plain.tracks)
    }

    @Test func nothingHalfFetchedIsBelieved() throws {
        let plain = try #require(Self.plain)
        let server = try WebServer { request in
            switch request.path {
            case "cut.mp4": .init(body: plain.clip, cut: plain.clip.count - 1)
            // Without a length nobody knows where it ends.
            case "endless.mp4": .init(body: plain.clip, tellsLength: false)
            case "busy.mp4" where request.number < 3: .init(status: 503)
            case "slow.mp4": .init(body: plain.clip, pause: 2000)
            case "gone.mp4": .init(status: 404, body: Array("<html>".utf8))
            default: .init(body: plain.clip)
            }
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let names = ["cut", "endless", "busy", "slow", "gone"]
        let path = try workspace.manifest(
            names.map { #""input": "\#(server.address($0 + ".mp4"))""# }, encode: #"{"codec": "none"}"#)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 1)
        let jobs = try json(workspace.text("out/report.json"))["jobs"]?.elements ?? []
        #expect(jobs.map { $0["status"]?.string } == ["failed", "failed", "done", "done", "failed"])
        #expect(jobs.map { $0["mayPass"]?.bool } == [true, nil, nil, nil, nil])
        // Asked for once: it would say no more another time.
        #expect(server.requests.count { $0.path == "endless.mp4" } == 1)
        #expect(jobs[4]["error"]?.string == "could not fetch \(server.address("gone.mp4")): the server answered 404")
        #expect(jobs[1]["error"]?.string?.contains("the server doesn't say how long it is") == true)
        #expect(workspace.names() == ["busy.tracks.jsonl", "report.json", "slow.tracks.jsonl"])
    }

    @Test func secretsOfAnAddressStayInTheManifest() throws {
        let plain = try #require(Self.plain)
        let server = try WebServer { request in
            request.path.hasPrefix("gone") ? .init(status: 403) : Self.wellBehaved(request, plain.clip)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try workspace.manifest(
            ["clip", "gone"].map {
                #""input": "\#(server.address($0 + ".mp4?X-Sign=hush123", user: "joe:hush456@"))""#
            },
            encode: #"{"codec": "none"}"#)
        let outcome = try annotateBatch("run", path, "--log-level", "trace")
        #expect(outcome.status == 1)
        #expect(server.requests.first?.path == "clip.mp4?X-Sign=hush123")
        #expect(server.requests.first?.fields["authorization"] == "Basic am9lOmh1c2g0NTY=")
        for text in [
            outcome.output, outcome.errors, try workspace.text("out/report.json"),
            try workspace.text("out/clip.tracks.jsonl"),
        ] {
            #expect(!text.contains("hush"), "\(text)")
        }
        #expect(
            outcome.errors.contains("could not fetch http://127.0.0.1:\(server.port)/gone.mp4: the server answered 403")
        )
        // A command repeats what it was called with, in its own words.
        let told = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}},
             "fetch": ["sh", "-c", "echo no: token=hush789, user joe:hush456 >&2; exit 3", "{url}", "{file}"],
             "jobs": [{"input": "disk://joe:hush456@host/a.mp4?token=hush789&b=1", "graph": "g"}]}
            """, to: "told.json")
        let said = try annotateBatch("run", told, "--allow-commands")
        #expect(said.errors.contains("ended with status 3: no: …") && !said.errors.contains("hush"), "\(said.errors)")
        // An address that is none is no path.
        let broken = try annotateBatch(
            "validate", try workspace.manifest([#""input": "http://joe:hush456@host/a b.mp4?token=hush789""#]))
        #expect(broken.status == 65)
        #expect(
            broken.errors.contains("the address has a space or a line break in it; expected “http://host/a%20b.mp4”")
                && !broken.errors.contains("hush"), "\(broken.errors)")
        // In what is wrong with a manifest neither.
        let twice = #""input": "\#(server.address("clip.mp4?X-Sign=hush123", user: "joe:hush456@"))""#
        let refused = try annotateBatch("validate", try workspace.manifest([twice, twice]))
        #expect(refused.status == 65)
        #expect(!refused.errors.contains("hush"))
    }

    /// Of a file of which nothing is held, “not modified” says nothing.
    @Test(arguments: [304, 204])
    func anAnswerWithoutAFileIsNone(status: Int) throws {
        let server = try WebServer { _ in .init(status: status) }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try manifest(workspace, server.address("clip.mp4?sign=hush123", user: "joe:hush456@"))
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 1)
        let shown = "http://127.0.0.1:\(server.port)/clip.mp4"
        #expect(outcome.errors.contains("could not fetch \(shown): the server answered \(status)"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hush"))
        #expect(try !workspace.text("out/report.json").contains("hush"))
    }

    /// Neither a server nor a command holds a batch for longer than a job may take.
    @Test func fetchingHasAnEnd() throws {
        let server = try WebServer { _ in .init(body: [UInt8](repeating: 7, count: 64 << 10), pause: 1_000_000) }
        defer { server.stop() }
        let workspace = try Workspace()
        let shown = server.address("clip.mp4")
        let slow = try annotateBatch("run", try manifest(workspace, shown), "--timeout", "1")
        #expect(slow.status != 0)
        #expect(
            slow.errors.contains("could not fetch \(shown): it took longer than the 1 s that --timeout allows"),
            "\(slow.errors)")
        let hanging = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}}, "fetch": ["sh", "-c", "sleep 100", "{url}", "{file}"],
             "jobs": [{"input": "disk://a/b.mp4", "graph": "g"}]}
            """, to: "hanging.json")
        let command = try annotateBatch("run", hanging, "--allow-commands", "--timeout", "1")
        #expect(command.errors.contains("it took longer than the 1 s that --timeout allows"), "\(command.errors)")
    }

    @Test func noMoreLiesHereThanMay() throws {
        let body = [UInt8](repeating: 7, count: 3 << 20)
        let server = try WebServer { _ in .init(body: body, pause: 1000) }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try manifest(workspace, server.address("large.mp4"))
        let outcome = try annotateBatch("run", path, "--fetch-space", "1")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("it has more than the 1 MiB that may lie here at once; --fetch-space allows more"))
        #expect(workspace.names() == ["report.json"])
        // What a server says that it has isn't waited for.
        let slow = try WebServer { _ in .init(body: body, pause: 2_000_000) }
        defer { slow.stop() }
        let told = try annotateBatch(
            "run", try self.manifest(workspace, slow.address("large.mp4")), "--fetch-space", "1")
        #expect(told.status == 1 && told.errors.contains("it has more than the 1 MiB"), "\(told.errors)")
        #expect(told.seconds < 20)
    }

    @Test func commandsRunWhereSomebodyAllowsIt() throws {
        let plain = try #require(Self.plain)
        let workspace = try Workspace()
        try Data(plain.clip).write(to: URL(fileURLWithPath: workspace.file("clip.mp4")))
        let command = #"["sh", "-c", "cp \"${0#disk://}\" \"$1\"", "{url}", "{file}"]"#
        func manifest(_ fetch: String) throws -> String {
            try workspace.write(
                """
                {"version": 1, \(fetch)"graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
                 "jobs": [{"input": "disk://\(workspace.file("clip.mp4"))", "graph": "g", "encode": {"codec": "none"}}]}
                """, to: "m.json")
        }
        let own = try manifest(#""fetch": \#(command), "#)
        let refused = try annotateBatch("run", own)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("the manifest has one, which --allow-commands lets run"))
        #expect(try annotateBatch("run", own, "--allow-commands").status == 0)
        #expect(try workspace.text("out/clip.tracks.jsonl") == plain.tracks)
        // The same contents: up to date.
        #expect(try annotateBatch("run", own, "--allow-commands").status == 0)
        #expect(try status(workspace) == "up-to-date")
        // The user's own command.
        try workspace.write(#"{"fetch": \#(command)}"#, to: "settings/annotate-batch/config.json")
        let settings = ["XDG_CONFIG_HOME": workspace.file("settings")]
        let none = try manifest("")
        #expect(try annotateBatch("run", none, "--force", environment: settings).status == 0)
        #expect(try annotateBatch("run", none, "--force").errors.contains("there is no command for “disk”"))
        // A key with a space goes to the command as it is.
        try FileManager.default.copyItem(atPath: workspace.file("clip.mp4"), toPath: workspace.file("clip two.mp4"))
        let spaced = try workspace.write(
            try workspace.text("m.json").replacing("/clip.mp4", with: "/clip two.mp4"), to: "spaced.json")
        #expect(try annotateBatch("run", spaced, environment: settings).status == 0)
        // But for the source's name.
        let named = plain.tracks.replacing(#""name":"clip.mp4""#, with: #""name":"clip two.mp4""#)
        #expect(try workspace.text("out/clip two.tracks.jsonl") == named)
        for name in ["clip two.tracks.jsonl", "report.json"] {
            try FileManager.default.removeItem(atPath: workspace.file("out/" + name))
        }
        #expect(try annotateBatch("run", none, environment: settings).status == 0)
        // One that fails.
        let failing = try manifest(#""fetch": ["sh", "-c", "echo no: $0 >&2; exit 3", "{url}", "{file}"], "#)
        let failed = try annotateBatch("run", failing, "--allow-commands")
        #expect(failed.status == 75)
        #expect(failed.errors.contains("“sh” ended with status 3: no: disk://"))
        // What was made before stays.
        #expect(workspace.names() == ["clip.tracks.jsonl", "report.json"])
    }

    @Test func resultsAreStoredOnce() throws {
        _ = try #require(Self.plain)
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("far"))
        try workspace.clip("clip.mp4", frames: 5)
        // Notes what it stores; fails where there is no such folder.
        let command =
            #"["sh", "-c", "echo $1 >> \"$2\" && cp \"$0\" \"${1#disk://}\"", "{file}", "{url}", "\#(workspace.file("log"))"]"#
        func manifest(_ address: String) throws -> String {
            try workspace.write(
                """
                {"version": 1, "store": \(command), "output": {"address": "\(address)", "formats": ["csv"]},
                 "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
                 "jobs": [{"input": "clip.mp4", "graph": "g", "encode": {"codec": "none"}}]}
                """, to: "m.json")
        }
        let far = "disk://" + workspace.file("far")
        let path = try manifest(far)
        let refused = try annotateBatch("run", path)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("the manifest has one, which --allow-commands lets run"))
        // It is whole here, and only to be stored.
        #expect(workspace.names() == ["clip.csv", "clip.tracks.jsonl", "report.json"])
        #expect(try annotateBatch("run", path, "--dry-run").output == "clip: up to date, and would be stored\n")
        #expect(try annotateBatch("run", path, "--allow-commands").status == 0)
        #expect(try status(workspace) == "up-to-date")
        #expect(try workspace.text("far/clip.tracks.jsonl") == workspace.text("out/clip.tracks.jsonl"))
        #expect(try workspace.text("log").split(separator: "\n").count == 2)
        // Not a second time.
        #expect(try annotateBatch("run", path, "--allow-commands").status == 0)
        #expect(try workspace.text("log").split(separator: "\n").count == 2)
        // Where it can't be stored it may pass.
        let nowhere = try annotateBatch("run", try manifest("disk:///nowhere/at/all"), "--allow-commands")
        #expect(nowhere.status == 75)
        #expect(nowhere.errors.contains("could not store disk:///nowhere/at/all/clip."))
        #expect(try annotateBatch("validate", try manifest("folder")).status == 65)
        #expect(workspace.names() == ["clip.csv", "clip.tracks.jsonl", "report.json"])
    }

    /// What lies in the output folder is what `verify` and the next run find.
    @Test(arguments: [(#"rm \"$0\""#, "removed"), (#"echo more >> \"$0\""#, "changed")])
    func aCommandThatTakesTheFileStoresNothing(script: String, deed: String) throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out", "address": "disk://there"},
             "store": ["sh", "-c", "\(script)", "{file}", "{url}"], "graphs": {"g": {"stages": []}},
             "jobs": [{"input": "clip.mp4", "graph": "g", "encode": {"codec": "none"}}]}
            """, to: "m.json")
        let outcome = try annotateBatch("run", path, "--allow-commands")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(
                "could not store disk://there/clip.tracks.jsonl: “sh” \(deed) the file here; expected a command that copies it"
            ), "\(outcome.errors)")
    }

    /// A server that is down, or has the file no more, takes nothing of what was made.
    @Test(arguments: [503, 404]) func whatWasMadeStays(answer: Int) throws {
        let plain = try #require(Self.plain)
        let isDown = Atomic(false)
        let server = try WebServer {
            isDown.load(ordering: .relaxed) ? .init(status: answer) : Self.wellBehaved($0, plain.clip)
        }
        defer { server.stop() }
        let workspace = try Workspace()
        let path = try manifest(workspace, server.address("clip.mp4"))
        #expect(try annotateBatch("run", path).status == 0)
        isDown.store(true, ordering: .relaxed)
        for _ in 0..<2 {
            #expect(try annotateBatch("run", path).status == (answer == 503 ? 75 : 1))
            #expect(try workspace.text("out/clip.tracks.jsonl") == plain.tracks)
            #expect(try status(workspace) == "failed")
            let entry = try json(workspace.text("out/report.json"))["jobs"]?.elements?.first
            #expect(entry?["unfetched"]?.bool == true && entry?["etag"]?.string == "\"one\"")
        }
        isDown.store(false, ordering: .relaxed)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try status(workspace) == "up-to-date")
        #expect(try json(workspace.text("out/report.json"))["jobs"]?.elements?.first?["unfetched"] == nil)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// Of a job of which one file could be stored, that one isn't stored again.
    @Test func whatIsStoredIsLeft() throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        let log = workspace.file("log")
        func manifest(_ address: String) throws -> String {
            try workspace.write(
                """
                {"version": 1, "output": {"directory": "out", "address": "\(address)", "formats": ["csv"]},
                 "store": ["sh", "-c", "echo $1 >> \(log); case $1 in *.csv) exit 0;; *) test -e \(workspace.file("open"));; esac", "{file}", "{url}"],
                 "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
                 "jobs": [{"input": "clip.mp4", "graph": "g", "encode": {"codec": "none"}}]}
                """, to: "m.json")
        }
        func stored() throws -> [String] {
            defer { _ = try? workspace.write("", to: "log") }
            return try workspace.text("log").split(separator: "\n").map { String($0.suffix(12)) }
        }
        let path = try manifest("disk://there")
        #expect(try annotateBatch("run", path, "--allow-commands").status == 75)
        let first = try stored()
        #expect(first.contains { $0.hasSuffix(".csv") } || first.allSatisfy { $0.hasSuffix(".jsonl") })
        #expect(try annotateBatch("run", path, "--allow-commands").status == 75)
        _ = try stored()
        try workspace.write("", to: "open")
        #expect(try annotateBatch("run", path, "--allow-commands").status == 0)
        let last = try stored()
        #expect(last.filter { $0.hasSuffix(".csv") }.count + first.filter { $0.hasSuffix(".csv") }.count == 1)
        #expect(last.filter { $0.hasSuffix(".jsonl") }.count == 1)
        // Elsewhere it isn't yet.
        #expect(try annotateBatch("run", try manifest("disk://elsewhere"), "--allow-commands").status == 0)
        #expect(try stored().count == 2)
    }

    @Test func whatCannotBe() throws {
        let workspace = try Workspace()
        let path = try manifest(workspace, "https://127.0.0.1:1/clip.mp4?key=hush")
        let rooted = try annotateBatch("run", path, "--root", workspace.path)
        #expect(rooted.status == 65)
        #expect(
            rooted.errors.contains("“https://127.0.0.1:1/clip.mp4” lies elsewhere, and under --root nothing is fetched")
        )
        try workspace.write(#"{"fetch": ["aws", "{url}"]}"#, to: "settings/annotate-batch/config.json")
        let bad = try annotateBatch("run", path, environment: ["XDG_CONFIG_HOME": workspace.file("settings")])
        #expect(bad.status == 65)
        #expect(
            bad.errors.contains("/fetch: the command has no “{file}”; expected words that say where from and where to"))
    }

    @Test func jobsOnLinesMayLieElsewhere() throws {
        let plain = try #require(Self.plain)
        let server = try WebServer { Self.wellBehaved($0, plain.clip) }
        defer { server.stop() }
        let workspace = try Workspace()
        try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
             "defaults": {"graph": "g", "encode": {"codec": "none"}}}
            """, to: "m.json")
        let lines = try workspace.write(
            #"{"input": "\#(server.address("clip.mp4"))"}"# + "\n", to: "lines.txt")
        for status in ["done", "up-to-date"] {
            let outcome = try Program.run(
                Program.annotateBatch, ["work", workspace.file("m.json")], input: lines)
            #expect(outcome.status == 0)
            #expect(try json(outcome.output)["status"]?.string == status)
        }
        #expect(try workspace.text("out/clip.tracks.jsonl") == plain.tracks)
        #expect(workspace.names() == ["clip.tracks.jsonl", "report.json"])
    }
}
