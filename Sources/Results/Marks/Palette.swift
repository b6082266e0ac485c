/// The colours that tell tracks apart.
public enum Palette {
    /// Colour of a thing without a track.
    package static let neutral = RGB(235, 235, 235)

    /// Colour of a face's features, and of joints.
    package static let features = RGB(255, 255, 0)

    // Bright and saturated, so that thin lines survive chroma subsampling, and neighbours far apart in hue.
    private static let chosen: [RGB] = [
        RGB(0, 190, 255), RGB(255, 150, 0), RGB(60, 220, 70), RGB(255, 70, 160), RGB(255, 230, 30), RGB(155, 110, 255),
        RGB(0, 215, 180), RGB(255, 80, 60), RGB(185, 240, 50), RGB(235, 80, 255), RGB(80, 140, 255), RGB(255, 190, 140),
        RGB(0, 165, 95), RGB(205, 150, 80), RGB(165, 255, 210), RGB(215, 0, 90), RGB(120, 195, 225), RGB(220, 180, 255),
        RGB(160, 170, 0), RGB(30, 95, 230), RGB(255, 130, 205), RGB(180, 70, 20), RGB(110, 255, 0), RGB(130, 140, 160),
    ]

    /// The colour of a track: the same in every frame, file and run. After two dozen hand-picked ones, hues advance by
    /// the golden angle.
    ///
    /// - Parameter track: The track's number in the file, from 1; nil for the neutral colour.
    public static func color(track: Int?) -> RGB {
        guard let track, track > 0 else { return neutral }
        if track <= chosen.count { return chosen[track - 1] }
        let turns = Double(track % 1_000_003) * 0.618_033_988_749_894_9
        // Three rings of saturation and value, since hue alone runs out of distinguishable steps.
        let rings = [(0.85, 1.0), (0.55, 1.0), (0.9, 0.78)]
        let (saturation, value) = rings[track % rings.count]
        return rgb(hue: turns - turns.rounded(.down), saturation: saturation, value: value)
    }

    /// Black or white, whichever stands out more from a background.
    public static func text(on background: RGB) -> RGB {
        let luma =
            0.2126 * Double(background.red) + 0.7152 * Double(background.green) + 0.0722 * Double(background.blue)
        return luma > 115 ? RGB(0, 0, 0) : RGB(255, 255, 255)
    }

    /// Hue, saturation and value, each 0…1 (A. R. Smith, “Color gamut transform pairs”, 1978).
    package static func rgb(hue: Double, saturation: Double, value: Double) -> RGB {
        func component(_ offset: Double) -> UInt8 {
            var sector = offset + hue * 6
            if sector >= 6 { sector -= 6 }
            let level = value - value * saturation * max(0, min(sector, 4 - sector, 1))
            return RGB.code(level)
        }
        return RGB(component(5), component(3), component(1))
    }
}
