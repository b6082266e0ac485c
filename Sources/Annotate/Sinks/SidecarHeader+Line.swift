extension SidecarHeader {
    /// The header as a line of the file.
    /// - Parameter frames: how many were written.
    func line(frames: Int, _ outcome: SourceOutcome) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("format")
            json.value("annotate-tracks")
            json.key("version")
            json.value(1)
            json.key("generator")
            json.value(generator)
            json.key("source")
            json.object { json in write(source, frames, outcome, &json) }
            if let range = range {
                json.key("range")
                json.object { json in
                    json.key("start")
                    json.value(range.start)
                    if let end = range.end {
                        json.key("end")
                        json.value(end)
                    }
                }
            }
            if let camera = camera {
                json.key("camera")
                json.value(camera.json)
            }
            json.key("stages")
            json.array { json in
                for stage in stages { Self.write(stage, &json) }
            }
        }
        json.endLine()
        return json.bytes
    }

    private func write(_ source: Source, _ frames: Int, _ outcome: SourceOutcome, _ json: inout JSONWriter) {
        func ratio(_ ratio: Rational, _ json: inout JSONWriter) {
            json.array {
                $0.value(ratio.numerator)
                $0.value(ratio.denominator)
            }
        }
        json.key("name")
        json.value(source.name)
        json.key("width")
        json.value(source.width)
        json.key("height")
        json.value(source.height)
        json.key("rotation")
        json.value(source.rotation)
        if source.isMirrored {
            json.key("mirrored")
            json.value(true)
        }
        if let order = outcome.fieldOrder {
            json.key("fieldOrder")
            json.value(order.rawValue)
        }
        if outcome.isDeinterlaced {
            json.key("deinterlaced")
            json.value(true)
        }
        json.key("timeBase")
        ratio(source.timeBase, &json)
        if let rate = source.frameRate {
            json.key("frameRate")
            ratio(rate, &json)
        }
        if source.videoOffset != 0 {
            json.key("videoOffset")
            json.value(source.videoOffset)
        }
        // Under a range the file's own count is not known: only the range is decoded to its end.
        if range == nil {
            json.key("frames")
            json.value(frames)
        }
    }

    private static func write(_ stage: SidecarHeader.Stage, _ json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.value(stage.id)
            json.key("type")
            json.value(stage.type)
            if !stage.inputs.isEmpty {
                json.key("inputs")
                json.array { json in for input in stage.inputs { json.value(input) } }
            }
            if let rate = stage.rate {
                json.key("rate")
                json.value(rate)
            }
            if !stage.options.isEmpty {
                json.key("options")
                json.value(JSONValue.object(stage.options))
            }
            for member in stage.details {
                json.key(member.key)
                json.value(member.value.value)
            }
        }
    }
}
