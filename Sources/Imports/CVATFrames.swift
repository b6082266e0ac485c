/// The frames of a task or a job, as CVAT's `<meta>` says them: they count as the shapes' do, in the video's own frames.
struct CVATFrames {
    /// Elements that are open.
    private var open: [String] = []
    private var numbers: [String: Int] = [:]
    private var tasks = 0
    /// Whether all of it was read: it stands before the tracks.
    private(set) var isWhole = false

    /// Takes what the file says next.
    mutating func add(_ event: XMLElements.Event) {
        guard !isWhole else { return }
        switch event {
        case .begin(let name, _):
            if ["track", "image"].contains(name) { isWhole = true }
            if ["task", "job"].contains(name) { tasks += 1 }
            open.append(name)
        case .text(let text):
            guard let name = open.last, ["task", "job"].contains(open.dropLast().last) else { return }
            // A filter of frames is a step alone.
            let digits = name == "frame_filter" ? text.split(separator: "=").last ?? "" : text[...]
            numbers[name] = Int(digits.filter { !$0.isWhitespace })
        case .end(let name):
            open.removeLast()
            if name == "meta" { isWhole = true }
        }
    }

    /// How many of the video's frames lie between two that were drawn on, and one.
    var step: Int { max(1, numbers["frame_filter"] ?? 1) }

    /// The last frame; nil where the file doesn't say it, or tells of several tasks.
    var last: Int? {
        guard tasks == 1 else { return nil }
        let known = 0..<ImportRequest.mostFrames
        if let stop = numbers["stop_frame"] { return known.contains(stop) ? stop : nil }
        let start = numbers["start_frame"] ?? 0
        guard let size = numbers["size"], size > 0, known.contains(size), known.contains(start), step < 1 << 10 else {
            return nil
        }
        return start + (size - 1) * step
    }
}
