import Foundation
import Glibc
import Testing

@testable import Annotate

private let openVINO = repository + "/.deps/openvino"
private let hasCompiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].contains(where: Files.exists)

/// Nothing is loaded, and nothing looked for, where the program happens to be started.
@Suite struct WorkingDirectoryTests {
    private static let stages = [
        #"{"id": "s", "type": "faces"}"#, #"{"id": "s", "type": "text"}"#,
        #"{"id": "s", "type": "classify", "model": "\#(repository)/manifests/models/shapes.onnx"}"#,
    ]

    /// A library that ends whoever loads it.
    private func trap(_ names: [String], in workspace: Workspace) throws {
        try workspace.write("__attribute__((constructor)) static void end(void) { __builtin_trap(); }\n", to: "trap.c")
        for name in names {
            let made = try Program.run(
                "cc", ["-shared", "-fPIC", "-o", workspace.file(name), workspace.file("trap.c")])
            try #require(made.status == 0, "\(made.errors)")
        }
    }

    @Test(
        .enabled(if: hasCompiler && Files.exists(openVINO), "no C compiler, or no OpenVINO in .deps"),
        arguments: stages, ["process", "none"])
    func noPlugInIsLoadedFromIt(stage: String, isolation: String) throws {
        let workspace = try Workspace()
        try trap(
            ["auto", "auto_batch", "hetero", "intel_cpu", "intel_gpu", "intel_npu"].map {
                "libopenvino_\($0)_plugin.so"
            }, in: workspace)
        try workspace.write("P2 2 2 255 0 0 0 0\n", to: "p.pgm")
        try workspace.manifest([#""input": "p.pgm""#], stages: stage)
        let command = """
            cd \(workspace.path) && exec \(Program.annotateBatch) run m.json --dry-run --isolation \(isolation)
            """
        let outcome = try Program.run("sh", ["-c", command])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("crashed"), "\(outcome.errors)")
    }

    /// OpenVINO would look for it in the working directory.
    @Test(.enabled(if: Files.exists(openVINO), "no OpenVINO in .deps"))
    func aPlugInThatIsMissingIsNotLookedForElsewhere() throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("openvino"))
        for name in try Files.list(openVINO) where name != "libopenvino_auto_batch_plugin.so" {
            #expect(symlink("\(openVINO)/\(name)", workspace.file("openvino/\(name)")) == 0)
        }
        try workspace.write("P2 2 2 255 0 0 0 0\n", to: "p.pgm")
        try workspace.manifest([#""input": "p.pgm""#], stages: Self.stages[0])
        let outcome = try annotateBatch(
            "validate", workspace.file("m.json"), environment: ["ANNOTATE_OPENVINO": workspace.file("openvino")])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("has no libopenvino_auto_batch_plugin.so; run `make setup`"), "\(outcome.errors)")
    }

    /// Settings name commands, and programs are looked for by name: never where the environment says “here”.
    @Test(arguments: ["XDG_CONFIG_HOME=.", "XDG_CONFIG_HOME=", "HOME=.", "PATH=.:/usr/bin:/bin", "PATH=:/usr/bin:/bin"])
    func neitherSettingsNorProgramsAreLookedForInIt(environment: String) throws {
        let workspace = try Workspace()
        let command = #"{"fetch": ["touch", "\#(workspace.file("evil"))"]}"#
        for folder in ["annotate-batch", ".config/annotate-batch"] {
            try workspace.write(command, to: folder + "/config.json")
        }
        try workspace.writeProgram("#!/bin/sh\ntouch \(workspace.file("evil"))\n", to: "curl")
        for (name, address) in [("s", "s3://bucket/a.mp4"), ("h", "http://127.0.0.1:1/a.mp4")] {
            try workspace.write(
                #"{"version": 1, "jobs": [{"id": "a", "input": "\#(address)", "graph": {"stages": []}}]}"#,
                to: name + ".json")
            let run = "cd '\(workspace.path)' && exec env \(environment) \(Program.annotateBatch) run \(name).json"
            #expect(try Program.run("sh", ["-c", run]).status != 0)
        }
        #expect(!Files.exists(workspace.file("evil")))
    }

    /// A path of a manifest starts from the manifest's folder, also for a glance at it.
    @Test(.enabled(if: Files.exists("/usr/bin/strace"), "strace is not installed"))
    func noPathOfTheManifestIsLookedForInIt() throws {
        let (workspace, elsewhere) = (try Workspace(), try Workspace())
        try workspace.write("P2 2 2 255 0 0 0 0\n", to: "in/p.pgm")
        try workspace.write("[]", to: "r.json")
        try workspace.manifest([#""input": "in/p.pgm", "regions": "r.json""#])
        let command = """
            cd \(elsewhere.path) && exec strace -f -o trace -e trace=%file -e signal=none \
            \(Program.annotateBatch) validate \(workspace.file("m.json"))
            """
        let outcome = try Program.run("sh", ["-c", command])
        // Where processes may not be traced, there is nothing to be seen.
        guard outcome.status != 1 || !outcome.errors.contains("ptrace") else { return }
        let relative = try elsewhere.text("trace").split(separator: "\n").filter { line in
            line.contains("\"in/p.pgm\"") || line.contains("\"r.json\"")
        }
        #expect(relative.isEmpty, "\(relative.joined(separator: "\n"))")
    }

    /// A manifest may be named from a folder beside it, with files that only patterns, templates and models lead to.
    @Test(arguments: ["process", "job", "none"])
    func aManifestIsNamedFromAnywhere(isolation: String) throws {
        let workspace = try Workspace()
        for folder in ["project/clips", "project/models", "elsewhere/deep"] {
            try Files.makeDirectory(workspace.file(folder))
        }
        try workspace.clip("project/clips/a.mp4", frames: 3)
        for number in 1...3 {
            try workspace.write("P2 2 2 255 0 0 0 \(number)\n", to: "project/clips/p\(number).pgm")
        }
        try workspace.write("1,1,10,20,30,40,1,1,-1,-1\n", to: "project/clips/a.txt")
        try workspace.write(
            "mtllib m.mtl below/M.MTL\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", to: "project/models/m.obj")
        for name in ["m.mtl", "below/M.MTL"] {
            try workspace.write("newmtl red\nKd 1 0 0\n", to: "project/models/" + name)
        }
        #expect(symlink(workspace.file("project"), workspace.file("elsewhere/link")) == 0)
        try workspace.write(
            #"""
            {"version": 1, "output": {"directory": "../out"}, "graphs": {"g": {"stages": [
              {"id": "i", "type": "import", "format": "mot", "file": "clips/{name}.txt"},
              {"id": "m", "type": "markers", "size": 0.1, "draw": {"model": "models/m.obj", "modelSize": 0.1}}]},
              "h": {"stages": [{"id": "r", "type": "rectangles"}]}},
              "jobs": [{"input": "clips/*.mp4", "graph": "g", "camera": {"fieldOfView": 60}},
              {"id": "s", "input": "clips/p%d.pgm", "frameRate": 5, "graph": "h"}]}
            """#, to: "project/m.json")
        for (folder, path) in [
            ("elsewhere", "../project/m.json"), ("elsewhere/deep", "../../project/m.json"),
            ("project/clips", "../m.json"), ("elsewhere", "link/m.json"), ("project", "m.json"),
            ("elsewhere/link/clips", "../m.json"),
        ] {
            for command in ["validate \(path)", "run --force \(path) --isolation \(isolation)"] {
                let outcome = try Program.run(
                    "sh",
                    ["-c", "cd '\(workspace.file(folder))' && exec \(Program.annotateBatch) \(command)"])
                #expect(outcome.status == 0, "\(command) in \(folder): \(outcome.errors)")
            }
        }
    }
}
