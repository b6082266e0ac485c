#pragma once
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

// The built-in styles, each from one 8-bit BGR picture to another of its size. `unit` is a 512th of the shorter side, at
// least a fifth of a pixel: what strokes are measured in.

namespace ocv::alter {

cv::Mat burnedPaper(const cv::Mat &source, double unit);
cv::Mat mosaic(const cv::Mat &source, double unit);
cv::Mat pencilSketch(const cv::Mat &source, double unit);
cv::Mat watercolor(const cv::Mat &source, double unit);
cv::Mat oilPaint(const cv::Mat &source, double unit);
cv::Mat comic(const cv::Mat &source, double unit);
cv::Mat neon(const cv::Mat &source, double unit);
cv::Mat engraving(const cv::Mat &source, double unit);

/// Whole numbers scattered over 0…2³²−1 (a finalizer of MurmurHash3 over the coordinates): the same on every machine.
inline uint32_t scattered(int x, int y, uint32_t salt) {
    uint32_t h = uint32_t(x) * 0x9e3779b1u ^ uint32_t(y) * 0x85ebca77u ^ salt * 0xc2b2ae3du;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

/// The same as a fraction of 1.
inline double fraction(int x, int y, uint32_t salt) { return scattered(x, y, salt) / 4294967296.0; }

/// Value noise: smooth between the corners of a lattice of squares of side 1, 0…1.
inline double noise(double x, double y, uint32_t salt) {
    const double fx = std::floor(x), fy = std::floor(y);
    const int ix = int(fx), iy = int(fy);
    double u = x - fx, v = y - fy;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    const double a = fraction(ix, iy, salt), b = fraction(ix + 1, iy, salt);
    const double c = fraction(ix, iy + 1, salt), d = fraction(ix + 1, iy + 1, salt);
    return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

/// Noise of several octaves, 0…1.
inline double turbulence(double x, double y, int octaves, uint32_t salt) {
    double sum = 0, weight = 0.5, total = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * noise(x, y, salt + uint32_t(i));
        total += weight;
        weight /= 2;
        x *= 2;
        y *= 2;
    }
    return sum / total;
}

inline double mix(double a, double b, double share) { return a + (b - a) * share; }
inline double limited(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }
inline double smoothstep(double from, double to, double value) {
    const double t = limited((value - from) / (to - from));
    return t * t * (3 - 2 * t);
}
inline uchar code(double value) { return cv::saturate_cast<uchar>(value); }

/// A Gaussian blur whose kernel follows the standard deviation, in OpenCV's fixed point; a wide one at a lower size.
inline cv::Mat blurred(const cv::Mat &source, double sigma) {
    cv::Mat result;
    if (sigma > 8 && std::min(source.cols, source.rows) >= 16) {
        cv::resize(source, result, {(source.cols + 3) / 4, (source.rows + 3) / 4}, 0, 0, cv::INTER_AREA);
        result = blurred(result, sigma / 4);
        cv::resize(result, result, source.size(), 0, 0, cv::INTER_LINEAR);
        return result;
    }
    const int size = 2 * int(std::ceil(sigma * 2.5)) + 1;
    cv::GaussianBlur(source, result, {size, size}, sigma, sigma, cv::BORDER_REPLICATE);
    return result;
}

inline cv::Mat gray(const cv::Mat &source) {
    cv::Mat result;
    cv::cvtColor(source, result, cv::COLOR_BGR2GRAY);
    return result;
}

/// Colours farther from or nearer to their grey.
inline cv::Vec3d saturated(const cv::Vec3d &color, double factor) {
    const double luma = 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2];
    return {mix(luma, color[0], factor), mix(luma, color[1], factor), mix(luma, color[2], factor)};
}

} // namespace ocv::alter
