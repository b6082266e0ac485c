import CFFmpeg
import Testing

@testable import Annotate

/// Audio goes behind the picture that was read after it, whenever it is taken.
@Suite struct AudioQueueTests {
    /// Packets with these times.
    private func packets(_ times: Int64...) throws -> [Packet] {
        try times.map { time in
            let packet = try Packet()
            packet.av.pointee.pts = time
            return packet
        }
    }

    private func times(_ packets: [Packet]) -> [Int64] { packets.map(\.av.pointee.pts) }

    @Test func packetsGoBehindTheirPicture() throws {
        let queue = AudioQueue()
        queue.add(try packets(1, 2), with: 0)
        queue.add([], with: 1)
        queue.add(try packets(3), with: 2)
        queue.add(try packets(4, 5), with: 3)
        #expect(times(queue.take(through: 0)) == [1, 2])
        #expect(times(queue.take(through: 0)) == [])
        #expect(times(queue.take(through: 1)) == [])
        #expect(times(queue.take(through: 3)) == [3, 4, 5])
        #expect(times(queue.take(through: .max)) == [])
    }

    /// What lies behind the last picture comes at the end alone.
    @Test func theRestComesLast() throws {
        let queue = AudioQueue()
        queue.add(try packets(1), with: 4)
        queue.add(try packets(2, 3), with: .max)
        #expect(times(queue.take(through: 3)) == [])
        #expect(times(queue.take(through: 4)) == [1])
        #expect(times(queue.take(through: 1_000_000)) == [])
        #expect(times(queue.take(through: .max)) == [2, 3])
    }

    /// The reader may be far ahead or just behind: the order is the same.
    @Test func theScheduleDoesNotMatter() throws {
        var orders: [[Int64]] = []
        for ahead in [0, 1, 5, 20] {
            let queue = AudioQueue()
            var order: [Int64] = []
            var read = 0
            for picture in 0..<20 {
                while read <= min(picture + ahead, 19) {
                    let first = Int64(read * 10)
                    if read % 3 != 1 { queue.add(try packets(first, first + 1), with: read) }
                    read += 1
                }
                order.append(-Int64(picture))
                order += times(queue.take(through: picture))
            }
            orders.append(order)
        }
        #expect(Set(orders).count == 1)
        #expect(orders.first?.prefix(6) == [0, 0, 1, -1, -2, 20])
    }

    /// A reader and a writer at once lose nothing.
    @Test func betweenTwoThreads() throws {
        let queue = AudioQueue()
        let reader = try Worker {
            for picture in 0..<500 {
                guard let packet = try? Packet() else { return }
                packet.av.pointee.pts = Int64(picture)
                queue.add([packet], with: picture)
            }
        }
        var taken: [Int64] = []
        for picture in 0..<500 { taken += times(queue.take(through: picture)) }
        reader.join()
        taken += times(queue.take(through: .max))
        #expect(taken == Array(0..<500))
    }
}
