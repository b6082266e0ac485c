#pragma once
#include <array>
#include <cstdint>

// Rows of a picture on their way into a network: `ways()` has the fastest functions that the processor runs. All of them give the
// same bits.

namespace ocv {

/// The two pixels that a sample lies between, from a row's first needed one, and the weight of the second in 1⁄2048.
struct Between {
    int32_t first, second, weight;
    /// The weights of both, the second's in the upper half.
    int32_t both;
};

/// A pixel's components, 0…255: blue, green, red, and 0.
using Pixel = std::array<uint8_t, 4>;

/// The same on their way, four 16-bit lanes a pixel.
using Lanes = std::array<int16_t, 4>;

/// Of Y′CbCr to blue, green and red, in 1⁄65536.
struct Weights {
    int scale, offset, blueFromCb, greenFromCb, greenFromCr, redFromCr;
};

struct Ways {
    void (*luma)(const uint8_t *luma, int scale, int offset, int count, int16_t *out);
    /// Sums of two rows of chroma by weight.
    void (*chromaDown)(const uint8_t *top, const uint8_t *low, int above, int below, int count, int16_t *out);
    /// Two pixels for a value of chroma, left or in their middle. `row` has a value more on either side.
    void (*chromaAcross)(const int16_t *row, bool centered, int total, int count, int16_t *out);
    void (*color)(
        const uint8_t *luma, const int16_t *cb, const int16_t *cr, const Weights &weights, int count, Pixel *out);
    /// A row reduced across: sixteenths of 1⁄2048. `row` has room for a pixel more.
    void (*across)(const Pixel *row, const Between *between, int count, Lanes *out);
    void (*gray)(const int16_t *row, const Between *between, int count, int16_t *out);
    /// Two reduced rows to values of 0…255.
    void (*down)(const int16_t *top, const int16_t *low, int weight, int count, uint8_t *out);
    /// Values 0…255 of one lane, each times a factor, side by side.
    void (*scale)(const uint8_t *values, int lane, int count, float scale, float *out);
};

const Ways &ways();

} // namespace ocv
