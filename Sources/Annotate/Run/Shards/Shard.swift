/// A part of a manifest's jobs: which one a job is in depends on its id alone, so that every machine knows it by itself.
public struct Shard: Sendable, Hashable {
    /// Number of the shard, from 1.
    public var index: Int
    /// How many shards there are.
    public var count: Int

    /// A shard by its number, from 1; nil where the number isn't one of `count`.
    public init?(index: Int, count: Int) {
        guard count >= 1, (1...count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// Number of the shard that a job is in, from 1.
    public static func index(of id: String, among count: Int) -> Int {
        // The first 64 bits of the hash.
        let digits = SHA256.hash(Array(id.utf8)).prefix(16)
        return Int((UInt64(digits, radix: 16) ?? 0) % UInt64(max(1, count))) + 1
    }

    /// Whether a job is in this shard.
    public func contains(_ id: String) -> Bool { Self.index(of: id, among: count) == index }

    /// Number of the shard that looks at a part of a job's video, from 1. The job's own has the first part, those behind it the
    /// others, in turn.
    /// - Parameter part: From 0.
    static func index(ofPart part: Int, of id: String, among count: Int) -> Int {
        (index(of: id, among: count) - 1 + part) % count + 1
    }

    /// The parts of a job's video that are this shard's to look at, from 0.
    func parts(of id: String, among parts: Int) -> [Int] {
        (0..<parts).filter { Self.index(ofPart: $0, of: id, among: count) == index }
    }

    /// Name of the shard's report: machines that share a folder need not agree on who writes.
    var reportName: String { "report.\(index)-of-\(count).json" }

    static func isReport(_ name: String) -> Bool {
        guard name.hasPrefix("report."), name.hasSuffix(".json") else { return false }
        let numbers = name.dropFirst("report.".count).dropLast(".json".count).split(separator: "-")
        return numbers.count == 3 && numbers[1] == "of" && Int(numbers[0]) != nil && Int(numbers[2]) != nil
    }
}
