#include "Track/align.hpp"
#include "Track/engine.hpp"
#include "Track/features.hpp"
#include "Track/filter.hpp"
#include "Track/scale.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// Correlation with its look from which on a place is believed to show how the object lies.
constexpr double leastLaid = 0.5;

/// One correlation filter for the place, another for the size; its look says how the object is turned and stretched.
class CorrelationEngine final : public Engine {
public:
    explicit CorrelationEngine(const Effort &effort) : effort(effort), extractor(effort.color) {}

    void seed(const cv::Mat &picture, const Place &seeded) override {
        place = seeded;
        place.size = cv::Size2d(std::max(1.0, place.size.width), std::max(1.0, place.size.height));
        seedSize = place.size;
        unit = effort.padding * std::sqrt(seedSize.area()) / (effort.cells * FeatureExtractor::cell);
        const double cell = unit * FeatureExtractor::cell;
        filter = std::make_unique<CorrelationFilter>(
            cv::Size(effort.cells, effort.cells), cv::Size2d(seedSize.width / cell, seedSize.height / cell),
            extractor.channels());
        scaleFilter = std::make_unique<ScaleFilter>(seedSize);
        alignment.seed(picture, place);
        lessons = 0;
        sampled = Place();
        learn(picture);
    }

    Estimate locate(const cv::Mat &picture) override {
        sampled = Place();
        Estimate found = look(picture, place);
        const Alignment::Result laid = alignment.locate(picture, found.place);
        // How it lies is believed where the filter doesn't know it less there: what bends lies nowhere rightly.
        if (laid.after > std::max(leastLaid, laid.before)) {
            Estimate again = look(picture, laid.place);
            if (again.response >= found.response) {
                again.place = laid.place;
                found = again;
            }
        }
        found.place = found.place.scaled(scaleFilter->locate(picture, found.place));
        found.place = limited(found.place, picture.size());
        return found;
    }

    void move(const Place &now) override { place = now; }

    void learn(const cv::Mat &picture) override {
        if (lessons++ % effort.interval != 0) return;
        if (!(sampled == place)) features(picture, place);
        filter->learn(planes);
        scaleFilter->learn(picture, place);
        if (lessons > 1) alignment.learn(picture, place);
    }

private:
    Estimate look(const cv::Mat &picture, const Place &at) {
        features(picture, at);
        const Peak peak = filter->locate(planes);
        const cv::Size2d now = pixel(at);
        const cv::Point2d shift(
            peak.shift.x * FeatureExtractor::cell * now.width, peak.shift.y * FeatureExtractor::cell * now.height);
        return {at.moved(at.outward(shift)), peak.height, peak.sidelobe, std::nullopt};
    }

    /// Pixels of the picture in one of the sample.
    cv::Size2d pixel(const Place &at) const {
        return {unit * at.size.width / seedSize.width, unit * at.size.height / seedSize.height};
    }

    void features(const cv::Mat &picture, const Place &at) {
        sampled = at;
        const int side = effort.cells * FeatureExtractor::cell;
        const cv::Size2d now = pixel(at);
        sample(picture, Window{at.middle, now.width, now.height, at.angle}, cv::Size(side, side), patch);
        extractor.extract(patch, planes);
    }

    /// Neither smaller than a few pixels nor larger than the picture, unless it was seeded so.
    Place limited(const Place &wanted, cv::Size picture) const {
        const double least = std::min({4.0, seedSize.width, seedSize.height});
        const double smaller = std::min(wanted.size.width, wanted.size.height);
        const double most = std::min(picture.width / wanted.size.width, picture.height / wanted.size.height);
        const double seeded = std::max(seedSize.width / wanted.size.width, seedSize.height / wanted.size.height);
        return wanted.scaled(std::min(std::max(1.0, least / smaller), std::max(most, seeded)));
    }

    Effort effort;
    FeatureExtractor extractor;
    std::unique_ptr<CorrelationFilter> filter;
    std::unique_ptr<ScaleFilter> scaleFilter;
    Alignment alignment;
    Place place, sampled; ///< the object's, and the last sample's
    cv::Size2d seedSize;
    double unit = 1;
    int lessons = 0;
    cv::Mat patch;
    std::vector<cv::Mat> planes;
};

} // namespace

std::unique_ptr<Engine> makeCorrelationEngine(const Effort &effort) {
    return std::make_unique<CorrelationEngine>(effort);
}

} // namespace ocv::track
