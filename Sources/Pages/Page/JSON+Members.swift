import Annotate

extension JSONWriter {
    mutating func member(_ key: String, _ text: String) {
        self.key(key)
        value(text)
    }

    mutating func member(_ key: String, _ number: Int) {
        self.key(key)
        value(number)
    }

    mutating func member(_ key: String, _ flag: Bool) {
        self.key(key)
        value(flag)
    }

    mutating func member(_ key: String, _ number: Double, decimals: Int) {
        self.key(key)
        value(number, decimals: decimals)
    }

    mutating func member(_ key: String, _ texts: [String]) {
        self.key(key)
        array { for text in texts { $0.value(text) } }
    }

    mutating func member(_ key: String, _ numbers: [some BinaryInteger]) {
        self.key(key)
        array { for number in numbers { $0.value(Int64(number)) } }
    }

    /// A member with a box, as a track file has it: left, top, width and height.
    mutating func member(_ key: String, _ box: Box) {
        self.key(key)
        array { json in
            for value in [box.x, box.y, box.width, box.height] { json.value(value, decimals: 2) }
        }
    }
}
