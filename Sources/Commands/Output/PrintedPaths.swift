/// Commands whose results are files. What they print is where these are, which need not be read by anybody; where one is told
/// to print results instead, they are lost with standard output.
extension Run {
    var printsResults: Bool { dryRun }
}

extension Export {
    var printsResults: Bool { output == "-" }
}

extension Frame {
    var printsResults: Bool { output == "-" }
}

extension Pick {
    var printsResults: Bool { output == "-" }
}

extension Calibrate {
    var printsResults: Bool { output == "-" }
}

extension Init {
    var printsResults: Bool { file == nil }
}

extension Merge {
    var printsResults: Bool { file == nil }
}

extension Render {
    var printsResults: Bool { false }
}

extension Accept {
    var printsResults: Bool { false }
}

extension Review {
    var printsResults: Bool { false }
}

extension Markers {
    var printsResults: Bool { false }
}

extension Synthesize {
    var printsResults: Bool { false }
}

extension Networks.Get {
    var printsResults: Bool { false }
}

/// It says itself that it needs a reader.
extension Work {
    var printsResults: Bool { false }
}
