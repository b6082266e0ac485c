import Testing

@testable import Annotate
@testable import TestSupport

/// Members that are declared once: when they are there, what they are while they are left out, what a schema says of them.
@Suite struct FieldTests {
    private struct Thing: Record, Hashable {
        var name = ""
        var size = 0.5
        var count: Int?
        var isOld = false
        var parts: [Point] = []
        var state = TrackState.tracked

        static let fields: [Field<Thing>] = [
            Field("name", \.name, .text(), doc: "Its name."),
            Field("size", \.size, .number(Bounds(0, 1), decimals: 2), .optional, unit: "m", doc: "Its size."),
            Field("count", \.count, .integer(0...9), doc: "How many."),
            Field("old", \.isOld, .flag, .optional, doc: "Whether it is old."),
            Field("parts", \.parts, .list(.point), .optional, tellsDefault: false, doc: "Its parts; none by default."),
            Field("state", \.state, .choice(), .optional, doc: "Where it stands."),
        ]
    }

    private func text(_ thing: Thing) -> String {
        var json = JSONWriter()
        thing.write(into: &json)
        return json.text
    }

    private func read(_ text: String) throws -> Thing { Thing(try JSONParser.parse(Array(text.utf8))) }

    @Test func whatIsAlwaysThereIsWrittenAlways() { #expect(text(Thing()) == #"{"name":""}"#) }

    @Test func membersComeInTheirOrder() throws {
        var thing = Thing()
        (thing.name, thing.size, thing.count, thing.isOld, thing.parts, thing.state) = (
            "a", 0.25, 0, true, [Point(1, 2)], .lost
        )
        let written = #"{"name":"a","size":0.25,"count":0,"old":true,"parts":[[1,2]],"state":"lost"}"#
        #expect(text(thing) == written)
        #expect(try read(written) == thing)
        #expect(
            try read(#"{"state":"lost","parts":[[1,2]],"old":true,"count":0,"size":0.25,"name":"a"}"#) == thing)
    }

    /// What has the value that a new one has is left out, and is that value when it is read.
    @Test func defaults() throws {
        #expect(try read(#"{"name":"a"}"#).size == 0.5)
        #expect(try read(#"{"name":"a","size":0.5}"#) == read(#"{"name":"a"}"#))
        #expect(
            text(try read(#"{"name":"a","size":0.5,"old":false,"parts":[],"state":"tracked"}"#)) == #"{"name":"a"}"#)
    }

    /// What doesn't fit keeps its default, and is told of.
    @Test func whatDoesNotFit() throws {
        var thing = Thing()
        let node = try JSONParser.parse(Array(#"{"name":7,"size":"x","count":10,"old":true,"parts":[1]}"#.utf8))
        #expect(thing.read(node) == ["name", "size", "count", "parts"])
        var expected = Thing()
        expected.isOld = true
        #expect(thing == expected)
    }

    @Test func properties() {
        let properties = Thing.shape(doc: "A thing.").properties
        #expect(properties.map(\.name) == ["name", "size", "count", "old", "parts", "state"])
        #expect(properties.map(\.isRequired) == [true, false, false, false, false, false])
        #expect(properties.map(\.unit) == [nil, "m", nil, nil, nil, nil])
        let defaults = properties.map { property in
            property.defaultValue.map { value in
                var json = JSONWriter()
                json.value(value)
                return json.text
            }
        }
        #expect(defaults == [nil, "0.5", nil, "false", nil, #""tracked""#])
    }

    @Test func columns() {
        let columns = Thing.fields.flatMap(\.columns)
        #expect(columns.map(\.name) == ["name", "size", "count", "old", "parts", "state"])
        #expect(columns.map(\.unit) == [nil, "m", nil, nil, nil, nil])
        var thing = Thing()
        (thing.name, thing.size, thing.parts) = ("a \"b\"", 1 / 3, [Point(1, 2), Point(3.14159, 4)])
        #expect(columns.map { $0.text(thing) } == ["a \"b\"", "0.33", nil, nil, "[[1,2],[3.14,4]]", nil])
    }

    /// Those of a record are its fields' own, behind its name.
    @Test func columnsOfARecord() {
        let pose =
            ["rotation_x", "rotation_y", "rotation_z"] + ["w", "x", "y", "z"].map { "rotation_quaternion_" + $0 }
            + ["translation_x", "translation_y", "translation_z", "reprojectionError"]
        #expect(
            MarkerFinding.fields.flatMap(\.columns).map(\.name)
                == ["id"] + pose.map { "pose_" + $0 } + pose.map { "pose_alternative_" + $0 }
                + ["pose_extent_width", "pose_extent_height"])
        var marker = MarkerFinding(id: 3)
        #expect(MarkerFinding.fields.flatMap(\.columns).compactMap { $0.text(marker) } == ["3"])
        marker.pose = EstimatedPose(pose: Pose(rotation: Rotation(), translation: [0.1, 0, 1]), extent: .zero)
        #expect(
            MarkerFinding.fields.flatMap(\.columns).compactMap { $0.text(marker) }
                == ["3", "0", "0", "0", "1", "0", "0", "0", "0.1", "0", "1", "0"])
    }

    // MARK: Presence

    private struct Sighting: Finding {
        static let kind = "sighting"
        static let doc = "A sighting."
        var whereabouts: Point?
        var short: String?
        var long: String?

        static let fields: [Field<Sighting>] = [
            Field("where", \.whereabouts, .point, .inSight, doc: "Where."),
            Field("short", \.short, .text(), .without("long"), doc: "In short."),
            Field("long", \.long, .text(), doc: "At length."),
        ]
    }

    @Test(
        arguments: [
            (#"{"where":[1,2],"short":"a"}"#, true, nil), (#"{"where":[1,2],"long":"a"}"#, true, nil),
            (#"{"short":"a"}"#, false, nil),
            (#"{"short":"a"}"#, true, "“where” is missing; every sighting in sight has one"),
            (#"{"where":[1,2]}"#, true, "“short” or “long” is missing; every sighting has one of them"),
            (#"{}"#, false, "“short” or “long” is missing; every sighting has one of them"),
        ] as [(String, Bool, String?)])
    func presence(text: String, isInSight: Bool, lack: String?) throws {
        let node = try JSONParser.parse(Array(text.utf8))
        #expect(Sighting.lack(of: node, isInSight: isInSight) == lack)
    }

    @Test func whatMayBeLeftOutIsNotRequired() {
        #expect(Sighting.fields.map(\.property.isRequired) == [false, false, false])
    }

    @Test(
        arguments: [
            (ObjectFinding.self, #"{"box":[0,0,1,1]}"#, true, nil), (ObjectFinding.self, "{}", false, nil),
            (ObjectFinding.self, "{}", true, "“box” is missing; every object in sight has one"),
            (RectangleFinding.self, "{}", true, "“polygon” is missing; every rectangle in sight has one"),
            (
                RectangleFinding.self, #"{"box":[0,0,1,1]}"#, true,
                "“polygon” is missing; every rectangle in sight has one"
            ),
            (ClassificationFinding.self, "{}", true, nil),
        ] as [(any Finding.Type, String, Bool, String?)])
    func placesInSight(kind: any Finding.Type, text: String, isInSight: Bool, lack: String?) throws {
        #expect(kind.lack(of: try JSONParser.parse(Array(text.utf8)), isInSight: isInSight) == lack)
    }
}
