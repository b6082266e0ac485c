#include "Markers/threshold.hpp"
#include "Pixels/Guard.hpp"
#include "Pixels/lanes.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace ocv::markers {

void DarkMask::resize(int newWidth, int newHeight) {
    if (newWidth == width && newHeight == height) return;
    width = newWidth;
    height = newHeight;
    stride = (width + 2 * frame + 15) / 16 * 16;
    cells.assign(size_t(stride) * size_t(height + 2), 0);
}

void AdaptiveThreshold::apply(ocv_plane plane, int window, int offset, DarkMask &out) {
    out.resize(plane.width, plane.height);
    // 15 × 15 × 255 is the largest sum that 16 bits hold.
    window <= 15 ? applySmall(plane, window, offset, out) : applyLarge(plane, window, offset, out);
    // The rows' stores and the border follower's marks both leave something right of the picture's end.
    for (int y = 0; y < plane.height; ++y) std::fill_n(out.origin() + y * out.stride + plane.width, 16, int8_t(0));
}

void AdaptiveThreshold::applySmall(ocv_plane plane, int window, int offset, DarkMask &out) {
    using namespace cv;
    const int radius = window / 2, width = plane.width, height = plane.height;
    const auto row = [&](int y) { return plane.data + int64_t(std::clamp(y, 0, height - 1)) * plane.stride; };

    // Sums down each column of the window, with the outermost ones repeated to both sides.
    const int padded = width + 2 * radius;
    columns.assign(size_t(padded) + 32, 0);
    quads.assign(size_t(padded) + 32, 0);
    uint16_t *sums = columns.data() + radius;
    for (int y = -radius; y <= radius; ++y)
        for (int x = 0; x < width; ++x) sums[x] = uint16_t(sums[x] + row(y)[x]);

    const v_uint16x8 reciprocal = v_setall_u16(uint16_t(65536 / (window * window)));
    const v_uint16x8 darker = v_setall_u16(uint16_t(offset)), one = v_setall_u16(1);
    for (int y = 0; y < height; ++y) {
        if (y > 0) {
            const uint8_t *added = row(y + radius), *removed = row(y - radius - 1);
            int x = 0;
            for (; x + 8 <= width; x += 8)
                v_store(
                    sums + x,
                    v_sub_wrap(v_add_wrap(v_load(sums + x), v_load_expand(added + x)), v_load_expand(removed + x)));
            for (; x < width; ++x) sums[x] = uint16_t(sums[x] + added[x] - removed[x]);
        }
        std::fill_n(columns.data(), radius, sums[0]);
        std::fill_n(sums + width, radius, sums[width - 1]);

        // Sums of four neighbouring columns first: with those a window is a quarter of the additions.
        for (int x = 0; x < padded; x += 8) {
            const uint16_t *c = columns.data() + x;
            v_store(
                quads.data() + x,
                v_add_wrap(v_add_wrap(v_load(c), v_load(c + 1)), v_add_wrap(v_load(c + 2), v_load(c + 3))));
        }
        const auto dark = [&](int x, v_uint16x8 pixels) {
            v_uint16x8 sum = v_setzero_u16();
            int k = 0;
            for (; k + 4 <= window; k += 4) sum = v_add_wrap(sum, v_load(quads.data() + x + k));
            for (; k < window; ++k) sum = v_add_wrap(sum, v_load(columns.data() + x + k));
            return lanesBoth(lanesLess(v_add_wrap(pixels, darker), v_mul_hi(sum, reciprocal)), one);
        };
        const uint8_t *pixels = row(y);
        int8_t *target = out.origin() + y * out.stride;
        int x = 0;
        for (; x + 16 <= width; x += 16)
            v_store(
                reinterpret_cast<uint8_t *>(target + x),
                v_pack(dark(x, v_load_expand(pixels + x)), dark(x + 8, v_load_expand(pixels + x + 8))));
        if (x < width) {
            uint8_t rest[16] = {};
            std::copy(pixels + x, pixels + width, rest);
            v_store(
                reinterpret_cast<uint8_t *>(target + x),
                v_pack(dark(x, v_load_expand(rest)), dark(x + 8, v_load_expand(rest + 8))));
        }
    }
}

void AdaptiveThreshold::applyLarge(ocv_plane plane, int window, int offset, DarkMask &out) {
    means.resize(size_t(plane.width) * size_t(plane.height));
    cv::Mat mean(plane.height, plane.width, CV_8UC1, means.data());
    cv::boxFilter(
        view(plane), mean, CV_8U, {window, window}, {-1, -1}, true, cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
    for (int y = 0; y < plane.height; ++y) {
        const uint8_t *pixels = plane.data + y * plane.stride, *level = mean.ptr(y);
        int8_t *target = out.origin() + y * out.stride;
        for (int x = 0; x < plane.width; ++x) target[x] = pixels[x] + offset < level[x];
    }
}

} // namespace ocv::markers
