internal import Graph
internal import CVision
internal import Stages

/// Collects views of a pattern, takes the sharp and varied ones, and computes the camera from them (Zhang's method;
/// `cv::calibrateCamera`).
public struct Calibrator {
    /// One picture with the pattern in it.
    struct View {
        var file: String
        var frame: Int
        var flat: [Point]
        var seen: [Point]
        var sharpness: Double
        /// Traits by which views differ: where in the picture, how large and how tilted, each about 0…1.
        var traits: [Double]
    }

    /// Seconds between two frames that are looked at: nearer ones show the same.
    private static let interval = 0.2
    /// Largest error of a camera: root mean square over the picture's longer side; 3 pixels of 1280.
    private static let largestError = 0.0025
    /// Error from which on a view is left out, over the usual one's.
    private static let worstError = 3.0
    /// The most views that are used: more take longer and tell no more.
    static let mostViews = 40

    private let pattern: CalibrationPattern
    private(set) var views: [View] = []
    private var size: (width: Int, height: Int)?
    /// How many pictures have been looked at.
    private(set) var looked = 0
    /// How often chessboards of which size were seen in the first pictures.
    private var sizes: [CalibrationPattern.Size: Int] = [:]
    /// The most pictures that are looked at for a chessboard of any size.
    private static let mostCounted = 20

    /// A calibrator that has seen no picture yet.
    public init(pattern: CalibrationPattern) {
        _ = openCVIsInitialized
        self.pattern = pattern
    }

    /// Looks through a video or photo.
    ///
    /// - Parameters:
    ///   - file: The video's or photo's path.
    ///   - progress: Called before each frame is looked at with the number of those before it and of views so far;
    ///     false stops the work.
    /// - Throws: `CancelledError` where it was stopped, `CalibrationError` where the pictures have another size than the
    ///   ones before.
    public mutating func add(file: String, progress: (_ looked: Int, _ views: Int) -> Bool) throws {
        let reader = try FrameReader(path: file)
        var next = -Double.infinity
        while let frame = try reader.next() {
            guard progress(looked, views.count) else { throw CancelledError() }
            guard frame.seconds >= next else { continue }
            next = frame.seconds + Self.interval
            try add(frame, file: Files.name(of: file))
        }
    }

    mutating func add(_ frame: VideoFrame, file: String) throws {
        if let size, size != (frame.width, frame.height) {
            throw CalibrationError(
                "\(file) has \(frame.width)×\(frame.height) pixels and the files before it \(size.width)×\(size.height); "
                    + "expected one size, of one camera")
        }
        size = (frame.width, frame.height)
        looked += 1
        if looked <= Self.mostCounted, let size = try pattern.chessboardSize(in: frame) { sizes[size, default: 0] += 1 }
        guard let (flat, seen) = try pattern.find(in: frame), let box = Box(around: seen), box.area > 0 else { return }
        var sharpness = 0.0
        try frame.withLuma { try check(ocv_sharpness(ocv_plane($0), box.ocv, &sharpness), "measure the sharpness") }
        let (w, h) = (Double(frame.width), Double(frame.height))
        // An upright view of the pattern has the pattern's own proportions; tilting shortens one of them.
        let extent = Box(around: flat) ?? box
        let slant = (box.width / box.height) * (extent.height / max(extent.width, 1e-9))
        views.append(
            View(
                file: file, frame: frame.ordinal, flat: flat, seen: seen, sharpness: sharpness,
                traits: [
                    box.center.x / w, box.center.y / h, (box.area / (w * h)).squareRoot(),
                    min(max(slant, 0.25), 4) / 2,
                ]))
    }

    /// The views to use: of the sharper ones, each the one that is least like those taken before it.
    func chosen() -> [View] {
        let sharp = views.map(\.sharpness).sorted()
        guard let median = sharp.isEmpty ? nil : sharp[sharp.count / 2] else { return [] }
        var rest = views.filter { $0.sharpness >= 0.3 * median }
        guard let first = rest.indices.max(by: { rest[$0].seen.count < rest[$1].seen.count }) else { return [] }
        var taken = [rest.remove(at: first)]
        func likeness(_ view: View) -> Double {
            taken.map { other in zip(view.traits, other.traits).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }.min()
                ?? 0
        }
        while taken.count < Self.mostViews,
            let next = rest.indices.max(by: { likeness(rest[$0]) < likeness(rest[$1]) })
        {
            taken.append(rest.remove(at: next))
        }
        return taken
    }

    /// The chessboard that is seen most often, where it is another one than the pattern.
    private var otherSize: CalibrationPattern.Size? {
        let most = sizes.max { ($0.value, $0.key.longer) < ($1.value, $1.key.longer) }
        guard let most, let own = pattern.size, most.key != own else { return nil }
        return most.key
    }

    /// A larger chessboard than the pattern, of which any part would do, in other places from view to view.
    private func checkSize() throws {
        guard let otherSize, let own = pattern.size, otherSize.longer >= own.longer, otherSize.shorter >= own.shorter,
            sizes[otherSize, default: 0] >= 3
        else { return }
        throw CalibrationError("the pattern has \(own) inner corners; \(Self.advice(otherSize))")
    }

    private static func whole(_ value: Double) -> String {
        abs(value) < 1e9 ? "\(Int(value.rounded()))" : "any number of"
    }

    private static func advice(_ size: CalibrationPattern.Size) -> String {
        "the chessboard that is seen has \(size) inner corners; correct the pattern's columns and rows"
    }

    /// What to do about too few views.
    private var advice: String {
        if views.isEmpty, let otherSize { return Self.advice(otherSize) }
        return "check the pattern's \(pattern.traits), show all of it, flat, sharp and well lit"
    }

    /// Computes the camera.
    /// - Throws: `CalibrationError` where the views don't determine the camera.
    public func calibrate() throws -> Calibration {
        try checkSize()
        let chosen = chosen()
        guard let size, chosen.count >= 5 else {
            throw CalibrationError(
                "the pattern was found in \(chosen.count == 1 ? "1 view" : "\(chosen.count) views"); expected 5 or more: "
                    + advice)
        }
        let covered = Self.coverage(chosen, size)
        guard covered >= 0.25 else {
            throw CalibrationError(
                "the views cover \(Int((covered * 100).rounded())) % of the picture; expected 25 % or more: move the pattern "
                    + "to the picture's corners and nearer to the camera")
        }
        var fit = try Self.fit(chosen, size)
        // A few views that are blurred or badly seen would bend the camera: the others do without them.
        let usual = fit.errors.sorted()[fit.errors.count / 2]
        let kept = zip(fit.views, fit.errors).filter { $1 <= max(Self.worstError * usual, 0.1) }.map(\.0)
        if kept.count < chosen.count, kept.count >= max(5, chosen.count * 3 / 4), Self.coverage(kept, size) >= 0.25 {
            fit = try Self.fit(kept, size)
        }
        let (intrinsics, rms, deviations) = (fit.camera, fit.rms, fit.deviations)
        guard rms.isFinite, rms <= Self.largestError * Double(max(size.width, size.height)) else {
            throw CalibrationError(
                "the points lie \(Self.whole(rms)) pixels (RMS) from where any camera would have them; expected "
                    + "\(Self.whole(Self.largestError * Double(max(size.width, size.height)))) or fewer: check the pattern's columns, "
                    + "rows and first id, and that it is flat")
        }
        try Self.checkTilt(fit.views, intrinsics)
        let focal = intrinsics.focalLength
        guard deviations.x < 0.02 * focal.x, deviations.y < 0.02 * focal.y, focal.x > 0 else {
            throw CalibrationError(
                "the focal length is known to ±\(Self.whole(max(deviations.x, deviations.y))) pixels of "
                    + "\(Self.whole(focal.x)) only; expected 2 % or better: show the pattern tilted to all sides, near "
                    + "and far")
        }
        return Calibration(
            camera: intrinsics, rms: rms,
            views: zip(fit.views, fit.errors)
                .map { .init(file: $0.file, frame: $0.frame, rms: $1, points: $0.seen.count) }
                .sorted { ($0.file, $0.frame) < ($1.file, $1.frame) }, coverage: Self.coverage(fit.views, size))
    }

    /// The camera that explains views best.
    private struct Fit {
        var views: [View]
        var camera: CameraIntrinsics
        var rms: Double
        /// Root mean square of each view, pixels.
        var errors: [Double]
        /// Standard deviations of the focal lengths, pixels.
        var deviations: Point
    }

    private static func fit(_ views: [View], _ size: (width: Int, height: Int)) throws -> Fit {
        let counts = views.map { Int32($0.seen.count) }
        let (flat, seen) = (views.flatMap(\.flat).map(\.ocv), views.flatMap(\.seen).map(\.ocv))
        var camera = ocv_camera()
        var rms = 0.0
        var errors = [Double](repeating: 0, count: views.count)
        var deviations = [Double](repeating: 0, count: 4)
        try check(
            ocv_calibrate(
                Int32(size.width), Int32(size.height), flat, seen, counts, Int32(counts.count), &camera, &rms, &errors,
                &deviations), "calibrate")
        let k = camera.distortion
        let intrinsics = CameraIntrinsics(
            width: size.width, height: size.height, focalLength: Point(camera.focalX, camera.focalY),
            principalPoint: Point(camera.centerX, camera.centerY), distortion: [k.0, k.1, k.2, k.3, k.4])
        return Fit(
            views: views, camera: intrinsics, rms: rms, errors: errors, deviations: Point(deviations[0], deviations[1]))
    }

    /// The share of an 8 × 6 grid over the picture in which points were seen.
    private static func coverage(_ views: [View], _ size: (width: Int, height: Int)) -> Double {
        let cells = views.flatMap(\.seen).map { point in
            let (x, y) = (point.x / Double(size.width) * 8, point.y / Double(size.height) * 6)
            return Int(min(max(x, 0), 7)) + 8 * Int(min(max(y, 0), 5))
        }
        return Double(Set(cells).count) / 48
    }

    /// From views of parallel planes alone no focal length follows: distance and focal length change alike.
    private static func checkTilt(_ views: [View], _ camera: CameraIntrinsics) throws {
        let estimator = PoseEstimator(camera)
        let normals = try views.compactMap { view in
            try estimator.poses(of: view.flat, seen: view.seen).first?.rotation([0, 0, 1])
        }
        // The smallest cosine of an angle between two.
        let least = normals.flatMap { a in normals.map { (a * $0).sum() } }.min() ?? 1
        guard abs(least) < 0.97 || normals.count < views.count else {
            throw CalibrationError(
                "the pattern is parallel to itself in all views, within 15°; expected tilts to all sides of 20° to 45°, "
                    + "which alone tell the focal length from the distance")
        }
    }
}
