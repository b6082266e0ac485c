#pragma once
#include "ocv_pixels.h"

#include <algorithm>

// Single pixels of a picture as 8-bit values, by whole coordinates inside the picture. Each fetcher has the number of
// channels that it makes and `row(y)`, whose `operator()(x, values)` fetches; crop.cpp is compiled once for each.

namespace ocv {

inline int clamped(int value) { return std::clamp(value, 0, 255); }

struct FetchPlane {
    static constexpr int channels = 1;
    ocv_plane plane;
    int scale, offset; // 16-bit fixed point

    explicit FetchPlane(const ocv_picture &picture) : plane(picture.planes[0]) {
        scale = picture.fullRange ? 1 << 16 : int(255.0 / 219 * (1 << 16) + 0.5);
        offset = (picture.fullRange ? 0 : -16 * scale) + (1 << 15);
    }
    struct Row {
        const uint8_t *data;
        int scale, offset;
        void operator()(int x, int *values) const { values[0] = clamped((data[x] * scale + offset) >> 16); }
    };
    Row row(int y) const { return {plane.data + y * plane.stride, scale, offset}; }
};

struct FetchBgr {
    static constexpr int channels = 3;
    ocv_plane plane;

    explicit FetchBgr(const ocv_picture &picture) : plane(picture.planes[0]) {}
    struct Row {
        const uint8_t *data;
        void operator()(int x, int *values) const {
            const uint8_t *pixel = data + int64_t(x) * 3;
            values[0] = pixel[0];
            values[1] = pixel[1];
            values[2] = pixel[2];
        }
    };
    Row row(int y) const { return {plane.data + y * plane.stride}; }
};

/// Blue, green and red to grey with `cv::cvtColor`'s weights and rounding.
struct FetchBgrAsGray {
    static constexpr int channels = 1;
    ocv_plane plane;

    explicit FetchBgrAsGray(const ocv_picture &picture) : plane(picture.planes[0]) {}
    struct Row {
        const uint8_t *data;
        void operator()(int x, int *values) const {
            const uint8_t *pixel = data + int64_t(x) * 3;
            values[0] = (pixel[0] * 3735 + pixel[1] * 19235 + pixel[2] * 9798 + (1 << 14)) >> 15;
        }
    };
    Row row(int y) const { return {plane.data + y * plane.stride}; }
};

/// Y′CbCr to blue, green and red. Chroma at a luma pixel is the weighted mean of its neighbours, rounded to 8 bits, up
/// and down in turn so that it stays unbiased: for full-range 4:2:0 exactly libjpeg's “fancy upsampling” and colours.
struct FetchYuv {
    static constexpr int channels = 3;

    /// Where along one axis the chroma of a luma pixel lies, in units of 2^-bits of a chroma sample.
    struct Axis {
        int bits, shift, last;

        Axis(int subsampling, bool centered, int count)
            : bits(subsampling + 1), shift(centered ? 1 - (1 << subsampling) : 0), last(count - 1) {}
        void locate(int at, int &first, int &second, int &weight) const {
            const int place = 2 * at + shift;
            first = place >> bits;
            weight = place & ((1 << bits) - 1);
            second = std::min(std::max(first + 1, 0), last);
            first = std::min(std::max(first, 0), last);
        }
    };

    FetchPlane luma;
    ocv_plane cb, cr;
    Axis across, down;
    bool direct; // one chroma sample a pixel
    int blueFromCb, greenFromCb, greenFromCr, redFromCr;

    explicit FetchYuv(const ocv_picture &picture)
        : luma(picture), cb(picture.planes[1]), cr(picture.planes[2]),
          across(picture.chromaShiftX, picture.siting == OCV_SITING_CENTER, std::min(cb.width, cr.width)),
          down(picture.chromaShiftY, picture.siting != OCV_SITING_TOP_LEFT, std::min(cb.height, cr.height)),
          direct(picture.chromaShiftX == 0 && picture.chromaShiftY == 0) {
        static const double weights[3][2] = {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}};
        const double kr = weights[picture.matrix][0], kb = weights[picture.matrix][1], kg = 1 - kr - kb;
        const double one = (picture.fullRange ? 1 : 255.0 / 224) * (1 << 16);
        redFromCr = int(2 * (1 - kr) * one + 0.5);
        blueFromCb = int(2 * (1 - kb) * one + 0.5);
        greenFromCr = -int(2 * kr * (1 - kr) / kg * one + 0.5);
        greenFromCb = -int(2 * kb * (1 - kb) / kg * one + 0.5);
    }

    struct Row {
        const FetchYuv &of;
        const uint8_t *y, *cbTop, *cbLow, *crTop, *crLow;
        int weight;

        void operator()(int x, int *values) const {
            int b, r;
            if (of.direct) {
                const int at = std::min(x, of.across.last);
                b = cbTop[at];
                r = crTop[at];
            } else {
                int x0, x1, w;
                of.across.locate(x, x0, x1, w);
                const int total = of.across.bits + of.down.bits, half = (1 << (total - 1)) - (x & 1);
                // The weights of the four neighbours.
                const int all = 1 << of.across.bits, above = (1 << of.down.bits) - weight;
                const int a = above * (all - w), c = above * w, d = weight * (all - w), e = weight * w;
                b = (a * cbTop[x0] + c * cbTop[x1] + d * cbLow[x0] + e * cbLow[x1] + half) >> total;
                r = (a * crTop[x0] + c * crTop[x1] + d * crLow[x0] + e * crLow[x1] + half) >> total;
            }
            b -= 128;
            r -= 128;
            const int base = y[x] * of.luma.scale + of.luma.offset;
            values[0] = clamped((base + of.blueFromCb * b) >> 16);
            values[1] = clamped((base + of.greenFromCb * b + of.greenFromCr * r) >> 16);
            values[2] = clamped((base + of.redFromCr * r) >> 16);
        }
    };
    Row row(int y) const {
        int top, low, weight;
        down.locate(y, top, low, weight);
        return {
            *this,
            luma.plane.data + y * luma.plane.stride,
            cb.data + top * cb.stride,
            cb.data + low * cb.stride,
            cr.data + top * cr.stride,
            cr.data + low * cr.stride,
            weight};
    }
};

} // namespace ocv
