#include "Rectangles/steps.hpp"

#include <cmath>

namespace ocv::rectangles {

namespace {

/// A side's true place: the offset from the assumed one is `start` at its first corner and `end` at its second.
struct Fit {
    double start = 0, end = 0;
    double support = 0;
    double strength = 0;
    int polarity = 0;

    double at(double along) const { return start + (end - start) * along; }
};

/// The line that most steps of one polarity agree with: tries pairs far apart, then least squares on what agrees.
Fit fitLine(const Steps &steps, int polarity, double tolerance) {
    Fit best;
    best.polarity = polarity;
    const Step *step = steps.of(polarity);
    const int count = steps.count;
    double most = 0;
    for (int i = 0; i < count; ++i) {
        if (step[i].strength <= 0) continue;
        for (int j = i + std::max(1, count / 3); j < count; ++j) {
            if (step[j].strength <= 0) continue;
            const double tilt = (step[j].offset - step[i].offset) / (steps.along[j] - steps.along[i]);
            const double start = step[i].offset - tilt * steps.along[i];
            double agreement = 0;
            for (int k = 0; k < count; ++k) {
                if (step[k].strength <= 0) continue;
                const double off = std::abs(step[k].offset - start - tilt * steps.along[k]);
                // A capped strength lets a faint stretch count, yet prefers the edge to a parallel whisper of it.
                if (off < tolerance) agreement += (1 - 0.5 * off / tolerance) * (8 + std::min(step[k].strength, 60.0));
            }
            if (agreement > most) {
                most = agreement;
                best.start = start;
                best.end = start + tilt;
            }
        }
    }
    if (most == 0) return best;

    for (int turn = 0; turn < 2; ++turn) {
        double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
        for (int k = 0; k < count; ++k) {
            if (step[k].strength <= 0) continue;
            const double off = (step[k].offset - best.at(steps.along[k])) / tolerance;
            if (std::abs(off) >= 1) continue;
            const double weight = std::min(step[k].strength, 60.0) * (1 - off * off);
            const double x = steps.along[k], y = step[k].offset;
            w += weight, wx += weight * x, wy += weight * y, wxx += weight * x * x, wxy += weight * x * y;
        }
        const double spread = w * wxx - wx * wx;
        if (w <= 0 || spread < 1e-3 * w * w) break;
        const double tilt = (w * wxy - wx * wy) / spread;
        best.start = (wy - tilt * wx) / w;
        best.end = best.start + tilt;
    }

    const Step *other = steps.of(1 - polarity);
    double agree = 0, against = 0, strength = 0;
    for (int k = 0; k < count; ++k) {
        const double at = best.at(steps.along[k]);
        if (step[k].strength > 0 && std::abs(step[k].offset - at) < tolerance) {
            agree += 1;
            strength += step[k].strength;
        } else if (other[k].strength > 0 && std::abs(other[k].offset - at) < tolerance) {
            against += 1;
        }
    }
    // Where the background is darker here and lighter there, the step changes its sign along one side: believable,
    // but also what texture looks like, hence the half.
    best.support = count == 0 ? 0 : (agree + 0.5 * against) / count;
    best.strength = agree == 0 ? 0 : strength / agree;
    return best;
}

const double leastSupport = 0.6, leastOutline = 0.8;

/// How well one plane shows all sides.
struct Reading {
    /// All falling, all rising, the better on each side.
    std::array<Fit, 4> fits[3];
    double total[3] = {0, 0, 0};
    /// Whether each side, and all of them together, are there.
    bool isWhole = true;

    double faintest() const {
        double least = 255;
        for (const Fit &fit : fits[2]) least = std::min(least, fit.strength);
        return least;
    }
};

/// Measures side `i` of `quad` on one plane: falling, rising, and the better of both. False where less than `share` of it
/// is in the picture.
bool readSide(
    const cv::Mat &plane, const Proposal &proposal, int i, double reach, double share, std::array<Fit, 3> &fits) {
    const Point a = proposal.quad[i], b = proposal.quad[(i + 1) % 4];
    const double length = cv::norm(b - a);
    if (length < 6) return false;
    const int chunks = std::clamp(int(length / 5), 6, 14);
    const int perChunk = std::clamp(cvRound(length * 0.9 / chunks), 2, 6);
    const Steps steps = measure(plane, a, b, proposal.bends[i], reach, chunks, perChunk, 3);
    if (steps.count < share * chunks) return false;
    for (int polarity = 0; polarity < 2; ++polarity) fits[polarity] = fitLine(steps, polarity, 0.9);
    const Fit &falling = fits[0], &rising = fits[1];
    fits[2] = falling.support * (20 + falling.strength) >= rising.support * (20 + rising.strength) ? falling : rising;
    return true;
}

/// Measures all sides on one plane; stops at the first that isn't there where `isStrict`. False where the quad can't be
/// one on any plane.
bool read(const cv::Mat &plane, const Proposal &proposal, double reach, bool isStrict, Reading &reading) {
    for (int i = 0; i < 4; ++i) {
        std::array<Fit, 3> fits;
        // A side that runs along the picture's own border has nothing outside to compare with.
        if (!readSide(plane, proposal, i, reach, 0.8, fits)) return false;
        for (int kind = 0; kind < 3; ++kind) {
            reading.fits[kind][i] = fits[kind];
            reading.total[kind] += fits[kind].support;
        }
        if (fits[2].support < leastSupport) reading.isWhole = false;
        if (isStrict && !reading.isWhole) return true;
    }
    if (reading.total[2] < 4 * leastOutline) reading.isWhole = false;
    return true;
}

/// Which of a reading's fits to believe.
///
/// A drawn line has two edges. Taking the same polarity all round picks the same edge on each side and in each frame; of
/// two equally good ones the outer.
int choice(const Reading &reading) {
    const auto whole = [&](int polarity) {
        if (reading.total[polarity] < 0.9 * reading.total[2]) return false;
        double strength = 0, best = 0;
        for (int i = 0; i < 4; ++i) {
            if (reading.fits[polarity][i].support < leastSupport) return false;
            strength += reading.fits[polarity][i].strength;
            best += reading.fits[2][i].strength;
        }
        return strength >= 0.5 * best;
    };
    const bool falls = whole(0), rises = whole(1);
    if (falls && rises) {
        double depth = 0;
        for (int i = 0; i < 4; ++i) depth += reading.fits[0][i].at(0.5) - reading.fits[1][i].at(0.5);
        return depth < 0 ? 0 : 1;
    }
    return falls ? 0 : rises ? 1 : 2;
}

/// Makes the rectangle of one fit a side.
bool build(
    const Proposal &proposal, const std::array<Fit, 4> &fits, const std::array<int, 4> &plane, Rectangle &rectangle) {
    std::array<Line, 4> sides;
    for (int i = 0; i < 4; ++i)
        sides[i] = moved(proposal.quad[i], proposal.quad[(i + 1) % 4], fits[i].start, fits[i].end);
    if (!enclose(sides, rectangle.quad)) return false;
    rectangle.bends = proposal.bends;
    rectangle.plane = plane;
    for (int i = 0; i < 4; ++i) {
        rectangle.support[i] = fits[i].support;
        rectangle.polarity[i] = fits[i].polarity;
        rectangle.strength[i] = fits[i].strength;
    }
    return true;
}

/// How clear a side is, of its neighbours, where it may be a seam at which they both go on, or at which one is known to; and how far
/// beyond a corner is looked, pixels of the picture.
constexpr double faintSeam = 0.5, faintestSeam = 0.3, leastBeyond = 12, mostBeyond = 80;

/// A step along a stretch of a line at full size: how clear it is, and in which plane and which way it is clearest.
struct Clarity {
    double clear = 0;
    int plane = 0, polarity = 0;
    bool isInPicture = false; ///< at least half of the stretch
};

/// The step between two places of the picture, of a plane and polarity or, with −1, of the ones that show it best.
Clarity clarity(const Planes &planes, Point from, Point to, int onlyPlane = -1, int onlyPolarity = -1) {
    Clarity best;
    for (int index = 0; index < 3; ++index) {
        const Plane &plane = planes[index];
        if (plane.samples.empty() || (onlyPlane >= 0 && index != onlyPlane)) continue;
        const Point a = plane.fromPicture(from), b = plane.fromPicture(to);
        const double length = cv::norm(b - a);
        const int chunks = std::clamp(int(length / 3), 4, 14);
        const int perChunk = std::clamp(cvRound(length * 0.9 / chunks), 2, 8);
        const Steps steps = measure(plane.samples, a, b, {}, 3, chunks, perChunk, 1.5);
        if (2 * steps.count < chunks) continue;
        best.isInPicture = true;
        for (int polarity = 0; polarity < 2; ++polarity) {
            if (onlyPolarity >= 0 && polarity != onlyPolarity) continue;
            const Fit fit = fitLine(steps, polarity, 1);
            if (fit.support < leastSupport || fit.strength <= best.clear || std::abs(fit.at(0.5)) >= 2) continue;
            best.clear = fit.strength, best.plane = index, best.polarity = polarity;
        }
    }
    return best;
}

/// Whether a side is but a faint streak or seam of something longer: its neighbours, seen much more clearly, go on beyond it.
bool isFaintSeam(const Planes &planes, const Quad &quad, const std::array<Clarity, 4> &sides, int side) {
    const int before = (side + 3) % 4, after = (side + 1) % 4;
    const Clarity &own = sides[size_t(side)];
    const double clearer = std::min(sides[size_t(before)].clear, sides[size_t(after)].clear);
    if (!own.isInPicture || own.clear >= faintSeam * clearer) return false;
    const cv::Mat &luma = planes[0].samples;
    const cv::Rect2d inside(2, 2, luma.cols - 5, luma.rows - 5);
    int onward = 0, unknown = 0;
    for (const int which : {before, after}) {
        const bool isForward = which == before;
        const Clarity &neighbour = sides[size_t(which)];
        const Point a = quad[size_t(which)], b = quad[size_t(which + 1) % 4];
        const double length = cv::norm(b - a);
        const Point away = (isForward ? b - a : a - b) / length, corner = isForward ? b : a;
        // As far as there is picture.
        double far = std::clamp(0.25 * length, leastBeyond, mostBeyond);
        while (far >= leastBeyond && !inside.contains(corner + away * far)) far -= 2;
        if (far < leastBeyond) {
            unknown++;
            continue;
        }
        const Point near = corner + away * 4, end = corner + away * far;
        const Clarity beyond =
            clarity(planes, isForward ? near : end, isForward ? end : near, neighbour.plane, neighbour.polarity);
        onward += beyond.clear > 0.5 * neighbour.clear;
    }
    return onward == 2 || (own.clear < faintestSeam * clearer && onward + unknown > 0);
}

} // namespace

bool goesOn(const Planes &planes, const Rectangle &rectangle) {
    std::array<Clarity, 4> sides;
    for (size_t i = 0; i < 4; ++i) sides[i] = clarity(planes, rectangle.quad[i], rectangle.quad[(i + 1) % 4]);
    for (int side = 0; side < 4; ++side)
        if (side != rectangle.cut && isFaintSeam(planes, rectangle.quad, sides, side)) return true;
    return false;
}

bool confirm(const Views &views, const Proposal &proposal, double reach, Rectangle &rectangle) {
    const bool hasChroma = views[1] || views[2];
    Reading readings[3];
    if (!read(*views[0], proposal, reach, !hasChroma, readings[0])) return false;
    // A step of luma that is clear is where it is: chroma is coarser.
    const double clear = 12;
    int best = readings[0].isWhole ? 0 : -1;
    if (hasChroma && (best < 0 || readings[0].faintest() < clear)) {
        for (int index = 1; index < 3; ++index) {
            if (!views[index] || !read(*views[index], proposal, reach, false, readings[index])) continue;
            const double lead = best == 0 ? 2 : 1;
            if (readings[index].isWhole && (best < 0 || readings[index].faintest() > lead * readings[best].faintest()))
                best = index;
        }
    }
    return best >= 0 &&
           build(proposal, readings[best].fits[choice(readings[best])], {best, best, best, best}, rectangle);
}

bool confirmSide(
    const Views &views, const Proposal &proposal, int side, double reach, Rectangle &rectangle, Line &line) {
    double most = 0;
    for (int index = 0; index < 3; ++index) {
        std::array<Fit, 3> fits;
        if (!views[index] || !readSide(*views[index], proposal, side, reach, 0.3, fits)) continue;
        const Fit &fit = fits[2];
        const double score = fit.support * fit.support * fit.strength / (fit.strength + 15);
        if (fit.support < leastOutline || score <= most) continue;
        most = score;
        line = moved(proposal.quad[side], proposal.quad[(side + 1) % 4], fit.start, fit.end);
        rectangle.support[side] = fit.support;
        rectangle.plane[side] = index;
        rectangle.polarity[side] = fit.polarity;
        rectangle.strength[side] = fit.strength;
    }
    return most > 0;
}

void refine(const Planes &planes, double reach, Rectangle &rectangle) {
    const Quad before = rectangle.quad;
    for (int turn = 0; turn < 2; ++turn) {
        std::array<Line, 4> sides;
        for (int i = 0; i < 4; ++i) {
            const Plane &plane = planes[rectangle.plane[i]];
            const Point a = plane.fromPicture(rectangle.quad[i]), b = plane.fromPicture(rectangle.quad[(i + 1) % 4]);
            const double length = cv::norm(b - a), near = reach / plane.scale() + (rectangle.plane[i] > 0 ? 0.75 : 0);
            std::array<double, 3> bend = rectangle.bends[i];
            for (double &offset : bend) offset /= plane.scale();
            // Far first, then close and with more care.
            const int chunks = std::clamp(int(length / 5), 6, turn == 0 ? 14 : 24);
            const int perChunk = std::clamp(cvRound(length * 0.9 / chunks), 2, turn == 0 ? 5 : 8);
            const Steps steps =
                measure(plane.samples, a, b, bend, turn == 0 ? near : std::min(near, 2.5), chunks, perChunk, 1.5);
            Fit fit = fitLine(steps, rectangle.polarity[i], turn == 0 ? 1.5 : 1.0);
            // Where the step is lost at full size (blur, noise) the side stays where the reduced picture has it.
            if (fit.support < 0.4) fit = {};
            const Line line = moved(a, b, fit.start, fit.end);
            sides[i] = {plane.toPicture(line.from), plane.toPicture(line.to)};
        }
        Quad quad;
        if (!enclose(sides, quad)) return;
        for (int i = 0; i < 4; ++i)
            if (cv::norm(quad[i] - before[i]) > 2 * reach) return;
        rectangle.quad = quad;
    }
}

} // namespace ocv::rectangles
