extension Format where Value == TrackReference {
    /// [stage, number], as one part of a stage hands it to the other.
    package static var trackReference: Format {
        Format(
            .array(of: .any),
            write: { track, json in
                json.array { json in
                    json.value(track.stage)
                    json.value(track.number)
                }
            },
            read: { node in
                guard let elements = node.elements, elements.count == 2, let stage = elements[0].string,
                    let number = elements[1].integer
                else { return nil }
                return TrackReference(stage: stage, number: number)
            })
    }
}
