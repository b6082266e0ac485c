#include "Track/align.hpp"
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
/// Networks know things that are upright, and nearly so: what is turned by more, in radians, is turned back for them.
constexpr double upright = 25 * CV_PI / 180;
/// Correlation with the object's look, and the gain, from which on it says how the object is turned; what it counts against the
/// networks' box, and the correlations between which that grows.
constexpr double laidFrom = 0.6, leastGain = 0.01, laidShare = 0.3, leastLike = 0.8, fullLike = 0.95;
constexpr double velocityKept = 0.6;
/// The correlation filter: cells of its sample, side of the sample ÷ √(object's area), lessons given of those offered.
constexpr int cells = 19, interval = 3;
constexpr double padding = 3.5;

/// Boxes by networks; a correlation filter, which learns the object as it is of late, helps to choose among them.
///
/// Networks are at home in their own framing of an object: it alone leads from frame to frame, and what is shown is cut from it
/// as the seed was. A loose box or one on a part that led itself would grow or drift with every frame.
class SiameseEngine final : public Engine {
public:
    explicit SiameseEngine(const ocv_tracker_networks &networks) : siamese(networks) {}

    void seed(const cv::Mat &picture, const Place &seeded) override {
        settle(picture, seeded);
        velocity = {};
        lessons = 1;
        filter = std::make_unique<CorrelationFilter>(
            cv::Size(cells, cells),
            cv::Size2d(framed.size.width / cellSize(framed), framed.size.height / cellSize(framed)),
            extractor.channels());
        features(picture, framed);
        filter->learn(planes);
        alignment.seed(picture, framed);
    }

    Estimate locate(const cv::Mat &picture) override {
        const Place expected = framed.moved(velocity), window = shown(framed);
        features(picture, expected);
        const Peak peak = filter->locate(planes);
        const auto opinion = [&](const Place &place) {
            const cv::Point2d shift = expected.inward(place.middle - expected.middle) * (1 / cellSize(expected));
            return std::clamp(filter->responseAt(shift), 0.0, 1.0);
        };
        siamese.open(picture, window);
        const Sighting seen = siamese.find(pattern, window.moved(velocity), {pull, stiffness}, [&](const Place &place) {
            return opinionWeight * opinion(place);
        });
        Estimate estimate;
        estimate.response = opinion(seen.place);
        const double rate = sizeRate * reliability(seen, estimate.response) * seen.score *
                            std::exp(-(change(window.size, seen.place.size) - 1) * stiffness);
        // As its box in the window grows, so does the object's own.
        Place now = framed.scaled(
            1 + rate * (seen.place.size.width / window.size.width - 1),
            1 + rate * (seen.place.size.height / window.size.height - 1));
        now.middle = seen.place.middle;
        const Alignment::Result laid = alignment.locate(picture, now, {});
        if (laid.after > std::max(laidFrom, laid.before + leastGain)) {
            const double share = laidShare * std::clamp((laid.after - leastLike) / (fullLike - leastLike), 0.0, 1.0);
            now.angle = laid.place.angle;
            now.middle += share * (laid.place.middle - now.middle);
            now.size.width *= std::pow(laid.place.size.width / now.size.width, share);
            now.size.height *= std::pow(laid.place.size.height / now.size.height, share);
        }
        estimate.place = cut(now);
        estimate.sidelobe = peak.sidelobe;
        estimate.sighting = Estimate::Networks{seen.margin, seen.agreement, seen.rival};
        return estimate;
    }

    void move(const Place &place) override {
        const Place now = framing(place);
        velocity = velocityKept * velocity + (1 - velocityKept) * (now.middle - framed.middle);
        framed = now;
    }

    void jump(const Place &place) override {
        velocity = {};
        framed = framing(place);
    }

    void learn(const cv::Mat &picture) override {
        alignment.learn(picture, framed);
        if (lessons++ % interval != 0) return;
        features(picture, framed);
        filter->learn(planes);
    }

private:
    /// Learns the object as the networks frame it in the seed's own frame, looked at twice, and how the seed is cut from that.
    void settle(const cv::Mat &picture, const Place &seeded) {
        const auto shares = [&](const Place &framing) {
            const cv::Rect2d a = framing.upright(), b = seeded.upright();
            const double common = (a & b).area();
            return common >= leastShared * (a.area() + b.area() - common);
        };
        framed = look(picture, seeded);
        if (shares(framed)) framed = look(picture, framed);
        if (!shares(framed)) {
            look(picture, seeded);
            framed = seeded;
        }
        const auto ratio = [](double own, double seen) {
            return std::pow(std::clamp(own / seen, 0.5, 2.0), own > seen ? keptExcess : kept);
        };
        fit = cv::Size2d(ratio(seeded.size.width, framed.size.width), ratio(seeded.size.height, framed.size.height));
        const cv::Point2d away = kept * (seeded.middle - framed.middle);
        framed.lean = seeded.lean;
        offset.x = std::clamp(away.x / framed.size.width, -mostPlace, mostPlace);
        offset.y = std::clamp(away.y / framed.size.height, -mostPlace, mostPlace);
    }

    /// Takes what is in a box for the pattern. Returns what the networks frame there.
    Place look(const cv::Mat &picture, const Place &place) {
        pattern = siamese.embed(picture, place);
        siamese.open(picture, place);
        return siamese.find(pattern, place, {pull, stiffness}, {}).place;
    }

    /// A place as it is shown to the networks. They know things that are upright, or nearly so.
    static Place shown(const Place &place) {
        if (std::abs(place.angle) > upright) return place;
        return Place(place.bounds());
    }

    /// The seed's cut of a framing, and back.
    Place cut(const Place &of) const {
        return of.moved(of.outward({offset.x * of.size.width, offset.y * of.size.height}))
            .scaled(fit.width, fit.height);
    }

    Place framing(const Place &cut) const {
        const Place of = cut.scaled(1 / fit.width, 1 / fit.height);
        return of.moved(-of.outward({offset.x * of.size.width, offset.y * of.size.height}));
    }

    /// How many times another size or shape a box has than the object had last, 1 or more.
    static double change(const cv::Size2d &last, const cv::Size2d &size) {
        const double grown = std::sqrt(size.area() / last.area()),
                     turned = size.width / size.height / (last.width / last.height);
        return std::max(grown, 1 / grown) * std::max(turned, 1 / turned);
    }

    /// How far a box's size is to be believed, 0…1.
    static double reliability(const Sighting &seen, double response) {
        const auto between = [](double value, double low, double high) { return (value - low) / (high - low); };
        const double agreement = std::clamp(between(seen.agreement, leastAgreement, fullAgreement), leastRate, 1.0);
        const double known = std::clamp(between(response, leastResponse, fullResponse), leastRate, 1.0);
        return agreement * std::max(known, std::clamp(between(seen.margin, leastMargin, fullMargin), 0.0, 1.0));
    }

    static double cellSize(const Place &place) { return padding * std::sqrt(place.size.area()) / cells; }

    void features(const cv::Mat &picture, const Place &place) {
        constexpr int side = cells * FeatureExtractor::cell;
        const double pixel = cellSize(place) / FeatureExtractor::cell;
        sample(picture, Window{place.middle, pixel, pixel, place.angle}, cv::Size(side, side), patch);
        extractor.extract(patch, planes);
    }

    Siamese siamese;
    Alignment alignment;
    Siamese::Features pattern;
    FeatureExtractor extractor{true};
    std::unique_ptr<CorrelationFilter> filter;
    Place framed;
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
