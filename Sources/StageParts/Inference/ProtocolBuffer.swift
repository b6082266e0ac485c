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

    /// The fields of one number that a file's message has, as they stand there; nothing else of it is read.
    /// - Parameter most: bytes of each; longer ones are left out.
    /// - Throws: `FileError`.
    package static func fields(_ number: UInt64, ofFile path: String, most: Int = 16 << 20) throws -> [UInt8] {
        try Files.withParts(of: path) { read in
            var (found, place): ([UInt8], Int64) = ([], 0)
            try untilDamaged {
                while true {
                    // A field's number and its length take ten bytes each at most.
                    let head = try read(place, 20)
                    if head.isEmpty { return }
                    var from = head.startIndex
                    let tag = try self.number(in: head[...], &from)
                    var length: UInt64 = 0
                    switch tag & 7 {
                    case 0: _ = try self.number(in: head[...], &from)
                    case 1: length = 8
                    case 5: length = 4
                    case 2: length = try self.number(in: head[...], &from)
                    default: throw Malformed()
                    }
                    guard length <= UInt64(Int64.max - place - 20) else { throw Malformed() }
                    let whole = from + Int(length)
                    if tag == number << 3 | 2, length <= most { found += try read(place, whole) }
                    place += Int64(whole)
                }
            }
            return found
        }
    }

    /// A number at a place of a message, which goes on behind it.
    private static func number(in message: ArraySlice<UInt8>, _ place: inout Int) throws -> UInt64 {
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

    /// Visits the fields of a message that have a length; the others are skipped.
    /// - Throws: `Malformed`, or what `visit` throws.
    package static func fields(
        of message: ArraySlice<UInt8>, _ visit: (_ field: UInt64, _ contents: ArraySlice<UInt8>) throws -> Void
    ) throws {
        var place = message.startIndex
        func number() throws -> UInt64 { try self.number(in: message, &place) }
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
