package import CVision
internal import Synchronization

/// The error of a call that OpenCV refused.
package struct VisionError: Error, CustomStringConvertible {
    package var operation: String
    package var reason: String

    package var description: String { "\(operation): \(reason)" }

    package init(operation: String, reason: String) { (self.operation, self.reason) = (operation, reason) }
}

/// Throws where a shim's call failed.
package func check(_ status: ocv_status, _ operation: String) throws {
    guard status.code != 0 else { return }
    throw VisionError(operation: operation, reason: text(status))
}

/// The status's message.
package func text(_ status: ocv_status) -> String {
    withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// Switches OpenCV's own threads off, once: the pipeline owns the parallelism.
package let openCVIsInitialized: Void = ocv_initialize()

extension ocv_plane {
    package init(_ plane: PlaneView) {
        self.init(data: plane.base, width: Int32(plane.width), height: Int32(plane.height), stride: Int64(plane.stride))
    }
}

extension Point {
    package init(_ point: ocv_point) { self.init(point.x, point.y) }
    package var ocv: ocv_point { ocv_point(x: x, y: y) }
}

extension Box {
    package init(_ box: ocv_box) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
    package var ocv: ocv_box { ocv_box(x: x, y: y, width: width, height: height) }
}

/// A pool of things that are dear to make and used by one thread at a time: taken out, used, put back.
///
/// A stage's `detect` runs on several threads; each call borrows a detector with its scratch memory.
package final class ResourcePool<Resource: AnyObject>: Sendable {
    // The pool hands each resource to one thread at a time, so it needs no safety of its own.
    private struct Free: @unchecked Sendable { var resources: [Resource] = [] }

    private let free = Mutex(Free())
    private let make: @Sendable () throws -> Resource

    package init(_ make: @escaping @Sendable () throws -> Resource) { self.make = make }

    /// Calls `body` with a thing that nobody else uses meanwhile; makes one where none is free.
    package func withResource<Result>(_ body: (Resource) throws -> Result) throws -> Result {
        let spare = free.withLock { UncheckedResource(resource: $0.resources.popLast()) }.resource
        let resource = try spare ?? make()
        defer {
            let back = UncheckedResource(resource: resource)
            free.withLock { if let resource = back.resource { $0.resources.append(resource) } }
        }
        return try body(resource)
    }

    private struct UncheckedResource: @unchecked Sendable { var resource: Resource? }
}

/// The luma at half size, made once a frame for all stages that search there.
package final class HalfSizeLuma: FrameProduct {
    package let width: Int
    package let height: Int
    private let pixels: [UInt8]

    package init(of frame: VideoFrame) throws {
        (width, height) = (frame.width / 2, frame.height / 2)
        var pixels = [UInt8](repeating: 0, count: max(1, width * height))
        let stride = Int64(width)
        // Of one row or column nothing is left.
        if width > 0, height > 0 {
            try frame.withLuma { try check(ocv_half_size(ocv_plane($0), &pixels, stride), "halve the picture") }
        }
        self.pixels = pixels
    }

    /// Gives the plane, which is there for as long as `body` runs.
    package func withPlane<Result>(_ body: (ocv_plane) throws -> Result) rethrows -> Result {
        try pixels.withUnsafeBufferPointer { buffer in
            try body(
                ocv_plane(data: buffer.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width)))
        }
    }
}
