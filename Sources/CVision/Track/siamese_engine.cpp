#include "Track/engine.hpp"
#include "Track/features.hpp"
#include "Track/filter.hpp"
#include "Track/siamese.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// What nearness to the expected place, another size, and the correlation filter count against the networks' score.
constexpr double pull = 0.455, stiffness = 0.15, opinionWeight = 0.6;
/// How fast the size follows, and the agreement among cells (mean overlap of their boxes) over which it does: cells that see
/// something before the object, or two objects, don't agree.
constexpr double sizeRate = 0.5, leastAgreement = 0.55, fullAgreement = 0.75, leastRate = 0.1;
/// The same for the filter's response; with a score this far over what it mostly is, networks need no second opinion.
constexpr double leastResponse = 0.05, fullResponse = 0.2, leastMargin = 5, fullMargin = 7;
/// The networks frame an object in a way of their own. How that differs from the seed's shape, place and size is kept in
/// part; a large difference in size is the seed's fault and isn't.
constexpr double keptShape = 0.7, keptPlace = 0.7, mostPlace = 0.05, keptSize = 0.4, mostSize = 1.07;
constexpr double velocityMemory = 0.6;
/// The correlation filter: cells of its sample, side of the sample ÷ √(object's area), lessons given of those offered.
constexpr int cells = 19, interval = 3;
constexpr double padding = 3.5;

cv::Point2d middle(const cv::Rect2d &box) { return {box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2}; }

cv::Rect2d about(cv::Point2d middle, double width, double height) {
    return {middle.x - (width - 1) / 2, middle.y - (height - 1) / 2, width, height};
}

/// Boxes by networks; a correlation filter, which learns the object as it is of late, helps to choose among them.
class SiameseEngine final : public Engine {
public:
    explicit SiameseEngine(const ocv_tracker_networks &networks) : siamese(networks) {}

    void seed(const cv::Mat &picture, const cv::Rect2d &seedBox) override {
        box = seedBox;
        velocity = {};
        lessons = 1;
        pattern = siamese.embed(picture, box);
        filter = std::make_unique<CorrelationFilter>(
            cv::Size(cells, cells), cv::Size2d(box.width / cellSize(box), box.height / cellSize(box)),
            extractor.channels());
        features(picture, box);
        filter->learn(planes);
        calibrate(picture);
    }

    Estimate locate(const cv::Mat &picture) override {
        const cv::Rect2d expected(box.x + velocity.x, box.y + velocity.y, box.width, box.height);
        features(picture, expected);
        const Peak peak = filter->locate(planes);
        const auto opinion = [&](const cv::Rect2d &place) {
            const cv::Point2d shift = (middle(place) - middle(expected)) * (1 / cellSize(expected));
            return std::clamp(filter->responseAt(shift), 0.0, 1.0);
        };
        siamese.open(picture, box);
        const Sighting seen = siamese.find(pattern, expected, {pull, stiffness}, [&](const cv::Rect2d &place) {
            return opinionWeight * opinion(place);
        });
        const cv::Size2d size(seen.box.width * fit.width, seen.box.height * fit.height);
        const double rate =
            sizeRate * reliability(seen, opinion(seen.box)) * seen.score * std::exp(-(change(size) - 1) * stiffness);
        Estimate estimate;
        estimate.box = about(
            middle(seen.box) + cv::Point2d(offset.x * seen.box.width, offset.y * seen.box.height),
            box.width + rate * (size.width - box.width), box.height + rate * (size.height - box.height));
        estimate.response = opinion(seen.box);
        estimate.sidelobe = peak.sidelobe;
        estimate.sighting = Estimate::Networks{seen.margin, seen.agreement, seen.rival};
        return estimate;
    }

    void move(const cv::Rect2d &place) override {
        velocity = velocityMemory * velocity + (1 - velocityMemory) * (middle(place) - middle(box));
        box = place;
    }

    void jump(const cv::Rect2d &place) override {
        velocity = {};
        box = place;
    }

    void learn(const cv::Mat &picture) override {
        if (lessons++ % interval != 0) return;
        features(picture, box);
        filter->learn(planes);
    }

private:
    /// How the seed differs from the box that the networks see in its own frame.
    void calibrate(const cv::Mat &picture) {
        siamese.open(picture, box);
        const cv::Rect2d seen = siamese.find(pattern, box, {pull, stiffness}, {}).box;
        const double wide = std::clamp(box.width / seen.width, 0.5, 2.0),
                     high = std::clamp(box.height / seen.height, 0.5, 2.0);
        const double size = std::clamp(std::pow(wide * high, keptSize / 2), 1 / mostSize, mostSize);
        const double shape = std::pow(wide / high, keptShape / 2);
        fit = cv::Size2d(size * shape, size / shape);
        const cv::Point2d away = middle(box) - middle(seen);
        offset.x = std::clamp(keptPlace * away.x / seen.width, -mostPlace, mostPlace);
        offset.y = std::clamp(keptPlace * away.y / seen.height, -mostPlace, mostPlace);
    }

    /// How many times another size or shape a box has than the object had last, 1 or more.
    double change(const cv::Size2d &size) const {
        const double grown = std::sqrt(size.area() / box.area()),
                     turned = size.width / size.height / (box.width / box.height);
        return std::max(grown, 1 / grown) * std::max(turned, 1 / turned);
    }

    /// How far a box's size is to be believed, 0…1.
    static double reliability(const Sighting &seen, double response) {
        const auto between = [](double value, double low, double high) { return (value - low) / (high - low); };
        const double agreement = std::clamp(between(seen.agreement, leastAgreement, fullAgreement), leastRate, 1.0);
        const double known = std::clamp(between(response, leastResponse, fullResponse), leastRate, 1.0);
        return agreement * std::max(known, std::clamp(between(seen.margin, leastMargin, fullMargin), 0.0, 1.0));
    }

    static double cellSize(const cv::Rect2d &box) { return padding * std::sqrt(box.area()) / cells; }

    void features(const cv::Mat &picture, const cv::Rect2d &place) {
        constexpr int side = cells * FeatureExtractor::cell;
        sample(picture, Window{middle(place), cellSize(place) / FeatureExtractor::cell}, cv::Size(side, side), patch);
        extractor.extract(patch, planes);
    }

    Siamese siamese;
    Siamese::Features pattern;
    FeatureExtractor extractor{true};
    std::unique_ptr<CorrelationFilter> filter;
    cv::Rect2d box;
    cv::Point2d velocity, offset;
    cv::Size2d fit;
    int lessons = 0;
    cv::Mat patch;
    std::vector<cv::Mat> planes;
};

} // namespace

std::unique_ptr<Engine> makeSiameseEngine(const ocv_tracker_networks &networks) {
    return std::make_unique<SiameseEngine>(networks);
}

} // namespace ocv::track
