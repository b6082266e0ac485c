import Annotate

/// One line for each running job and one for the batch, redrawn in place at the terminal's bottom; finished jobs scroll away
/// above.
struct BarDisplay: ProgressDisplay {
    private var summary = UpToDateSummary()

    mutating func show(_ state: BatchState) {
        let size = Console.size
        let told = state.justEnded.filter { !summary.takes($0, state) }
            .map { place($0, state) + outcomeLine(state.jobs[$0]) }
        Console.draw(state.isLast ? [] : Self.area(state, size), below: told + summary.lines(state))
    }

    /// As many lines as the terminal has rows for, with the batch's own as the last.
    static func area(_ state: BatchState, _ size: TerminalSize) -> [String] {
        guard !state.running.isEmpty || state.endedCount < state.jobs.count else { return [] }
        // One row for the cursor, one for the batch, and one for what isn't shown.
        let room = max(0, size.rows - 2)
        let shown = state.running.prefix(state.running.count > room ? max(0, room - 1) : room)
        var lines = BarLayout.lines(shown.map { row($0, state) }, columns: size.columns)
        if shown.count < state.running.count, room > 0 {
            let more = "… and \(state.running.count - shown.count) more"
            lines.append(TerminalText.width(more) < size.columns ? more : "…")
        }
        lines.append(
            BarLayout.batch(
                ended: state.endedCount, of: state.jobs.count, failed: state.failedCount,
                secondsLeft: state.secondsLeft, columns: size.columns))
        return lines
    }

    private static func row(_ index: Int, _ state: BatchState) -> BarLayout.Row {
        let (job, watch) = (state.jobs[index], state.watches[index])
        return BarLayout.Row(
            place: "[\(index + 1)/\(state.jobs.count)]", name: job.id, frames: watch.frames, total: job.expectedFrames,
            rate: watch.rate, secondsLeft: watch.secondsLeft(of: job.expectedFrames))
    }
}
