#include "Text/letters.hpp"

#include "Pixels/components.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace ocv::text {
namespace {

/// Of the component's box at its scale, pixels: larger letters are found at the next one.
constexpr int lowest = 5, highest = 44;

/// Grey levels that a letter differs by from the mean around it, and at least in standard deviations, so that the blur
/// between two letters joins neither (Niblack 1986).
constexpr int contrast = 9;
constexpr double spreads = 0.35;

/// The hull of spans, from the ends of their rows.
std::vector<cv::Point2f> hull(const Span *spans, size_t count, double scale) {
    std::vector<cv::Point2f> ends;
    for (size_t i = 0; i < count;) {
        const Span &first = spans[i];
        while (i < count && spans[i].y == first.y) i++;
        const float v = float((first.y + 0.5) * scale - 0.5);
        ends.emplace_back(float((first.begin + 0.5) * scale - 0.5), v);
        ends.emplace_back(float((spans[i - 1].end - 0.5) * scale - 0.5), v);
    }
    std::vector<cv::Point2f> hull;
    cv::convexHull(ends, hull);
    return hull;
}

} // namespace

Surroundings surroundings(const cv::Mat &luma) {
    Surroundings around;
    cv::Mat squares, mean32;
    const cv::Size window(35, 35);
    cv::blur(luma, around.mean, window);
    cv::sqrBoxFilter(luma, squares, CV_32F, window);
    around.mean.convertTo(mean32, CV_32F);
    squares -= mean32.mul(mean32);
    cv::max(squares, 0, squares);
    cv::sqrt(squares, squares);
    squares.convertTo(around.threshold, CV_8U, spreads);
    cv::max(around.threshold, contrast, around.threshold);
    return around;
}

std::vector<Letter> findLetters(const cv::Mat &luma, const Surroundings &around, double scale, bool isLight) {
    cv::Mat difference, mask;
    if (isLight)
        cv::subtract(luma, around.mean, difference);
    else
        cv::subtract(around.mean, luma, difference);
    cv::compare(difference, around.threshold, mask, cv::CMP_GT);
    const Components found = components(mask);
    std::vector<Letter> letters;
    for (const Component &component : found.all) {
        const cv::Rect &box = component.box;
        const int area = component.area;
        if (box.height < lowest || box.height > highest || box.width < 2 || box.width > 10 * box.height) continue;
        const double fill = double(area) / box.area();
        // Letters that touch are neither a bar nor a thread.
        if (box.width > 3 * box.height && (fill < 0.25 || fill > 0.7)) continue;
        if (area < 8 || fill < 0.12 || box.height > 14 * box.width) continue;
        double grey = 0;
        int strong = 0;
        const Span *spans = found.spans.data() + component.first;
        for (const Span *span = spans; span < spans + component.count; span++) {
            const uint8_t *values = luma.ptr(span->y), *d = difference.ptr(span->y);
            for (int x = span->begin; x < span->end; x++) {
                grey += values[x];
                strong = std::max(strong, int(d[x]));
            }
        }
        if (strong < 2 * contrast) continue;
        Letter letter;
        letter.width = float(box.width * scale);
        letter.height = float(box.height * scale);
        letter.center = cv::Point2f(
            float((box.x + box.width / 2.0) * scale - 0.5), float((box.y + box.height / 2.0) * scale - 0.5));
        letter.grey = float(grey / area);
        letter.hull = hull(spans, component.count, scale);
        letters.push_back(std::move(letter));
    }
    return letters;
}

} // namespace ocv::text
