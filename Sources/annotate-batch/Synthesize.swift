import ArgumentParser

struct Synthesize: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "synth", abstract: "Renders a test clip.")
    func run() throws {}
}
