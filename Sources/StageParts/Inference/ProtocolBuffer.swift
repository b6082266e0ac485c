/// The wire format of protocol buffers, which ONNX files are written in, as far as it takes to walk through messages.
package enum ProtocolBuffer {
    /// The error of a message that isn't one.
    package struct Malformed: Error {}

    /// Reads up to the first damaged place. What was found before it counts: whoever runs the model may go further.
    package static func untilDamaged(_ read: () throws -> Void) rethrows {
        do {
            try read()
        } catch is Malformed {}
    }

    /// Visits the fields of a message that have a length; the others are skipped.
    /// - Throws: `Malformed`, or what `visit` throws.
    package static func fields(
        of message: ArraySlice<UInt8>, _ visit: (_ field: UInt64, _ contents: ArraySlice<UInt8>) throws -> Void
    ) throws {
        var place = message.startIndex
        func number() throws -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while place < message.endIndex, shift < 64 {
                let byte = message[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw Malformed()
        }
        func skip(_ count: UInt64) throws {
            guard count <= UInt64(message.endIndex - place) else { throw Malformed() }
            place += Int(count)
        }
        while place < message.endIndex {
            let tag = try number()
            switch tag & 7 {
            case 0: _ = try number()
            case 1: try skip(8)
            case 5: try skip(4)
            case 2:
                let start = try number()
                let first = place
                try skip(start)
                try visit(tag >> 3, message[first..<place])
            default: throw Malformed()
            }
        }
    }
}
