import CVision
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Which dictionary readings tell of.
@Suite struct DictionaryChooserTests {
    private static let families = [
        DictionaryChooser.Family(
            members: [("four-50", 50), ("four-100", 100), ("four-250", 250), ("four-1000", 1000)], cells: 16),
        DictionaryChooser.Family(members: [("six-250", 250), ("six-1000", 1000)], cells: 36),
        DictionaryChooser.Family(members: [("tags", 587)], cells: 36),
    ]

    private func reading(_ family: Int, _ id: Int, at x: Double? = nil, size: Double = 40) -> DictionaryChooser.Reading
    {
        let x = x ?? Double(id) * 100
        return DictionaryChooser.Reading(
            family: family, id: id, corners: [Point(x, 0), Point(x + size, 0), Point(x + size, size), Point(x, size)])
    }

    /// The name that is chosen and the frame, from 1, at which it is.
    private func choice(
        _ frames: [[DictionaryChooser.Reading]], isStill: Bool = false
    ) -> (name: String, frame: Int)? {
        var chooser = DictionaryChooser(Self.families)
        for (index, readings) in frames.enumerated() {
            chooser.add(.init(readings: readings))
            if let choice = chooser.choice(isStill: isStill) { return (choice.name, index + 1) }
        }
        return nil
    }

    @Test func aLongCodeTellsAtOnce() throws {
        let found = try #require(choice([[], [reading(1, 7)]]))
        #expect(found == ("six-250", 2))
    }

    @Test func aShortOneTakesSomeFramesOrSomeMarkers() throws {
        let one = try #require(choice(Array(repeating: [reading(0, 7)], count: 9)))
        #expect(one == ("four-50", 3))
        let two = try #require(choice([[reading(0, 7), reading(0, 8)]]))
        #expect(two == ("four-50", 1))
        let large = try #require(choice(Array(repeating: [reading(0, 700)], count: 20)))
        #expect(large.name == "four-1000" && large.frame > 3)
        #expect(choice([[reading(0, 7)]], isStill: true)?.name == "four-50")
        #expect(choice([[reading(0, 700)]], isStill: true) == nil)
    }

    @Test(arguments: [
        ([3, 49], "four-50"), ([3, 50], "four-100"), ([3, 100], "four-250"), ([1, 2, 3, 4, 999], "four-1000"),
    ])
    func theSmallestThatHoldsAllIds(ids: [Int], expected: String) {
        #expect(choice([ids.map { reading(0, $0) }, ids.map { reading(0, $0) }])?.name == expected)
    }

    @Test func aSlipDoesNotCount() {
        var chooser = DictionaryChooser(Self.families)
        chooser.add(.init(readings: [reading(0, 3), reading(0, 731)]))
        for _ in 0..<8 { chooser.add(.init(readings: [reading(0, 3)])) }
        #expect(chooser.best?.name == "four-50")
        #expect(chooser.best?.ids == [3])
    }

    /// A tag whose middle reads as a short code.
    @Test func ofOnePlaceTheLeastLikelyReadingCounts() {
        let clutter = (0..<6).map { reading(0, $0, at: Double($0) * 100 + 10, size: 25) }
        let tags = (0..<6).map { reading(2, $0 + 100, at: Double($0) * 100) }
        #expect(choice([clutter + tags])?.name == "tags")
        #expect(choice([tags + clutter])?.name == "tags")
    }

    @Test func twoThatTellAlikeAreNone() {
        #expect(choice(Array(repeating: [reading(1, 1), reading(2, 5)], count: 5)) == nil)
        // More of one of them decides.
        #expect(choice([[reading(1, 1), reading(1, 2), reading(2, 5)]])?.name == "six-250")
    }

    /// Some of many borders hold a short code by chance.
    @Test func manyPlacesThatReadAsNothingTellAgainstIt() {
        func bits(unread: Int) -> Double {
            var chooser = DictionaryChooser(Self.families)
            chooser.add(.init(readings: [42, 344, 374, 413, 505].map { reading(0, $0) }, unread: [unread, 0, 0]))
            return chooser.best?.bits ?? 0
        }
        #expect(bits(unread: 0) > DictionaryChooser.enough)
        #expect(bits(unread: 30) < DictionaryChooser.enoughForStill)
        #expect(bits(unread: 1000) == 0)
    }

    @Test func nothingTellsNothing() {
        #expect(choice([[], [], []]) == nil)
        #expect(DictionaryChooser(Self.families).best == nil)
    }

    // MARK: The built-in ones

    /// An id is the same marker in all dictionaries of a family.
    @Test func smallerOnesAreTheStartOfLargerOnes() throws {
        let families = try DictionaryEvidence(.init()).families
        #expect(families.flatMap { $0.members.map(\.name) } == MarkerDictionary.names)
        #expect(families.map(\.members.count) == [1, 4, 4, 4, 4, 1, 1, 1, 1])
        for family in families {
            let dictionaries = try family.members.map { try MarkerDictionary(name: $0.name) }
            for (smaller, larger) in zip(dictionaries, dictionaries.dropFirst()) {
                for id in 0..<smaller.count { #expect(code(id, smaller) == code(id, larger)) }
            }
            for (member, dictionary) in zip(family.members, dictionaries) {
                #expect(member.count == dictionary.count)
                #expect(family.cells == dictionary.cells)
            }
        }
    }

    private func code(_ id: Int, _ dictionary: MarkerDictionary) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: dictionary.cells)
        _ = ocv_marker_dictionary_code(dictionary.handle, Int32(id), &bits, Int32(bits.count))
        return bits
    }
}
