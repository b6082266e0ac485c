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
/// How the seed differs from the networks' own framing of the object is kept in part: in part it is the seed's fault, and mostly
/// where it is the larger one, as networks rarely frame less than they see. No place farther off than this, in sizes of the object.
constexpr double kept = 0.7, keptExcess = 0.3, mostPlace = 0.3;
/// A framing that overlaps less with the seed is of something else: then the seed itself leads.
constexpr double leastShared = 0.35;
constexpr double velocityKept = 0.6;
/// The correlation filter: cells of its sample, side of the sample ÷ √(object's area), lessons given of those offered.
constexpr int cells = 19, interval = 3;
constexpr double padding = 3.5;

cv::Point2d middleOf(const cv::Rect2d &box) { return {box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2}; }

cv::Rect2d about(cv::Point2d middle, double width, double height) {
    return {middle.x - (width - 1) / 2, middle.y - (height - 1) / 2, width, height};
}

/// Boxes by networks; a correlation filter, which learns the object as it is of late, helps to choose among them.
///
/// Networks are at home in their own framing of an object: it alone leads from frame to frame, and what is shown is cut from it
/// as the seed was. A loose box or one on a part that led itself would grow or drift with every frame.
class SiameseEngine final : public Engine {
public:
    explicit SiameseEngine(const ocv_tracker_networks &networks) : siamese(networks) {}

    void seed(const cv::Mat &picture, const cv::Rect2d &seedBox) override {
        settle(picture, seedBox);
        velocity = {};
        lessons = 1;
        filter = std::make_unique<CorrelationFilter>(
            cv::Size(cells, cells), cv::Size2d(framed.width / cellSize(framed), framed.height / cellSize(framed)),
            extractor.channels());
        features(picture, framed);
        filter->learn(planes);
    }

    Estimate locate(const cv::Mat &picture) override {
        const cv::Rect2d expected(framed.x + velocity.x, framed.y + velocity.y, framed.width, framed.height);
        features(picture, expected);
        const Peak peak = filter->locate(planes);
        const auto opinion = [&](const cv::Rect2d &place) {
            const cv::Point2d shift = (middleOf(place) - middleOf(expected)) * (1 / cellSize(expected));
            return std::clamp(filter->responseAt(shift), 0.0, 1.0);
        };
        siamese.open(picture, framed);
        const Sighting seen = siamese.find(pattern, expected, {pull, stiffness}, [&](const cv::Rect2d &place) {
            return opinionWeight * opinion(place);
        });
        const cv::Size2d size = seen.box.size();
        Estimate estimate;
        estimate.response = opinion(seen.box);
        const double rate =
            sizeRate * reliability(seen, estimate.response) * seen.score * std::exp(-(change(size) - 1) * stiffness);
        estimate.box = cut(about(
            middleOf(seen.box), framed.width + rate * (size.width - framed.width),
            framed.height + rate * (size.height - framed.height)));
        estimate.sidelobe = peak.sidelobe;
        estimate.sighting = Estimate::Networks{seen.margin, seen.agreement, seen.rival};
        return estimate;
    }

    void move(const cv::Rect2d &place) override {
        const cv::Rect2d now = framing(place);
        velocity = velocityKept * velocity + (1 - velocityKept) * (middleOf(now) - middleOf(framed));
        framed = now;
    }

    void jump(const cv::Rect2d &place) override {
        velocity = {};
        framed = framing(place);
    }

    void learn(const cv::Mat &picture) override {
        if (lessons++ % interval != 0) return;
        features(picture, framed);
        filter->learn(planes);
    }

private:
    /// Learns the object as the networks frame it in the seed's own frame, looked at twice, and how the seed is cut from that.
    void settle(const cv::Mat &picture, const cv::Rect2d &seedBox) {
        const auto shares = [&](const cv::Rect2d &framing) {
            const double common = (framing & seedBox).area();
            return common >= leastShared * (framing.area() + seedBox.area() - common);
        };
        framed = look(picture, seedBox);
        if (shares(framed)) framed = look(picture, framed);
        if (!shares(framed)) {
            look(picture, seedBox);
            framed = seedBox;
        }
        const auto ratio = [](double own, double seen) {
            return std::pow(std::clamp(own / seen, 0.5, 2.0), own > seen ? keptExcess : kept);
        };
        fit = cv::Size2d(ratio(seedBox.width, framed.width), ratio(seedBox.height, framed.height));
        const cv::Point2d away = kept * (middleOf(seedBox) - middleOf(framed));
        offset.x = std::clamp(away.x / framed.width, -mostPlace, mostPlace);
        offset.y = std::clamp(away.y / framed.height, -mostPlace, mostPlace);
    }

    /// Takes what is in a box for the pattern. Returns what the networks frame there.
    cv::Rect2d look(const cv::Mat &picture, const cv::Rect2d &box) {
        pattern = siamese.embed(picture, box);
        siamese.open(picture, box);
        return siamese.find(pattern, box, {pull, stiffness}, {}).box;
    }

    /// The seed's cut of a framing, and back.
    cv::Rect2d cut(const cv::Rect2d &of) const {
        return about(
            middleOf(of) + cv::Point2d(offset.x * of.width, offset.y * of.height), of.width * fit.width,
            of.height * fit.height);
    }

    cv::Rect2d framing(const cv::Rect2d &shown) const {
        const cv::Size2d size(shown.width / fit.width, shown.height / fit.height);
        return about(
            middleOf(shown) - cv::Point2d(offset.x * size.width, offset.y * size.height), size.width, size.height);
    }

    /// How many times another size or shape a box has than the object had last, 1 or more.
    double change(const cv::Size2d &size) const {
        const double grown = std::sqrt(size.area() / framed.area()),
                     turned = size.width / size.height / (framed.width / framed.height);
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
        sample(picture, Window{middleOf(place), cellSize(place) / FeatureExtractor::cell}, cv::Size(side, side), patch);
        extractor.extract(patch, planes);
    }

    Siamese siamese;
    Siamese::Features pattern;
    FeatureExtractor extractor{true};
    std::unique_ptr<CorrelationFilter> filter;
    cv::Rect2d framed;
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
