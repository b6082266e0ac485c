#include "Track/colors.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::track {

namespace {

constexpr int tellingBits = 4;
constexpr float tellingRate = 0.04f;
constexpr double usualRate = 0.1;
/// Of a pixel's colour that is nowhere yet: fewer are chance.
constexpr float tellingChance = 2e-4f;
/// The ring's width in mean sides of the object, and how far from the box its surroundings begin, in sides.
constexpr double ringWidth = 0.25, gap = 1.1;
/// How far an object stands out whose colours say nothing, and one whose colours say all.
constexpr double toldNothing = 0.15, toldAll = 0.3;
/// How far off in sides another place is, how closely they are looked for (pixels), and how fast one is forgotten.
constexpr double elsewhere = 0.8, rivalStep = 4, rivalMemory = 0.98;
/// How far a rival stands out, in shares of the object: one that doesn't matter, and one that may be taken for it.
constexpr double rivalNothing = 0.5, rivalAll = 0.9;
/// By how much likelier than the ring's a pixel must be to count for the shape.
constexpr double overRing = 0.1;

size_t tellingBin(const uint8_t *pixel, int channels) {
    size_t bin = 0;
    for (int c = 0; c < channels; c++) bin = bin << tellingBits | pixel[c] >> (8 - tellingBits);
    return bin;
}

} // namespace

ColorModel::ColorModel(cv::Size sample, cv::Size2d object) : size(sample), object(object) {}

double ColorModel::trust(double usual) { return std::clamp((usual - toldNothing) / (toldAll - toldNothing), 0.0, 1.0); }

double ColorModel::trust() const {
    if (usually <= 0) return 0;
    return trust(usually) * std::clamp((rivalAll - rivalry / usually) / (rivalAll - rivalNothing), 0.0, 1.0);
}

void ColorModel::learn(const cv::Mat &sample) {
    const int channels = sample.channels();
    const size_t bins = size_t(1) << tellingBits * channels;
    std::vector<float> in(bins, 0), out(bins, 0);
    float insides = 0, outsides = 0;
    for (int y = 0; y < size.height; y++) {
        const uint8_t *row = sample.ptr(y);
        const double dy = (2 * y - (size.height - 1)) / object.height;
        for (int x = 0; x < size.width; x++) {
            const double dx = (2 * x - (size.width - 1)) / object.width;
            const size_t bin = tellingBin(row + x * channels, channels);
            // The corners of a box are seldom the object's.
            if (dx * dx + dy * dy < 1) {
                in[bin]++;
                insides++;
            } else if (std::max(std::abs(dx), std::abs(dy)) > gap) {
                out[bin]++;
                outsides++;
            }
        }
    }
    if (insides == 0 || outsides == 0) return;
    own.resize(bins, 0);
    other.resize(bins, 0);
    const float rate = taught ? tellingRate : 1;
    for (size_t i = 0; i < bins; i++) {
        own[i] += rate * (in[i] / insides - own[i]);
        other[i] += rate * (out[i] / outsides - other[i]);
    }
    look(sample);
    usually += (taught ? usualRate : 1) * (contrastAt({}).clear() - usually);
    rivalry = std::max(rivalry * rivalMemory, rival());
    if (!taught) first = moments({});
    taught = true;
}

void ColorModel::look(const cv::Mat &sample) {
    const int channels = sample.channels();
    told.create(sample.size(), CV_32F);
    if (!taught && own.empty()) {
        told = 0.5f;
    } else {
        for (int y = 0; y < sample.rows; y++) {
            const uint8_t *row = sample.ptr(y);
            float *likelihood = told.ptr<float>(y);
            for (int x = 0; x < sample.cols; x++) {
                const size_t bin = tellingBin(row + x * channels, channels);
                likelihood[x] = (own[bin] + 0.5f * tellingChance) / (own[bin] + other[bin] + tellingChance);
            }
        }
    }
    cv::integral(told, sums, CV_64F);
}

double ColorModel::sum(const cv::Rect2d &box, double &area) const {
    const int left = std::clamp(int(std::lround(box.x)), 0, size.width),
              top = std::clamp(int(std::lround(box.y)), 0, size.height);
    const int right = std::clamp(int(std::lround(box.x + box.width)), left, size.width),
              bottom = std::clamp(int(std::lround(box.y + box.height)), top, size.height);
    area = double(right - left) * (bottom - top);
    return sums.at<double>(bottom, right) - sums.at<double>(bottom, left) - sums.at<double>(top, right) +
           sums.at<double>(top, left);
}

ColorModel::Contrast ColorModel::contrastAt(cv::Point2d shift) const {
    const auto grown = [&](double by) {
        return cv::Rect2d(
            size.width / 2.0 + shift.x - object.width / 2 - by, size.height / 2.0 + shift.y - object.height / 2 - by,
            object.width + 2 * by, object.height + 2 * by);
    };
    double area, wider;
    const double inner = sum(grown(0), area), both = sum(grown(ringWidth * std::sqrt(object.area())), wider);
    if (area <= 0) return {};
    return {inner / area, wider > area ? (both - inner) / (wider - area) : 0};
}

/// How far the clearest place stands out that isn't the object's, of those that lie in the sample by three quarters.
double ColorModel::rival() const {
    const double right = (size.width - object.width / 2) / 2, bottom = (size.height - object.height / 2) / 2;
    double most = 0;
    for (double y = -rivalStep * std::floor(bottom / rivalStep); y <= bottom; y += rivalStep) {
        for (double x = -rivalStep * std::floor(right / rivalStep); x <= right; x += rivalStep)
            if (std::abs(x) >= elsewhere * object.width || std::abs(y) >= elsewhere * object.height)
                most = std::max(most, contrastAt({x, y}).clear());
    }
    return most;
}

/// Of the pixels that the ring's colours don't explain.
ColorModel::Moments ColorModel::moments(cv::Point2d shift) const {
    const float floor = float(std::clamp(contrastAt(shift).around + overRing, 0.3, 0.9));
    const cv::Point2d middle((size.width - 1) / 2.0 + shift.x, (size.height - 1) / 2.0 + shift.y);
    const double across = reach * object.width, down = reach * object.height;
    double total = 0, sumX = 0, sumY = 0, xx = 0, yy = 0;
    for (int y = std::max(0, int(middle.y - down)); y < size.height && y <= middle.y + down; y++) {
        const float *row = told.ptr<float>(y);
        for (int x = std::max(0, int(middle.x - across)); x < size.width && x <= middle.x + across; x++) {
            const double weight = std::max(0.0f, row[x] - floor), dx = x - middle.x, dy = y - middle.y;
            total += weight;
            sumX += weight * dx;
            sumY += weight * dy;
            xx += weight * dx * dx;
            yy += weight * dy * dy;
        }
    }
    if (total < 0.02 * object.area()) return {};
    const double meanX = sumX / total, meanY = sumY / total;
    return {
        {meanX / object.width, meanY / object.height},
        {std::sqrt(std::max(0.0, xx / total - meanX * meanX)), std::sqrt(std::max(0.0, yy / total - meanY * meanY))}};
}

ColorModel::Spread ColorModel::spreadAt(cv::Point2d shift) const {
    const Moments now = moments(shift);
    if (now.size.empty() || first.size.empty()) return {};
    return {now.middle - first.middle, {now.size.width / first.size.width, now.size.height / first.size.height}};
}

cv::Mat ColorModel::likely(cv::Size cells) const {
    cv::Mat means;
    cv::resize(told, means, cells, 0, 0, cv::INTER_AREA);
    return means;
}

} // namespace ocv::track
