import Annotate
import ArgumentParser
import Stages

struct Networks: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the known networks and which of them are here, or fetches one.",
        subcommands: commands, defaultSubcommand: List.self)

    private static let commands: [any ProgramCommand.Type] = [List.self, Get.self]

    var access: CommandAccess { .files(FileAccess()) }

    struct List: ProgramCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the known networks: which are here, which can be fetched.")

        @Flag(help: "Print JSON.")
        var json = false

        @Flag(help: "Print the table as Markdown, as docs/models.md has it.")
        var markdown = false

        var access: CommandAccess { .files(FileAccess()) }

        func run() throws {
            if markdown { return Console.out(KnownNetwork.markdown) }
            try attempt { _ in
                let networks = try KnownNetwork.all.map { ($0, try $0.files.map { try $0.state() }) }
                Console.out(json ? Self.json(networks) : Self.lines(networks).joined(separator: "\n"))
            }
        }

        private static func json(_ networks: [(KnownNetwork, [KnownNetwork.State])]) -> String {
            prettyJSON(
                .array(
                    networks.map { network, states in
                        let files = zip(network.files, states).map { file, state in
                            JSONNode(
                                .members([
                                    "path": .string(file.place), "state": .string(state.rawValue),
                                    "bytes": .number(Double(file.bytes)), "sha256": .string(file.sha256),
                                    "address": file.address.map(JSONValue.string) ?? .null,
                                ]))
                        }
                        return JSONNode(
                            .members([
                                "name": .string(network.name), "stage": .string(network.stage),
                                "doc": .string(network.doc),
                                "licence": .string(network.licence), "files": .array(files),
                            ]))
                    }))
        }

        private static func lines(_ networks: [(KnownNetwork, [KnownNetwork.State])]) -> [String] {
            let width = networks.map { $0.0.name.count }.max() ?? 0
            return networks.map { network, states in
                let state =
                    states.contains(.other) ? "OTHER " : states.allSatisfy { $0 == .here } ? "here  " : "absent"
                let way = network.comesAlong ? "make setup" : "networks get \(network.name)"
                let remedy = state == "here  " ? "" : " (\(way))"
                let name = network.name + String(repeating: " ", count: width - network.name.count)
                return "\(state)  \(name)  \(network.stage): \(network.doc), \(network.licence)\(remedy)"
            }
        }
    }

    struct Get: ProgramCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetches a network into the folder of the networks.",
            discussion: """
                Each file is read from its address, or from ANNOTATE_NETWORKS_URL: a folder or an address below which the files \
                lie as they do in the folder of the networks. A file with another SHA-256 is thrown away. Jobs never fetch.
                """)

        @Argument(help: "A network, as “networks” lists it.", completion: .list(fetched))
        var name: String

        @Option(
            name: .customLong("from"), help: "Take the file from here instead, for networks of one file.",
            completion: .file())
        var source: String?

        var access: CommandAccess { .everything(because: .fetches) }

        /// What doesn't come along with the program.
        private static var fetched: [String] { KnownNetwork.all.filter { !$0.comesAlong }.map(\.name) }

        func run() throws {
            guard let network = KnownNetwork.named(name) else {
                let names = Self.fetched
                let guess = nearest(to: name, among: names).map { " Did you mean “\($0)”?" } ?? ""
                throw ValidationError(
                    "There is no network “\(name)”.\(guess) There are \(names.joined(separator: ", ")).")
            }
            guard !network.comesAlong else {
                throw ValidationError("“\(name)” comes along with the program: `make setup` puts it in its place.")
            }
            guard source == nil || network.files.count == 1 else {
                throw ValidationError(
                    "“\(name)” has \(network.files.count) files; expected ANNOTATE_NETWORKS_URL to name their folder instead of --from."
                )
            }
            try attempt { cancellation in
                for file in network.files {
                    if try file.state() == .here {
                        Console.error("annotate-batch: “\(file.place)” is here already")
                        continue
                    }
                    try NetworkDownload(file, from: source ?? NetworkDownload.address(of: file)).run(cancellation)
                    Console.out(file.place)
                }
            }
        }
    }
}
