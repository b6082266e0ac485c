internal import CFFmpeg

/// The units (OBU) that a packet of AV1 is made of (its specification, 5.3).
enum AV1Units {
    private struct Unit {
        var type: UInt8
        var place: Range<Int>
        /// The unit's bytes behind its header and size.
        var content: Range<Int>
    }

    /// True for well-formed units of which none is a shown frame: a unit of time holds one, unless somebody took it apart.
    static func isHidden(_ packet: Packet) -> Bool {
        guard let units = units(of: packet), let data = packet.av.pointee.data else { return false }
        // Frame headers, and frames that begin with one: show_existing_frame, frame_type, show_frame (5.9.2).
        let frames = units.filter { $0.type == 3 || $0.type == 6 }
        return !frames.isEmpty
            && frames.allSatisfy { !$0.content.isEmpty && data[$0.content.lowerBound] & 0x90 == 0 }
    }

    /// True for well-formed units with the sequence's header, and a shown key frame before all others.
    static func beginsAnew(_ packet: Packet) -> Bool {
        guard let units = units(of: packet), let data = packet.av.pointee.data,
            let sequence = units.firstIndex(where: { $0.type == 1 }),
            let frame = units.firstIndex(where: { $0.type == 3 || $0.type == 6 }), sequence < frame,
            !units[frame].content.isEmpty
        else { return false }
        // As above: it shows none that is there already, is a key frame and is shown.
        return data[units[frame].content.lowerBound] & 0xF0 == 0x10
    }

    /// Places of the units that every container holds: not what begins a unit of time, tile lists and filling.
    /// - Returns: nil where they aren't well formed.
    static func kept(in packet: Packet) -> [Range<Int>]? {
        units(of: packet)?.filter { ![2, 8, 15].contains($0.type) }.map(\.place)
    }

    private static func units(of packet: Packet) -> [Unit]? {
        guard let data = packet.av.pointee.data, packet.av.pointee.size > 0 else { return nil }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.av.pointee.size))
        var found: [Unit] = []
        var index = 0
        while index < bytes.count {
            let (start, header) = (index, bytes[index])
            // A forbidden bit, a reserved one, and one that says that the size is there.
            guard header & 0x83 == 0x02 else { return nil }
            index += header & 0x04 != 0 ? 2 : 1
            var (size, shift) = (0, 0)
            while true {
                guard index < bytes.count, shift < 35 else { return nil }
                size |= Int(bytes[index] & 0x7F) << shift
                shift += 7
                index += 1
                if bytes[index - 1] & 0x80 == 0 { break }
            }
            guard size <= bytes.count - index else { return nil }
            found.append(
                Unit(type: header >> 3 & 15, place: start..<index + size, content: index..<index + size))
            index += size
        }
        return found
    }
}
