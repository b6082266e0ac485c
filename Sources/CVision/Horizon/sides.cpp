#include "Horizon/sides.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ocv::horizon {
namespace {

/// The middle value of a histogram; -1 of an empty one.
int median(const std::array<int, 256> &histogram) {
    int left = 0;
    for (int count : histogram) left += count;
    if (left == 0) return -1;
    left = (left + 1) / 2;
    int value = 0;
    while (left > histogram[size_t(value)]) left -= histogram[size_t(value++)];
    return value;
}

} // namespace

Sides sides(const Planes &planes, const Line &line) {
    Sides out;
    const int width = planes[0].cols, height = planes[0].rows;
    const double c = std::cos(line.angle), s = std::sin(line.angle);
    double sums[4] = {}, counts[2] = {};
    std::array<int, 256> near{}, far{};
    for (int y = 0; y < height; y += 2) {
        for (int x = 0; x < width; x += 2) {
            const double below = (y - (height - 1) / 2.0) * c - (x - (width - 1) / 2.0) * s - line.offset;
            if (std::abs(below) < 3) continue;
            const int side = below > 0;
            counts[side]++;
            if (planes.size() == 3)
                for (int k = 0; k < 2; k++) sums[2 * side + k] += planes[size_t(k) + 1].at<float>(y, x) - 128;
            if (side == 0) {
                const size_t value = size_t(std::clamp(planes[0].at<float>(y, x), 0.0f, 255.0f));
                (-below < 0.1 * height ? near : far)[value]++;
            }
        }
    }
    if (counts[0] > 0) out.sky = {sums[0] / counts[0], sums[1] / counts[0]};
    if (counts[1] > 0) out.ground = {sums[2] / counts[1], sums[3] / counts[1]};
    const int low = median(near), high = median(far);
    out.falls = low >= 0 && high >= 0 ? high - low : 0;
    return out;
}

} // namespace ocv::horizon
