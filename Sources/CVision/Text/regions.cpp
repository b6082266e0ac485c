#include "Pixels/Guard.hpp"
#include "Text/quads.hpp"
#include "ocv_text.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <tuple>

namespace ocv::text {
namespace {

/// Connected parts of the map that make up one line.
struct Part {
    std::vector<Contour> contours;
    /// The map's sum over the parts, and how many pixels they have.
    double sum = 0, count = 0;
    /// Around them, and grown.
    Quad tight, whole;
    double way = 0;

    /// False where they have no area.
    bool outline(double unclip) {
        if (!rectangleAround(contours, tight)) return false;
        grow(unclip);
        return true;
    }

    void grow(double unclip) {
        // The network was taught text that had been shrunk by a part of its area over its perimeter.
        way = unclip * area(tight) / perimeter(tight);
        whole = grown(tight, float(way));
    }
};

/// Sine of the widest angle between two words of a line, 2.3°; and what more a short one may seem to be turned: by a part
/// of its height, for letters that reach up or down at one end, and by the map's pixels.
constexpr double widestTurn = 0.04, turnOfHeight = 0.06, turnOfPixel = 0.6;

cv::Point2f middle(const Quad &quad) { return (quad[0] + quad[1] + quad[2] + quad[3]) / 4; }

/// True for words of one line: alike in height, in line with each other, no farther apart than words are.
bool areOneLine(const Part &a, const Part &b) {
    // A word of one letter has no direction of its own.
    const Part &longer = width(a.whole) >= width(b.whole) ? a : b, &other = &longer == &a ? b : a;
    const double high = height(longer.whole);
    cv::Point2f along = longer.whole[1] - longer.whole[0] + longer.whole[2] - longer.whole[3];
    along /= std::max(float(cv::norm(along)), 1e-6f);
    const cv::Point2f across(-along.y, along.x);
    const auto extent = [](const Quad &quad, cv::Point2f axis) {
        float least = 1e9f, most = -1e9f;
        for (const cv::Point2f &p : quad) {
            least = std::min(least, p.dot(axis));
            most = std::max(most, p.dot(axis));
        }
        return std::make_pair(least, most);
    };
    // One that is much wider than high runs the same way, as far as its length tells.
    const double length = width(other.whole);
    if (length > 2 * height(other.whole)) {
        cv::Point2f way = other.whole[1] - other.whole[0] + other.whole[2] - other.whole[3];
        way /= std::max(float(cv::norm(way)), 1e-6f);
        if (std::abs(way.dot(across)) > widestTurn + (turnOfHeight * height(other.whole) + turnOfPixel) / length)
            return false;
    }
    const auto [top, bottom] = extent(other.whole, across);
    const double ratio = (bottom - top) / high;
    if (ratio < 0.6 || ratio > 1.6) return false;
    // Where the longer one's middle line is at the other's place, in perspective too.
    if (std::abs((middle(other.whole) - middle(longer.whole)).dot(across)) > 0.3 * high) return false;
    const auto [l0, r0] = extent(longer.whole, along);
    const auto [l1, r1] = extent(other.whole, along);
    const double gap = std::max(l1 - r0, l0 - r1);
    const double overlap = std::min(r0, r1) - std::max(l0, l1);
    return gap < 0.8 * high && overlap < 0.5 * std::min(r0 - l0, r1 - l1);
}

std::vector<Part> partsOf(const cv::Mat &map, const ocv_text_region_options &options) {
    cv::Mat mask;
    cv::compare(map, options.threshold, mask, cv::CMP_GT);
    cv::dilate(mask, mask, cv::Mat::ones(2, 2, CV_8U));
    std::vector<Contour> contours;
    cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
    std::vector<Part> parts;
    for (const Contour &contour : contours) {
        Part part;
        part.contours.push_back(contour);
        if (!part.outline(options.unclip) || height(part.tight) < options.leastSide) continue;
        const cv::Rect box = cv::boundingRect(contour);
        cv::Mat inside = cv::Mat::zeros(box.size(), CV_8U);
        cv::drawContours(inside, part.contours, 0, 255, cv::FILLED, cv::LINE_8, cv::noArray(), 0, -box.tl());
        part.count = cv::countNonZero(inside);
        part.sum = cv::mean(map(box), inside)[0] * part.count;
        if (part.count > 0 && part.sum >= options.leastScore * part.count) parts.push_back(std::move(part));
    }
    return parts;
}

/// Puts the words of lines together, the nearest first.
void join(std::vector<Part> &parts, double unclip) {
    for (bool hasJoined = true; hasJoined;) {
        hasJoined = false;
        for (size_t a = 0; a < parts.size(); a++) {
            for (size_t b = a + 1; b < parts.size(); b++) {
                if (!areOneLine(parts[a], parts[b])) continue;
                Part joined = parts[a];
                joined.contours.insert(joined.contours.end(), parts[b].contours.begin(), parts[b].contours.end());
                joined.sum += parts[b].sum;
                joined.count += parts[b].count;
                // A line is no higher than its words.
                if (!joined.outline(unclip) ||
                    height(joined.whole) > 1.5 * std::max(height(parts[a].whole), height(parts[b].whole))) {
                    continue;
                }
                parts[a] = std::move(joined);
                parts.erase(parts.begin() + long(b));
                b--;
                hasJoined = true;
            }
        }
    }
}

} // namespace
} // namespace ocv::text

ocv_status ocv_text_regions(
    const float *map, int32_t width, int32_t height, ocv_text_region_options options, ocv_text_region *regions,
    int32_t capacity, int32_t *count) OCV_NOEXCEPT {
    return ocv::guarded([&] {
        using namespace ocv::text;
        *count = 0;
        const cv::Mat probability(height, width, CV_32F, const_cast<float *>(map));
        std::vector<Part> parts = partsOf(probability, options);
        // What looks like a thousand words is a texture: the largest are enough.
        constexpr size_t most = 600;
        std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) {
            return std::tie(b.sum, a.tight[0].y, a.tight[0].x) < std::tie(a.sum, b.tight[0].y, b.tight[0].x);
        });
        if (parts.size() > most) parts.resize(most);
        join(parts, options.unclip);
        for (Part &part : parts) {
            if (*count == capacity) break;
            part.tight = inPerspective(part.contours, part.tight);
            part.grow(options.unclip);
            ocv_text_region &region = regions[(*count)++];
            for (size_t i = 0; i < 4; i++) region.corners[i] = {part.whole[i].x, part.whole[i].y};
            region.score = part.sum / part.count;
        }
    });
}
