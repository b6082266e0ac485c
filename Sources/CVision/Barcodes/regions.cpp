#include "Pixels/Guard.hpp"
#include "Pixels/clones.hpp"
#include "Pixels/modules.hpp"
#include "Pixels/sorting.hpp"
#include "ocv_barcodes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace ocv::barcodes {
namespace {

/// Side of the cells in which edges are summed, pixels of the scale.
constexpr int cell = 4;

/// Adds the strength of a row's edges from its second pixel on, up and down as well as along it, to sums down the columns.
OCV_CLONES void addEdges(const uint8_t *above, const uint8_t *row, const uint8_t *below, int count, uint16_t *sums) {
    // Differences over two pixels: bars two pixels wide still show.
    for (int x = 1; x < count; x++) {
        const int across = std::abs(row[x + 1] - row[x - 1]), down = std::abs(below[x] - above[x]);
        sums[x] = uint16_t(sums[x] + across + down);
    }
}

/// The mean strength of edges in each cell, grey levels over two pixels: half of both differences.
cv::Mat edges(const cv::Mat &luma) {
    const int width = luma.cols / cell * cell, height = luma.rows / cell * cell;
    cv::Mat energy(height / cell, width / cell, CV_8U);
    std::vector<uint16_t> sums(size_t(width), 0);
    constexpr int count = 2 * cell * cell;
    for (int top = 0; top < height; top += cell) {
        std::fill(sums.begin(), sums.end(), uint16_t(0));
        for (int y = std::max(top, 1); y < std::min(top + cell, height - 1); y++)
            addEdges(luma.ptr(y - 1), luma.ptr(y), luma.ptr(y + 1), width - 1, sums.data());
        uint8_t *out = energy.ptr(top / cell);
        for (size_t x = 0; x < sums.size(); x += cell)
            *out++ = uint8_t((sums[x] + sums[x + 1] + sums[x + 2] + sums[x + 3] + count / 2) / count);
    }
    return energy;
}

/// The structure tensor of a region: the direction of its edges.
struct Tensor {
    double xx = 0, yy = 0, xy = 0;
};

/// A grid of places inside a rectangle of cells, in the rectangle's own axes.
class Grid {
public:
    explicit Grid(const cv::RotatedRect &rect) { rect.points(corners); }

    /// Calls with each place's pixel that has neighbours in the picture.
    template <typename Visit> void visit(const cv::Mat &luma, const Visit &visit) const {
        for (int j = 0; j < steps; j++) {
            for (int i = 0; i < steps; i++) {
                const float u = (i + 0.5f) / steps, v = (j + 0.5f) / steps;
                const cv::Point2f p = corners[0] + (corners[1] - corners[0]) * u + (corners[3] - corners[0]) * v;
                const int x = cvRound((p.x + 0.5f) * cell), y = cvRound((p.y + 0.5f) * cell);
                if (x < 1 || y < 1 || x + 1 >= luma.cols || y + 1 >= luma.rows) continue;
                visit(luma.ptr(y) + x);
            }
        }
    }

    static constexpr int steps = 30;

private:
    cv::Point2f corners[4];
};

/// The standard deviation of a region's grey values over their range: 0.5 for black and white, 0.29 for evenly spread values,
/// less for most textures.
double contrast(const cv::Mat &luma, const Grid &grid) {
    int histogram[256] = {};
    int64_t sum = 0, squares = 0;
    int count = 0;
    grid.visit(luma, [&](const uint8_t *pixel) {
        histogram[*pixel]++;
        sum += *pixel;
        squares += *pixel * *pixel;
        count++;
    });
    if (count < Grid::steps) return 0;
    const auto level = [&](double share) {
        int left = int(share * count), value = 0;
        while (value < 255 && left >= histogram[value]) left -= histogram[value++];
        return value;
    };
    const double range = std::max(level(0.97) - level(0.03), 24), mean = double(sum) / count;
    return std::sqrt(std::max(double(squares) / count - mean * mean, 0.0)) / range;
}

Tensor tensor(const cv::Mat &luma, const Grid &grid) {
    int64_t xx = 0, yy = 0, xy = 0;
    const auto stride = ptrdiff_t(luma.step);
    grid.visit(luma, [&](const uint8_t *pixel) {
        const int dx = pixel[1] - pixel[-1], dy = pixel[stride] - pixel[-stride];
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    });
    return {double(xx), double(yy), double(xy)};
}

/// The rectangle around a component, its first side across the bars.
ocv_code_region region(const cv::RotatedRect &rect, const Tensor &tensor, double scale, double score) {
    ocv_code_region out{};
    const auto [xx, yy, xy] = tensor;
    const double sum = xx + yy;
    out.coherence = sum > 0 ? std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy) / sum : 0;
    out.score = score;
    const double across = 0.5 * std::atan2(2 * xy, xx - yy);
    cv::Point2f corners[4];
    rect.points(corners);
    // Clockwise in a picture whose y runs down.
    cv::Point2f side = corners[1] - corners[0], next = corners[2] - corners[1];
    if (side.x * next.y - side.y * next.x < 0) std::reverse(corners, corners + 4);
    int first = 0;
    double best = -1;
    for (int i = 0; i < 2; i++) {
        const cv::Point2f way = corners[(i + 1) % 4] - corners[i];
        const double length = std::hypot(way.x, way.y);
        // Where no direction prevails, the longer side: rows of bars are longer than high.
        const double along = out.coherence > 0.3
                               ? std::abs(way.x * std::cos(across) + way.y * std::sin(across)) / std::max(length, 1e-6)
                               : length;
        if (along > best) {
            best = along;
            first = i;
        }
    }
    for (int i = 0; i < 4; i++) {
        const cv::Point2f p = corners[(first + i) % 4];
        out.corners[i] = {(p.x + 0.5) * cell * scale - 0.5, (p.y + 0.5) * cell * scale - 0.5};
    }
    return out;
}

/// What has been looked at in a picture: most places show at several thresholds.
class Looks {
public:
    /// How one of them looks.
    struct Look {
        cv::RotatedRect rect;
        double contrast;
        /// Where it has been asked for: what lacks contrast needs none.
        std::optional<Tensor> tensor;
    };

    explicit Looks(const cv::Mat &luma) : luma(luma) {}

    Look &at(const cv::RotatedRect &rect) {
        for (Look &known : all)
            if (known.rect.center == rect.center && known.rect.size == rect.size && known.rect.angle == rect.angle)
                return known;
        all.push_back({rect, contrast(luma, Grid(rect)), std::nullopt});
        return all.back();
    }

    const Tensor &tensor(Look &look) {
        if (!look.tensor) look.tensor = barcodes::tensor(luma, Grid(look.rect));
        return *look.tensor;
    }

private:
    const cv::Mat &luma;
    std::vector<Look> all;
};

/// Regions of cells with strong edges at one scale and one threshold.
/// - Parameter bridged: the cells, with gaps between them bridged.
void collect(
    Looks &looks, const cv::Mat &bridged, double threshold, int tie, double scale,
    std::vector<ocv_code_region> &found) {
    // Thin ties to edges nearby are cut.
    cv::Mat strong;
    cv::morphologyEx(bridged, strong, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(tie, tie)));
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(strong, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
    for (const auto &contour : contours) {
        const cv::Rect box = cv::boundingRect(contour);
        if (std::max(box.width, box.height) < 6 || std::min(box.width, box.height) < 3) continue;
        cv::RotatedRect rect = cv::minAreaRect(contour);
        // The contour runs through the cells' middles.
        rect.size.width += 1;
        rect.size.height += 1;
        const double area = rect.size.area();
        const double filled = (cv::contourArea(contour) + cv::arcLength(contour, true) / 2 + 1) / area;
        const double shorter = std::min(rect.size.width, rect.size.height);
        const double longer = std::max(rect.size.width, rect.size.height);
        if (filled < 0.6 || shorter < 4 || longer > 12 * shorter) continue;
        Looks::Look &seen = looks.at(rect);
        if (seen.contrast < 0.25) continue;
        const double likely = std::min((seen.contrast - 0.2) / 0.2, 1.0);
        found.push_back(region(
            rect, looks.tensor(seen), scale,
            filled * filled * likely * std::sqrt(threshold * std::sqrt(area) * std::sqrt(scale))));
    }
}

cv::Rect2d bounds(const ocv_code_region &region) {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const ocv_point &p : region.corners) {
        left = std::min(left, p.x);
        right = std::max(right, p.x);
        top = std::min(top, p.y);
        bottom = std::max(bottom, p.y);
    }
    return {left, top, right - left, bottom - top};
}

bool isSame(const ocv_code_region &a, const ocv_code_region &b) {
    const cv::Rect2d p = bounds(a), q = bounds(b);
    const double common = (p & q).area();
    return common > 0.75 * (p.area() + q.area() - common);
}

} // namespace
} // namespace ocv::barcodes

using namespace ocv::barcodes;

ocv_status ocv_find_code_regions(ocv_plane luma, ocv_code_region *regions, int32_t capacity, int32_t *count) noexcept {
    if (!luma.data || luma.width < 1 || luma.height < 1 || !regions || capacity < 1 || !count)
        return ocv::failure("looking for codes needs a picture and room for the result");
    *count = 0;
    return ocv::guarded([&] {
        std::vector<ocv_code_region> found;
        cv::Mat level = ocv::view(luma);
        double scale = 1;
        for (int octave = 0; octave < 3 && level.cols >= 16 * cell && level.rows >= 16 * cell; octave++) {
            cv::Mat energy = edges(level);
            cv::blur(energy, energy, cv::Size(3, 3));
            Looks looks(level);
            const cv::Mat near = cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3));
            for (const int strength : {7, 12, 20, 32}) {
                cv::Mat bridged;
                cv::compare(energy, strength, bridged, cv::CMP_GT);
                cv::morphologyEx(bridged, bridged, cv::MORPH_CLOSE, near);
                for (const int tie : {3, 5}) collect(looks, bridged, strength, tie, scale, found);
            }
            cv::Mat half;
            cv::resize(level, half, cv::Size(level.cols / 2, level.rows / 2), 0, 0, cv::INTER_AREA);
            level = half;
            scale *= 2;
        }
        ocv::sortByScore(found);
        for (const ocv_code_region &region : found) {
            if (*count == capacity) break;
            if (std::none_of(regions, regions + *count, [&](const auto &other) { return isSame(other, region); }))
                regions[(*count)++] = region;
        }
    });
}
