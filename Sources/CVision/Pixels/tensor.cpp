#include "Pixels/Guard.hpp"
#include "ocv_pixels.h"

#include <cmath>
#include <cstdlib>

ocv_status ocv_fill_tensor(
    const uint8_t *image, int64_t stride, int32_t width, int32_t height, int32_t channels,
    const ocv_normalization *normalization, float *tensor) noexcept {
    if (!image || !normalization || !tensor || width < 1 || height < 1 || (channels != 1 && channels != 3) ||
        std::abs(stride) < int64_t(width) * channels) {
        return ocv::failure("a tensor needs an image of 1 or 3 channels");
    }
    const bool planar = normalization->layout == OCV_LAYOUT_NCHW;
    if (!planar && normalization->layout != OCV_LAYOUT_NHWC) return ocv::failure("the tensor's layout is unknown");
    const int64_t pixels = int64_t(width) * height;
    for (int c = 0; c < channels; c++) {
        // There are only 256 values: a table gives each the formula's result, computed in double and rounded once.
        float table[256];
        for (int value = 0; value < 256; value++) {
            const double scaled = value * double(normalization->scale);
            table[value] = float((scaled - normalization->mean[c]) / normalization->std[c]);
            if (!std::isfinite(table[value])) return ocv::failure("scale, mean and std must be finite, and std not 0");
        }
        float *out = planar ? tensor + c * pixels : tensor + c;
        const int step = planar ? 1 : channels;
        for (int y = 0; y < height; y++) {
            const uint8_t *row = image + y * stride + c;
            for (int x = 0; x < width; x++, out += step) *out = table[row[x * channels]];
        }
    }
    return ocv::success();
}
