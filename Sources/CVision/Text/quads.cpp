#include "Text/quads.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::text {
namespace {

float cross(cv::Point2f a, cv::Point2f b) { return a.x * b.y - a.y * b.x; }

/// Where the lines a–b and c–d meet; false where they are all but parallel.
bool meet(cv::Point2f a, cv::Point2f b, cv::Point2f c, cv::Point2f d, cv::Point2f &place) {
    const cv::Point2f u = b - a, v = d - c;
    const float determinant = cross(u, v);
    if (std::abs(determinant) < 1e-3f * float(cv::norm(u) * cv::norm(v))) return false;
    place = a + u * (cross(c - a, v) / determinant);
    return true;
}

/// Clockwise from the side that the docstring promises to be the first.
void order(Quad &quad) {
    if (cross(quad[1] - quad[0], quad[2] - quad[1]) < 0) std::reverse(quad.begin(), quad.end());
    if (height(quad) > width(quad)) std::rotate(quad.begin(), quad.begin() + 1, quad.end());
    const cv::Point2f along = quad[1] - quad[0] + quad[2] - quad[3];
    const bool isUpright = std::abs(along.y) > std::abs(along.x);
    if ((isUpright ? along.y : along.x) < 0) std::rotate(quad.begin(), quad.begin() + 2, quad.end());
}

float middle(std::vector<float> values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// A line y = slope · x + offset that most of the places follow (Theil 1950, over pairs far apart).
struct Line {
    float slope = 0, offset = 0;

    explicit Line(const std::vector<cv::Point2f> &places) {
        std::vector<float> slopes, offsets;
        const size_t half = places.size() / 2;
        for (size_t i = 0; i < half; i++) {
            for (size_t step : {half, half + half / 2}) {
                if (i + step >= places.size()) continue;
                const cv::Point2f way = places[i + step] - places[i];
                if (way.x > 0) slopes.push_back(way.y / way.x);
            }
        }
        if (!slopes.empty()) slope = middle(slopes);
        for (const cv::Point2f &p : places) offsets.push_back(p.y - slope * p.x);
        if (!offsets.empty()) offset = middle(offsets);
    }
};

} // namespace

bool rectangleAround(const std::vector<Contour> &contours, Quad &quad) {
    Contour points;
    for (const Contour &contour : contours) points.insert(points.end(), contour.begin(), contour.end());
    if (points.size() < 3) return false;
    const cv::RotatedRect box = cv::minAreaRect(points);
    if (box.size.width < 1 || box.size.height < 1) return false;
    box.points(quad.data());
    order(quad);
    return true;
}

Quad inPerspective(const std::vector<Contour> &contours, const Quad &rectangle) {
    const float length = float(width(rectangle)), across = float(height(rectangle));
    // Of a word of few letters nothing tells perspective from what reaches below.
    if (length < 9 * across) return rectangle;
    const cv::Point2f right = (rectangle[1] - rectangle[0]) / length, down = (rectangle[3] - rectangle[0]) / across;
    Contour points;
    for (const Contour &contour : contours) points.insert(points.end(), contour.begin(), contour.end());
    const cv::Rect box = cv::boundingRect(points);
    cv::Mat mask = cv::Mat::zeros(box.size(), CV_8U);
    cv::drawContours(mask, contours, -1, 255, cv::FILLED, cv::LINE_8, cv::noArray(), 0, -box.tl());
    const size_t columns = size_t(length / 2) + 1;
    std::vector<float> tops(columns, 1e9f), bottoms(columns, -1e9f);
    for (int y = 0; y < mask.rows; y++) {
        for (int x = 0; x < mask.cols; x++) {
            if (!mask.at<uint8_t>(y, x)) continue;
            const cv::Point2f way = cv::Point2f(float(x + box.x), float(y + box.y)) - rectangle[0];
            const float u = way.dot(right), v = way.dot(down);
            if (u < 0 || u > length) continue;
            const size_t column = std::min(size_t(u / 2), columns - 1);
            tops[column] = std::min(tops[column], v);
            bottoms[column] = std::max(bottoms[column], v);
        }
    }
    std::vector<cv::Point2f> above, below;
    for (size_t i = 0; i < columns; i++) {
        // The ends are round.
        const float u = (float(i) + 0.5f) * 2;
        if (u < across / 2 || u > length - across / 2 || bottoms[i] < tops[i]) continue;
        above.emplace_back(u, tops[i]);
        below.emplace_back(u, bottoms[i]);
    }
    if (above.size() < 8) return rectangle;
    const Line top(above), bottom(below);
    // Out to where nine tenths of the columns are inside.
    std::vector<float> over, under;
    for (const cv::Point2f &p : above) over.push_back(top.slope * p.x + top.offset - p.y);
    for (const cv::Point2f &p : below) under.push_back(p.y - bottom.slope * p.x - bottom.offset);
    std::sort(over.begin(), over.end());
    std::sort(under.begin(), under.end());
    const float rise = std::max(0.0f, over[over.size() * 9 / 10]), fall = std::max(0.0f, under[under.size() * 9 / 10]);
    const auto place = [&](float u, const Line &line, float out) {
        return rectangle[0] + right * u + down * (line.slope * u + line.offset + out);
    };
    const Quad quad{
        place(0, top, -rise), place(length, top, -rise), place(length, bottom, fall), place(0, bottom, fall)};
    const double left = cv::norm(quad[3] - quad[0]), end = cv::norm(quad[2] - quad[1]);
    const bool isPlausible = cv::isContourConvex(std::vector<cv::Point2f>(quad.begin(), quad.end())) &&
                             std::min(left, end) > 0.4 * std::max(left, end) && area(quad) < area(rectangle) * 1.05;
    return isPlausible ? quad : rectangle;
}

Quad grown(const Quad &quad, float way) {
    Quad from, to;
    for (size_t i = 0; i < 4; i++) {
        const cv::Point2f side = quad[(i + 1) % 4] - quad[i];
        const float length = std::max(float(cv::norm(side)), 1e-6f);
        // Clockwise with y down: outwards is to the left of a side.
        const cv::Point2f out(side.y / length, -side.x / length);
        from[i] = quad[i] + out * way;
        to[i] = quad[(i + 1) % 4] + out * way;
    }
    Quad result;
    for (size_t i = 0; i < 4; i++) {
        const size_t before = (i + 3) % 4;
        if (!meet(from[before], to[before], from[i], to[i], result[i])) result[i] = quad[i];
    }
    return result;
}

double area(const Quad &quad) {
    double twice = 0;
    for (size_t i = 0; i < 4; i++) twice += cross(quad[i], quad[(i + 1) % 4]);
    return std::abs(twice) / 2;
}

double perimeter(const Quad &quad) { return 2 * (width(quad) + height(quad)); }

double width(const Quad &quad) { return (cv::norm(quad[1] - quad[0]) + cv::norm(quad[2] - quad[3])) / 2; }

double height(const Quad &quad) { return (cv::norm(quad[3] - quad[0]) + cv::norm(quad[2] - quad[1])) / 2; }

} // namespace ocv::text
