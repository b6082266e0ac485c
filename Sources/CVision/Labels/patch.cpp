#include "Labels/patch.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::labels {

namespace {

/// `side`² bilinear samples around a place of a level.
bool sample(const Pyramid &in, int level, cv::Point2d center, int side, float *out) {
    const cv::Mat &image = in.image(level);
    const cv::Point origin = in.origin(level);
    const double left = center.x - origin.x - (side - 1) / 2.0, top = center.y - origin.y - (side - 1) / 2.0;
    if (!(left >= 0 && top >= 0 && left < image.cols - side && top < image.rows - side)) return false;
    const int x0 = int(left), y0 = int(top);
    const float fx = float(left - x0), fy = float(top - y0);
    const float a = (1 - fx) * (1 - fy), b = fx * (1 - fy), c = (1 - fx) * fy, d = fx * fy;
    for (int row = 0; row < side; row++) {
        const uint8_t *upper = image.ptr<uint8_t>(y0 + row) + x0;
        const uint8_t *lower = image.ptr<uint8_t>(y0 + row + 1) + x0;
        for (int column = 0; column < side; column++)
            out[row * side + column] =
                a * upper[column] + b * upper[column + 1] + c * lower[column] + d * lower[column + 1];
    }
    return true;
}

/// The template against samples of the same size.
void correlate(const Template &patch, const float *values, Fit &out, double &gain) {
    const int count = patch.side * patch.side;
    double sum = 0, squares = 0, products = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
        squares += double(values[i]) * values[i];
        products += double(values[i]) * patch.values[size_t(i)];
    }
    const double mean = sum / count;
    const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
    // The template has no mean, so that of the samples plays no part in the products.
    const double covariance = products / count;
    const double scale = patch.deviation * deviation;
    out.correlation = scale > 1e-6 ? covariance / scale : 0;
    out.contrast = patch.deviation > 1e-6 ? deviation / patch.deviation : 0;
    out.brightness = mean - patch.mean;
    gain = patch.deviation > 1e-6 ? covariance / (patch.deviation * patch.deviation) : 1;
}

} // namespace

double Template::corner() const {
    const double count = side * side, a = hxx / count, b = hxy / count, c = hyy / count;
    return (a + c) / 2 - std::sqrt((a - c) * (a - c) / 4 + b * b);
}

double Template::edge() const { return (hxx + hyy) / (side * side) - corner(); }

cv::Point2d Template::across() const {
    const double angle = std::atan2(2 * hxy, hxx - hyy) / 2;
    return {std::cos(angle), std::sin(angle)};
}

bool Template::isEdge() const { return corner() < 0.15 * edge(); }

bool makeTemplate(const Pyramid &from, cv::Point2d place, const Linear &linear, int side, int level, Template &out) {
    const double determinant = linear.determinant();
    if (!(determinant > 1e-3 && determinant < 1e3)) return false;
    const Linear back = linear.inverse();
    // One pixel of the new picture, in pixels of the old one.
    double step = std::sqrt(back.determinant()) * (1 << level);
    int source = 0;
    while (step < 0.7 && level + 1 < from.levels()) {
        level++;
        step *= 2;
    }
    for (double rest = step; rest > 1.42 && source + 1 < from.levels(); rest /= 2) source++;

    constexpr int widest = Template::largest + 2;
    float samples[widest * widest];
    const cv::Mat &image = from.image(source);
    const cv::Point origin = from.origin(source);
    const int wide = side + 2;
    const double scale = double(1 << level) / double(1 << source);
    const cv::Point2d center = toLevel(place, source) - cv::Point2d(origin);
    const double half = (wide - 1) / 2.0;
    for (int row = 0; row < wide; row++)
        for (int column = 0; column < wide; column++) {
            const cv::Point2d p = center + scale * (back * cv::Point2d(column - half, row - half));
            if (!(p.x >= 0 && p.y >= 0 && p.x < image.cols - 1 && p.y < image.rows - 1)) return false;
            const int x = int(p.x), y = int(p.y);
            const float fx = float(p.x - x), fy = float(p.y - y);
            const uint8_t *upper = image.ptr<uint8_t>(y) + x, *lower = image.ptr<uint8_t>(y + 1) + x;
            samples[row * wide + column] =
                (1 - fy) * ((1 - fx) * upper[0] + fx * upper[1]) + fy * ((1 - fx) * lower[0] + fx * lower[1]);
        }

    out.side = side;
    out.level = level;
    const int count = side * side;
    double sum = 0, sumX = 0, sumY = 0;
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const float *at = samples + (row + 1) * wide + column + 1;
            const size_t i = size_t(row * side + column);
            out.values[i] = at[0];
            out.gradientX[i] = (at[1] - at[-1]) / 2;
            out.gradientY[i] = (at[wide] - at[-wide]) / 2;
            sum += out.values[i];
            sumX += out.gradientX[i];
            sumY += out.gradientY[i];
        }
    out.mean = sum / count;
    const float mean = float(out.mean), meanX = float(sumX / count), meanY = float(sumY / count);
    double squares = 0;
    out.hxx = out.hxy = out.hyy = 0;
    for (size_t i = 0; i < size_t(count); i++) {
        out.values[i] -= mean;
        // The offset is taken out of the residuals, hence out of the gradients as well.
        out.gradientX[i] -= meanX;
        out.gradientY[i] -= meanY;
        squares += double(out.values[i]) * out.values[i];
        out.hxx += double(out.gradientX[i]) * out.gradientX[i];
        out.hxy += double(out.gradientX[i]) * out.gradientY[i];
        out.hyy += double(out.gradientY[i]) * out.gradientY[i];
    }
    out.deviation = std::sqrt(squares / count);
    return true;
}

bool compare(const Template &patch, const Pyramid &in, cv::Point2d place, Fit &out) {
    float values[Template::largest * Template::largest];
    if (patch.level >= in.levels() || !sample(in, patch.level, toLevel(place, patch.level), patch.side, values))
        return false;
    double gain;
    correlate(patch, values, out, gain);
    out.point = place;
    return true;
}

bool align(
    const Template &patch, const Pyramid &in, cv::Point2d start, double reach, double pull, Fit &out,
    cv::Point2d across) {
    if (patch.level >= in.levels()) return false;
    const bool isBound = across != cv::Point2d();
    const double hxx = patch.hxx + pull, hyy = patch.hyy + pull, hxy = patch.hxy;
    const double determinant = hxx * hyy - hxy * hxy;
    const double stiffness = hxx * across.x * across.x + 2 * hxy * across.x * across.y + hyy * across.y * across.y;
    if (!(isBound ? stiffness > 1e-6 : determinant > 1e-6 * (hxx + hyy) * (hxx + hyy))) return false;
    float values[Template::largest * Template::largest];
    const int count = patch.side * patch.side;
    const cv::Point2d origin = toLevel(start, patch.level);
    cv::Point2d place = origin;
    bool rests = false;
    for (int iteration = 0; iteration < 12; iteration++) {
        if (!sample(in, patch.level, place, patch.side, values)) return false;
        double gain;
        correlate(patch, values, out, gain);
        if (rests) break;
        const double inverse = 1 / std::clamp(gain, 0.2, 5.0);
        const float scale = float(inverse), mean = float((patch.mean + out.brightness) * inverse);
        double bx = 0, by = 0;
        for (size_t i = 0; i < size_t(count); i++) {
            const float residual = patch.values[i] - (values[i] * scale - mean);
            bx += double(patch.gradientX[i]) * residual;
            by += double(patch.gradientY[i]) * residual;
        }
        bx -= pull * (place.x - origin.x);
        by -= pull * (place.y - origin.y);
        const cv::Point2d move =
            isBound ? across * ((across.x * bx + across.y * by) / stiffness)
                    : cv::Point2d((hyy * bx - hxy * by) / determinant, (hxx * by - hxy * bx) / determinant);
        place += move;
        const cv::Point2d way = place - origin;
        if (!(way.x * way.x + way.y * way.y <= reach * reach)) return false;
        rests = move.x * move.x + move.y * move.y < 0.01 * 0.01 || iteration == 10;
    }
    out.point = fromLevel(place, patch.level);
    return true;
}

} // namespace ocv::labels
