#include "Track/appearance.hpp"
#include "Track/figure.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::track {

namespace {

constexpr int side = 32;
constexpr double adaptation = 0.05;
constexpr int colorBits = 3;
constexpr int toneBits = 5;
/// Of pixels that look like the ground in the seed.
constexpr float leastOwn = 0.2f;

/// Stretches the box to a square patch; what lies outside the picture repeats its edge.
cv::Mat stretched(const cv::Mat &picture, const Place &place) {
    const cv::Size2d &box = place.size;
    cv::Mat patch;
    const int longest = int(std::clamp(std::max(box.width, box.height), double(side), 128.0));
    // First at a common scale, which averages, then to the square.
    const double scale = std::max(box.width, box.height) / longest;
    const cv::Size size(
        std::max(1, int(std::lround(box.width / scale))), std::max(1, int(std::lround(box.height / scale))));
    sample(picture, Window{place.middle, scale, scale, place.angle}, size, patch);
    cv::Mat square;
    cv::resize(patch, square, cv::Size(side, side), 0, 0, cv::INTER_AREA);
    return square;
}

/// A vector of weighted mean 0 and length 1; nearly uniform ones become shorter, as their directions are noise. Products of two
/// are weighted correlations.
void standardize(cv::Mat &vector, const cv::Mat &weights, double noise) {
    vector -= vector.dot(weights) / cv::sum(weights)[0];
    cv::Mat roots;
    cv::sqrt(weights, roots);
    cv::multiply(vector, roots, vector);
    vector /= std::sqrt(vector.dot(vector) + noise * noise * cv::sum(weights)[0]);
}

} // namespace

cv::Mat Appearance::histogram(const cv::Mat &patch) const {
    const bool color = patch.channels() == 3;
    cv::Mat bins(1, color ? 1 << 3 * colorBits : 1 << toneBits, CV_32F, cv::Scalar(0));
    for (int y = 0; y < patch.rows; y++) {
        for (int x = 0; x < patch.cols; x++) {
            // The middle of the box counts most: there the background seldom shows.
            const double dx = (x + 0.5) / patch.cols - 0.5, dy = (y + 0.5) / patch.rows - 0.5;
            const float weight = weights.at<float>(y, x) * float(std::max(0.0, 1 - 3 * (dx * dx + dy * dy)));
            int index;
            if (color) {
                const cv::Vec3b p = patch.at<cv::Vec3b>(y, x);
                constexpr int shift = 8 - colorBits;
                index = ((p[0] >> shift) << 2 * colorBits) | ((p[1] >> shift) << colorBits) | (p[2] >> shift);
            } else {
                index = patch.at<uint8_t>(y, x) >> (8 - toneBits);
            }
            bins.at<float>(index) += weight;
        }
    }
    // A little of each bin in its neighbours: light that changes by one step is the same colour.
    cv::Mat smooth = bins;
    if (!color) cv::blur(bins, smooth, cv::Size(3, 1));
    return smooth / (cv::sum(smooth)[0] + 1e-9);
}

Appearance::Look Appearance::look(const cv::Mat &picture, const Place &place) {
    const cv::Mat patch = stretched(picture, place);
    Look result;
    extractor.gradients(patch, values);
    cv::Mat(1, int(values.size()), CV_32F, values.data()).copyTo(result.shape);
    standardize(result.shape, cellWeights, 0.01);
    cv::Mat gray = patch;
    if (patch.channels() == 3) cv::cvtColor(patch, gray, cv::COLOR_BGR2GRAY);
    gray.convertTo(result.tone, CV_32F);
    standardize(result.tone, weights, 2);
    result.color = histogram(patch);
    return result;
}

Similarity Appearance::similarity(const Look &a, const Look &b) {
    Similarity s;
    s.shape = a.shape.dot(b.shape);
    s.tone = a.tone.dot(b.tone);
    for (int i = 0; i < a.color.cols; i++) s.color += std::sqrt(double(a.color.at<float>(i)) * b.color.at<float>(i));
    return s;
}

void Appearance::seed(const cv::Mat &picture, const Place &place) {
    weights = cv::Mat(side, side, CV_32F, cv::Scalar(1));
    // What shows the ground may show anything later.
    const cv::Mat figure = byFigure ? figureOf(picture, place, cv::Size(side, side)) : weights;
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const float told = std::clamp((figure.at<float>(y, x) - 0.3f) / 0.4f, 0.0f, 1.0f);
            weights.at<float>(y, x) = leastOwn + (1 - leastOwn) * told;
        }
    }
    cv::Mat cellular;
    const int count = side / FeatureExtractor::cell;
    cv::resize(weights, cellular, cv::Size(count, count), 0, 0, cv::INTER_AREA);
    cellWeights.create(1, count * count * FeatureExtractor::gradientChannels, CV_32F);
    for (int i = 0; i < cellWeights.cols; i++)
        cellWeights.at<float>(i) = cellular.at<float>(
            i / FeatureExtractor::gradientChannels / count, i / FeatureExtractor::gradientChannels % count);
    first = look(picture, place);
    recent = {first.shape.clone(), first.tone.clone(), first.color.clone()};
}

Similarity Appearance::compare(const cv::Mat &picture, const Place &place) {
    const Look now = look(picture, place);
    const Similarity a = similarity(first, now), b = similarity(recent, now);
    return {std::max(a.shape, b.shape), std::max(a.tone, b.tone), std::max(a.color, b.color)};
}

void Appearance::adapt(const cv::Mat &picture, const Place &place) {
    const Look now = look(picture, place);
    cv::addWeighted(recent.shape, 1 - adaptation, now.shape, adaptation, 0, recent.shape);
    cv::addWeighted(recent.tone, 1 - adaptation, now.tone, adaptation, 0, recent.tone);
    cv::addWeighted(recent.color, 1 - adaptation, now.color, adaptation, 0, recent.color);
    // Weighted and of mean 0 both were; so is what lies between them, but shorter.
    recent.shape /= std::sqrt(recent.shape.dot(recent.shape) + 1e-12);
    recent.tone /= std::sqrt(recent.tone.dot(recent.tone) + 1e-12);
}

double visibleShare(const cv::Rect2d &box, cv::Size picture) {
    const cv::Rect2d part = box & cv::Rect2d(-0.5, -0.5, picture.width, picture.height);
    return box.area() > 0 ? part.area() / box.area() : 0;
}

} // namespace ocv::track
