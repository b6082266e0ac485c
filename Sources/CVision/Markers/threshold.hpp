#pragma once
#include "ocv_pixels.h"

#include <cstdint>
#include <vector>

namespace ocv::markers {

/// A picture of dark (1) and light (0) pixels with a frame of light pixels around it, so that neighbours can be read
/// without asking where the picture ends. Signed, because the border follower marks what it has visited below zero.
struct DarkMask {
    int width = 0, height = 0;
    int64_t stride = 0;
    std::vector<int8_t> cells;

    void resize(int newWidth, int newHeight);
    /// The pixel at (0, 0) of the picture.
    int8_t *origin() { return cells.data() + stride + frame; }
    /// Light pixels to the left of each row; a whole vector, so that stores may run over the right end.
    static constexpr int frame = 32;
};

/// Marks what is darker than the mean of its surroundings: `cv::adaptiveThreshold` with ADAPTIVE_THRESH_MEAN_C and
/// THRESH_BINARY_INV, several times faster for windows up to 15 px.
class AdaptiveThreshold {
public:
    /// `window` is odd, in pixels; `offset` in luma levels, 0…127.
    void apply(ocv_plane plane, int window, int offset, DarkMask &out);

private:
    void applySmall(ocv_plane plane, int window, int offset, DarkMask &out);
    void applyLarge(ocv_plane plane, int window, int offset, DarkMask &out);

    std::vector<uint16_t> columns, quads;
    std::vector<uint8_t> means;
};

} // namespace ocv::markers
