/// A script in the format of Advanced SubStation Alpha 4+, whose events draw shapes and text over a video.
package enum OverlayScript {
    /// The script's text before its events. A style's border and shadow are none, and places are in pixels of the
    /// picture as shown.
    package static func header(_ size: PictureSize) throws(TextError) -> String {
        let font = try TextRenderer(size: 24).font()
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(size.width)
            PlayResY: \(size.height)
            WrapStyle: 2
            ScaledBorderAndShadow: yes
            YCbCr Matrix: None
            Kerning: yes

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: \(style),\(font.family),28,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
    }

    private static let style = "Default"

    /// An event's line in a file of its own, whose times are hundredths of a second.
    static func line(_ event: ScriptEvent) -> String {
        "Dialogue: \(event.layer),\(time(event.start)),\(time(event.end)),\(style),,0,0,0,,\(event.text)\n"
    }

    /// An event's text as Matroska has it, which keeps the time beside it.
    /// - Parameter order: The event's number in the file.
    package static func packet(_ event: ScriptEvent, order: Int) -> String {
        "\(order),\(event.layer),\(style),,0,0,0,,\(event.text)"
    }

    /// A time in the script.
    /// - Parameter milliseconds: Whole hundredths of a second.
    private static func time(_ milliseconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hundredths = milliseconds / 10
        let (seconds, minutes) = (hundredths / 100, hundredths / 6000)
        return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60)).\(two(hundredths % 100))"
    }
}

/// An event of a script: something that is shown for a while.
package struct ScriptEvent: Hashable {
    /// When it begins, milliseconds.
    package var start: Int64
    /// When it ends, milliseconds.
    package var end: Int64
    /// Layer: events of a higher one lie over those of a lower one.
    package var layer: Int
    /// Text, with the commands to the player.
    package var text: String

    package init(start: Int64, end: Int64, layer: Int, text: String) {
        self.start = start
        self.end = end
        self.layer = layer
        self.text = text
    }
}
