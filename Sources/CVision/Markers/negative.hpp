#pragma once
#include "ocv_pixels.h"

#include <cstdint>
#include <vector>

namespace ocv::markers {

/// A plane with dark and light exchanged, for markers that are printed white on black.
class Negative {
public:
    /// Stays valid until the next one is asked for.
    ocv_plane of(ocv_plane plane) {
        pixels.resize(size_t(plane.width) * size_t(plane.height));
        uint8_t *to = pixels.data();
        for (int y = 0; y < plane.height; ++y) {
            const uint8_t *from = plane.data + int64_t(y) * plane.stride;
            for (int x = 0; x < plane.width; ++x) *to++ = uint8_t(255 - from[x]);
        }
        return {pixels.data(), plane.width, plane.height, plane.width};
    }

private:
    std::vector<uint8_t> pixels;
};

} // namespace ocv::markers
