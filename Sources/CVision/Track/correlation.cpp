#include "Track/engine.hpp"
#include "Track/features.hpp"
#include "Track/filter.hpp"
#include "Track/scale.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// One correlation filter for the place, another for the size.
class CorrelationEngine final : public Engine {
public:
    explicit CorrelationEngine(const Effort &effort) : effort(effort), extractor(effort.color) {}

    void seed(const cv::Mat &picture, const cv::Rect2d &box) override {
        size = cv::Size2d(std::max(1.0, box.width), std::max(1.0, box.height));
        const double side = effort.cells * FeatureExtractor::cell;
        unit = effort.padding * std::sqrt(size.area()) / side;
        const double cell = unit * FeatureExtractor::cell;
        filter = std::make_unique<CorrelationFilter>(
            cv::Size(effort.cells, effort.cells), cv::Size2d(size.width / cell, size.height / cell),
            extractor.channels());
        scaleFilter = std::make_unique<ScaleFilter>(size);
        move(box);
        lessons = 0;
        learn(picture);
    }

    Estimate locate(const cv::Mat &picture) override {
        features(picture, scale);
        const Peak peak = filter->locate(planes);
        const cv::Point2d found = center + peak.shift * (unit * FeatureExtractor::cell * scale);
        const double grown = limited(scale * scaleFilter->locate(picture, found, scale), picture.size());
        const cv::Size2d now(size.width * grown, size.height * grown);
        return {
            cv::Rect2d(found.x - (now.width - 1) / 2, found.y - (now.height - 1) / 2, now.width, now.height),
            peak.height, peak.sidelobe};
    }

    void move(const cv::Rect2d &box) override {
        center = cv::Point2d(box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2);
        scale = std::sqrt(std::max(box.area(), 1e-6) / size.area());
    }

    void learn(const cv::Mat &picture) override {
        if (lessons++ % effort.interval != 0) return;
        features(picture, scale);
        filter->learn(planes);
        scaleFilter->learn(picture, center, scale);
    }

private:
    void features(const cv::Mat &picture, double at) {
        const int side = effort.cells * FeatureExtractor::cell;
        sample(picture, Window{center, unit * at}, cv::Size(side, side), patch);
        extractor.extract(patch, planes);
    }

    /// Neither smaller than a few pixels nor larger than the picture, unless it was seeded so.
    double limited(double wanted, cv::Size picture) const {
        const double least = std::min(1.0, 4 / std::min(size.width, size.height));
        const double most = std::max(1.0, std::min(picture.width / size.width, picture.height / size.height));
        return std::clamp(wanted, least, most);
    }

    Effort effort;
    FeatureExtractor extractor;
    std::unique_ptr<CorrelationFilter> filter;
    std::unique_ptr<ScaleFilter> scaleFilter;
    cv::Size2d size;
    double unit = 1, scale = 1;
    cv::Point2d center;
    int lessons = 0;
    cv::Mat patch;
    std::vector<cv::Mat> planes;
};

} // namespace

std::unique_ptr<Engine> makeCorrelationEngine(const Effort &effort) {
    return std::make_unique<CorrelationEngine>(effort);
}

} // namespace ocv::track
