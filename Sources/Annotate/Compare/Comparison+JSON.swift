extension Comparison {
    /// The comparison as one JSON object, for programs; docs/compare.md has its members.
    public var json: JSONValue {
        JSONValue { json in
            json.object { json in
                json.member("old", old)
                json.member("new", new)
                json.member("tolerance", tolerance, 6)
                json.member("result", verdict.rawValue)
                json.key("files")
                json.array { json in for file in files { file.write(into: &json) } }
                json.key("worst")
                json.array { json in
                    for (file, frame) in worst {
                        json.object { json in
                            json.member("file", file)
                            frame.writeMembers(into: &json)
                        }
                    }
                }
            }
        }
    }
}

extension Comparison.File {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("file", name)
            switch outcome {
            case .onlyOld: json.member("result", "onlyOld")
            case .onlyNew: json.member("result", "onlyNew")
            case .unreadable(let reason):
                json.member("result", "unreadable")
                json.member("error", reason)
            case .compared(let comparison):
                json.member("result", comparison.verdict.rawValue)
                json.member("frames", comparison.frames)
                json.member("tracks", comparison.tracks)
                json.member("notes", comparison.notes)
                json.member("differences", comparison.differences)
                json.key("things")
                json.array { json in
                    for (index, thing) in comparison.things.enumerated() {
                        thing.write(isWithin: !comparison.intolerable.contains(index), into: &json)
                    }
                }
            }
        }
    }
}

extension WorstFrame {
    fileprivate func writeMembers(into json: inout JSONWriter) {
        json.member("frame", moment.frame)
        json.member("time", moment.seconds, 6)
        json.member("stage", stage)
        if let old { json.member("old", old) }
        if let new { json.member("new", new) }
        if let thing { json.member("name", thing) }
        json.member("what", what)
    }
}

extension ThingFigures {
    fileprivate func write(isWithin: Bool, into json: inout JSONWriter) {
        json.object { json in
            json.member("stage", stage)
            json.member("kind", kind)
            if let old { json.member("old", old) }
            if let new { json.member("new", new) }
            if let name { json.member("name", name) }
            json.member("result", (isEqual ? .equal : isWithin ? .within : .differs as Verdict).rawValue)
            json.member("both", both)
            json.member("gone", went)
            json.member("came", came)
            if let mean = overlap.mean { json.member("overlap", [("mean", mean), ("least", overlap.least)], 3) }
            if let mean = moved.mean { json.member("moved", [("mean", mean), ("most", longestWay)], 2) }
            json.member("labels", labels)
            json.member("states", states)
            json.key("confidence")
            json.object { json in
                json.member("frames", confidences)
                if let mean = oldConfidence.mean { json.member("old", mean, 3) }
                if let mean = newConfidence.mean { json.member("new", mean, 3) }
            }
            if let distance = poseDistance.mean, let angle = poseAngle.mean {
                let degrees = 180 / Double.pi
                json.key("pose")
                json.object { json in
                    json.member("distance", [("mean", distance), ("most", poseDistance.most)], 6)
                    json.member("angle", [("mean", angle * degrees), ("most", poseAngle.most * degrees)], 3)
                }
            }
            if let mean = maskOverlap.mean {
                json.member("maskOverlap", [("mean", mean), ("least", maskOverlap.least)], 3)
            }
            if let mean = jointSimilarity.mean {
                json.member("jointSimilarity", [("mean", mean), ("least", jointSimilarity.least)], 3)
            }
            json.key("fields")
            json.array { json in
                for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        json.member("name", name)
                        if let unit = field.unit { json.member("unit", unit) }
                        json.member("frames", field.frames)
                        json.member("most", field.largest, 6)
                        json.member("others", field.others)
                    }
                }
            }
        }
    }

    private typealias Verdict = TrackFileComparison.Verdict
}

extension JSONWriter {
    fileprivate mutating func member(_ key: String, _ text: String) {
        self.key(key)
        value(text)
    }

    fileprivate mutating func member(_ key: String, _ number: Int) {
        self.key(key)
        value(number)
    }

    fileprivate mutating func member(_ key: String, _ number: Double, _ decimals: Int) {
        self.key(key)
        value(number, decimals: decimals)
    }

    fileprivate mutating func member(_ key: String, _ texts: [String]) {
        self.key(key)
        array { json in for text in texts { json.value(text) } }
    }

    fileprivate mutating func member(_ key: String, _ numbers: [(String, Double)], _ decimals: Int) {
        self.key(key)
        object { json in for (name, number) in numbers { json.member(name, number, decimals) } }
    }

    fileprivate mutating func member(_ key: String, _ runs: Runs) {
        self.key(key)
        object { json in
            json.member("frames", runs.frames)
            json.member("times", runs.count)
            json.key("spans")
            json.array { json in
                for run in runs.kept {
                    json.object { json in
                        json.member("first", run.first.frame)
                        json.member("last", run.last.frame)
                        if !run.what.isEmpty { json.member("what", run.what) }
                    }
                }
            }
        }
    }
}
