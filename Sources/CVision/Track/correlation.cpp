#include "Track/align.hpp"
#include "Track/appearance.hpp"
#include "Track/colors.hpp"
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
/// What turns fast goes on so: the part of its turn a frame that is kept, and the least (radians) that is looked ahead for.
constexpr double turningKept = 0.6, leastTurning = 0.03;
/// What begins to turn fast: how far off the expected a turn may be, from where on it is one, and how well, and how much better,
/// the filter has to know the object there. Without these bars the angle of what only bends or is half hidden wanders off.
constexpr double startGive = 0.4, startTurn = 0.04, startResponse = 0.7, startGain = 1.1;
/// How much the colours count beside the filter's response, and how far they are believed to have jumped between two frames, in
/// mean sides of the object: what is as colourful further away is something else.
constexpr double colorShare = 0.6, colorReach = 2;
/// Of what the colours say on the box: the part that is believed a frame; and what is noise and the most, of its shape
/// (logarithms) and of its place (sides).
constexpr double boxRate = 0.2, shapeNoise = 0.08, shapeMost = 0.07, placeNoise = 0.03, placeMost = 0.05;

/// The part of a deviation that is followed in one frame.
double followed(double deviation, double rate, double noise, double most) {
    return std::copysign(std::min(rate * std::max(0.0, std::abs(deviation) - noise), most), deviation);
}

/// One correlation filter for the place, together with the object's colours, another for the size; its look says how the object
/// is turned and stretched, its colours how far it goes.
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
        if (effort.byColors) {
            colors = std::make_unique<ColorModel>(
                cv::Size(effort.cells, effort.cells) * FeatureExtractor::cell,
                cv::Size2d(seedSize.width / unit, seedSize.height / unit));
        }
        scaleFilter = std::make_unique<ScaleFilter>(seedSize);
        alignment.seed(picture, place);
        lessons = 0;
        sampled = Place();
        turning = 0;
        sought = returning = false;
        learn(picture);
    }

    Estimate locate(const cv::Mat &picture) override {
        sampled = Place();
        Sight found = see(picture, place);
        Alignment::Turning expected;
        if (std::abs(turning) > leastTurning) {
            const Sight ahead = see(picture, place.turned(turning));
            if (ahead.response > found.response)
                found = ahead;
            else
                expected.by = turning;
        }
        const Place before = found.place;
        // How it lies is believed where the filter doesn't know it less there: what bends lies nowhere rightly.
        lay(picture, alignment.locate(picture, before, expected), found, 0);
        if (!sought) {
            expected.give = startGive;
            lay(picture, alignment.locate(picture, before, expected), found, startTurn);
        }
        if (colors) found.place = reshaped(found.place, found.spread, picture.size());
        found.place = found.place.scaled(scaleFilter->locate(picture, found.place));
        found.place = limited(found.place, picture.size());
        return found;
    }

    void move(const Place &now) override {
        turning = sought ? 0 : turningKept * turning + (1 - turningKept) * (now.angle - place.angle);
        place = now;
        returning = sought;
        sought = false;
    }

    void jump(const Place &now) override {
        place = now;
        turning = 0;
        sought = true;
    }

    void learn(const cv::Mat &picture) override {
        if (returning) recall(picture);
        if (lessons++ % effort.interval != 0) return;
        if (!(sampled == place)) features(picture, place);
        if (colors) {
            colors->learn(patch);
            // Whatever else in reach wears them is outside the box anyway.
            filter->favor(colors->likely({effort.cells, effort.cells}), ColorModel::trust(colors->usual()));
        }
        filter->learn(planes);
        scaleFilter->learn(picture, place);
        if (lessons > 1) alignment.learn(picture, place);
    }

private:
    struct Sight : Estimate {
        ColorModel::Spread spread;
    };

    Sight see(const cv::Mat &picture, const Place &at) {
        const Estimate found = look(picture, at);
        return {found, colors ? colors->spreadAt(shift) : ColorModel::Spread()};
    }

    /// Believes how it is laid, where the filter doesn't know it less there; if it has to be a turn, by at least so much, where it
    /// knows it well and clearly better.
    void lay(const cv::Mat &picture, const Alignment::Result &laid, Sight &found, double turn) {
        if (laid.after <= std::max(leastLaid, laid.before)) return;
        if (std::abs(laid.place.angle - found.place.angle) < turn) return;
        Estimate again = look(picture, laid.place);
        const double least = turn > 0 ? std::max(startResponse, startGain * found.response) : found.response;
        if (again.response < least) return;
        again.place = laid.place;
        found = {again, colors ? colors->spreadAt({}) : ColorModel::Spread()};
    }

    /// What looks more like its seed than like what was learnt since is as it was seeded.
    void recall(const cv::Mat &picture) {
        if (!(sampled == place)) features(picture, place);
        const double now = filter->locate(planes).height;
        filter->exchange();
        const bool isAsSeeded = filter->locate(planes).height > now;
        filter->exchange();
        if (isAsSeeded) filter->restart();
        returning = false;
    }

    Estimate look(const cv::Mat &picture, const Place &at) {
        features(picture, at);
        if (colors) colors->look(patch);
        const double share = colors ? colorShare * colors->trust() : 0;
        const double jump = colorReach * std::sqrt(seedSize.area()) / (unit * FeatureExtractor::cell);
        const auto byColors = [&](cv::Point2d cells) {
            const double far = cells.dot(cells) / (jump * jump);
            if (share <= 0 || far > 8) return 0.0;
            return share * std::exp(-far / 2) * colors->contrastAt(cells * double(FeatureExtractor::cell)).clear();
        };
        Peak peak = filter->locate(planes, byColors);
        if (sought) {
            // The seed can't drift, what was learnt while it was lost sight of can.
            filter->exchange();
            const Peak asSeeded = filter->locate(planes, byColors);
            filter->exchange();
            if (asSeeded.height > peak.height) peak = asSeeded;
        }
        shift = peak.shift * double(FeatureExtractor::cell);
        const cv::Size2d now = pixel(at);
        Estimate found{
            at.moved(at.outward({shift.x * now.width, shift.y * now.height})), peak.height, peak.sidelobe, {}, {}};
        if (colors) found.colors = {colors->contrastAt(shift).clear(), colors->usual(), colors->trust()};
        return found;
    }

    /// What bends or turns its other side lies like nothing that was learnt, but its colours go as far as it does, and
    /// where a box falls behind they are ahead of its middle.
    Place reshaped(const Place &at, const ColorModel::Spread &spread, cv::Size picture) const {
        // What lies beyond the picture's edge can't be told.
        if (visibleShare(at.scaled(2 * ColorModel::reach).upright(), picture) <= 0.99) return at;
        const double rate = colors->trust() * boxRate;
        const auto factor = [&](double grown) {
            return std::exp(followed(std::log(grown), rate, shapeNoise, shapeMost));
        };
        const cv::Point2d off(
            at.size.width * followed(spread.strayed.x, rate, placeNoise, placeMost),
            at.size.height * followed(spread.strayed.y, rate, placeNoise, placeMost));
        return at.moved(at.outward(off)).scaled(factor(spread.grown.width), factor(spread.grown.height));
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
    /// None where they don't count.
    std::unique_ptr<ColorModel> colors;
    std::unique_ptr<ScaleFilter> scaleFilter;
    Alignment alignment;
    cv::Point2d shift;    ///< where in the last sample the object was seen, in its pixels
    Place place, sampled; ///< the object's, and the last sample's
    cv::Size2d seedSize;
    double unit = 1;
    double turning = 0;                     ///< radians a frame, of late
    bool sought = false, returning = false; ///< whether it is looked for where it didn't move to; was found so just now
    int lessons = 0;
    cv::Mat patch;
    std::vector<cv::Mat> planes;
};

} // namespace

std::unique_ptr<Engine> makeCorrelationEngine(const Effort &effort) {
    return std::make_unique<CorrelationEngine>(effort);
}

} // namespace ocv::track
