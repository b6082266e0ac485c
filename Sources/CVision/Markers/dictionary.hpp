#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ocv::markers {

/// Marker codes as 64-bit words: row by row from the top left, first bit highest, 1 is white.
struct MarkerDictionary {
    struct Match {
        int id = -1;
        /// Which corner of the quadrilateral that was read is the marker's own top left.
        int firstCorner = 0;
        int distance = 0;
    };

    int bits = 0;
    int maxCorrection = 0;
    std::vector<uint64_t> codes;

    /// The built-in dictionary of that name.
    static MarkerDictionary named(const std::string &name);
    /// A dictionary file in OpenCV's form.
    static MarkerDictionary read(const std::string &path);

    /// The nearest code in any of the four orientations; `id` −1 where none is within `limit` wrong bits.
    Match identify(uint64_t code, int limit) const;
    /// The same code as read from the next corner, clockwise.
    uint64_t turned(uint64_t code) const;
    /// Whether a marker's white cells are one upright rectangle, or none: any ring and many a letter has that.
    bool isPlain(int id) const;
    /// The smallest number of bits in which two codes, or one and itself turned, differ.
    int smallestDistance() const;
};

} // namespace ocv::markers
