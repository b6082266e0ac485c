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

/// `quad` with its sides moved to `fits`; false when they no longer make a convex quadrilateral.
bool move(const Quad &quad, const std::array<Fit, 4> &fits, Quad &moved) {
    std::array<Point, 4> from, to;
    for (int i = 0; i < 4; ++i) {
        const Point a = quad[i], b = quad[(i + 1) % 4];
        const Point along = (b - a) / cv::norm(b - a), inward(-along.y, along.x);
        from[i] = a + inward * fits[i].start;
        to[i] = b + inward * fits[i].end;
    }
    for (int i = 0; i < 4; ++i) {
        const int before = (i + 3) % 4;
        if (!intersect(from[before], to[before], from[i], to[i], moved[i])) return false;
    }
    return isConvex(moved);
}

} // namespace

bool confirm(const cv::Mat &luma, const Proposal &proposal, double reach, Rectangle &rectangle) {
    const Quad &quad = proposal.quad;
    const double leastSide = 0.6, leastOutline = 0.8;
    std::array<Fit, 4> fits[3]; // all falling, all rising, the better on each side
    double total[3] = {0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        const Point a = quad[i], b = quad[(i + 1) % 4];
        const double length = cv::norm(b - a);
        if (length < 6) return false;
        const int chunks = std::clamp(int(length / 5), 6, 14);
        const int perChunk = std::clamp(cvRound(length * 0.9 / chunks), 2, 6);
        const Steps steps = measure(luma, a, b, proposal.bends[i], reach, chunks, perChunk, 3);
        // A side that runs along the picture's own border has nothing outside to compare with.
        if (steps.count < 0.8 * chunks) return false;
        for (int polarity = 0; polarity < 2; ++polarity) {
            fits[polarity][i] = fitLine(steps, polarity, 0.9);
            total[polarity] += fits[polarity][i].support;
        }
        const Fit &falling = fits[0][i], &rising = fits[1][i];
        fits[2][i] =
            falling.support * (20 + falling.strength) >= rising.support * (20 + rising.strength) ? falling : rising;
        total[2] += fits[2][i].support;
        if (fits[2][i].support < leastSide) return false;
    }
    if (total[2] < 4 * leastOutline) return false;

    // A drawn line has two edges. Taking the same polarity all round picks the same edge on each side and in each
    // frame; of two equally good ones the outer.
    const auto whole = [&](int polarity) {
        if (total[polarity] < 0.9 * total[2]) return false;
        double strength = 0, best = 0;
        for (int i = 0; i < 4; ++i) {
            if (fits[polarity][i].support < leastSide) return false;
            strength += fits[polarity][i].strength;
            best += fits[2][i].strength;
        }
        return strength >= 0.5 * best;
    };
    const bool falls = whole(0), rises = whole(1);
    int choice = 2;
    if (falls && rises) {
        double depth = 0;
        for (int i = 0; i < 4; ++i) depth += fits[0][i].at(0.5) - fits[1][i].at(0.5);
        choice = depth < 0 ? 0 : 1;
    } else if (falls || rises) {
        choice = falls ? 0 : 1;
    }

    if (!move(quad, fits[choice], rectangle.quad)) return false;
    rectangle.bends = proposal.bends;
    for (int i = 0; i < 4; ++i) {
        rectangle.support[i] = fits[choice][i].support;
        rectangle.polarity[i] = fits[choice][i].polarity;
        rectangle.strength[i] = fits[choice][i].strength;
    }
    return true;
}

void refine(const cv::Mat &luma, double reach, Rectangle &rectangle) {
    const Quad before = rectangle.quad;
    for (int turn = 0; turn < 2; ++turn) {
        std::array<Fit, 4> fits;
        for (int i = 0; i < 4; ++i) {
            const Point a = rectangle.quad[i], b = rectangle.quad[(i + 1) % 4];
            const double length = cv::norm(b - a);
            // Far first, then close and with more care.
            const int chunks = std::clamp(int(length / 5), 6, turn == 0 ? 14 : 24);
            const int perChunk = std::clamp(cvRound(length * 0.9 / chunks), 2, turn == 0 ? 5 : 8);
            const Steps steps = measure(
                luma, a, b, rectangle.bends[i], turn == 0 ? reach : std::min(reach, 2.5), chunks, perChunk, 1.5);
            const Fit fit = fitLine(steps, rectangle.polarity[i], turn == 0 ? 1.5 : 1.0);
            // Where the step is lost at full size (blur, noise) the side stays where the reduced picture has it.
            if (fit.support >= 0.4) fits[i] = fit;
        }
        Quad moved;
        if (!move(rectangle.quad, fits, moved)) return;
        for (int i = 0; i < 4; ++i)
            if (cv::norm(moved[i] - before[i]) > 2 * reach) return;
        rectangle.quad = moved;
    }
}

} // namespace ocv::rectangles
