#include "Images/consensus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/calib3d.hpp>

namespace ocv::images {
namespace {

constexpr int most = 3000, drawsOfOne = 20;
/// The chance with which four pairs that agree were among those that were tried.
constexpr double confidence = 0.999;
/// The least sine of a triangle's angle: of three points in a line nothing is told.
constexpr double leastSine = 0.02;

using Four = std::array<cv::Point2d, 4>;

/// Which way round three points go: 1 or −1, 0 where they are in a line.
int turn(const cv::Point2d &a, const cv::Point2d &b, const cv::Point2d &c) {
    const cv::Point2d u = b - a, v = c - a;
    const double cross = u.cross(v);
    if (cross * cross < leastSine * leastSine * u.dot(u) * v.dot(v)) return 0;
    return cross > 0 ? 1 : -1;
}

/// Whether every three of the points go the same way round in both, as they do where all are in front of a camera.
bool isSeenSo(const Four &from, const Four &to) {
    for (const auto &[a, b, c] : {std::array<size_t, 3>{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}) {
        const int way = turn(from[a], from[b], from[c]);
        if (way == 0 || turn(to[a], to[b], to[c]) != way) return false;
    }
    return true;
}

/// From the corners of the unit square to four points of which no three are in a line (Heckbert 1989, section 2.2).
cv::Matx33d fromSquare(const Four &p) {
    const cv::Point2d one = p[1] - p[2], other = p[3] - p[2], sum = p[0] - p[1] + p[2] - p[3];
    const double determinant = one.cross(other), g = sum.cross(other) / determinant, h = one.cross(sum) / determinant;
    return {
        p[1].x - p[0].x + g * p[1].x,
        p[3].x - p[0].x + h * p[3].x,
        p[0].x,
        p[1].y - p[0].y + g * p[1].y,
        p[3].y - p[0].y + h * p[3].y,
        p[0].y,
        g,
        h,
        1};
}

/// The pairs, each coordinate by itself, so that several are looked at at once.
struct Pairs {
    std::vector<float> x, y, seenX, seenY;

    int agreeing(const cv::Matx33f &h, float tolerance, uint8_t *agrees) const {
        const float square = tolerance * tolerance;
        int count = 0;
        for (size_t i = 0; i < x.size(); i++) {
            const float w = h(2, 0) * x[i] + h(2, 1) * y[i] + h(2, 2);
            const float dx = h(0, 0) * x[i] + h(0, 1) * y[i] + h(0, 2) - seenX[i] * w;
            const float dy = h(1, 0) * x[i] + h(1, 1) * y[i] + h(1, 2) - seenY[i] * w;
            agrees[i] = (w > 0) & (dx * dx + dy * dy <= square * w * w);
            count += agrees[i];
        }
        return count;
    }
};

/// What came of four pairs in their order.
enum class Draw : uint8_t { fresh, apart, tried };

/// What has been drawn of few pairs, of which the same are drawn again and again.
class Draws {
public:
    explicit Draws(int count) : count(size_t(count)) {
        if (count <= few) known.resize(this->count * this->count * this->count * this->count, Draw::fresh);
    }

    /// What came of some pairs; of many pairs nothing is kept.
    Draw &of(const std::array<int, 4> &picks) {
        if (known.empty()) return other = Draw::fresh;
        size_t place = 0;
        for (const int pick : picks) place = place * count + size_t(pick);
        return known[place];
    }

private:
    static constexpr int few = 16;

    size_t count;
    std::vector<Draw> known;
    Draw other = Draw::fresh;
};

} // namespace

std::optional<cv::Matx33d> consensus(
    const std::vector<cv::Point2f> &from, const std::vector<cv::Point2f> &to, float tolerance, int least) {
    const int count = int(from.size());
    if (count < std::max(least, 4)) return {};
    Pairs pairs;
    for (size_t i = 0; i < from.size(); i++) {
        pairs.x.push_back(from[i].x);
        pairs.y.push_back(from[i].y);
        pairs.seenX.push_back(to[i].x);
        pairs.seenY.push_back(to[i].y);
    }
    cv::RNG random(0x2545F491);
    std::vector<uint8_t> agrees(from.size()), best(from.size());
    int bestCount = 0, needed = most;
    Draws draws(count);
    for (int tried = 0, drawn = 0; tried < needed && drawn < drawsOfOne * most; drawn++) {
        std::array<int, 4> picks{};
        for (size_t i = 0; i < 4; i++) {
            do picks[i] = random.uniform(0, count);
            while (std::find(picks.begin(), picks.begin() + long(i), picks[i]) != picks.begin() + long(i));
        }
        // Drawn again, four pairs say the same again.
        Draw &draw = draws.of(picks);
        if (draw == Draw::apart) continue;
        if (draw == Draw::tried) {
            tried++;
            continue;
        }
        Four own, seen;
        for (size_t i = 0; i < 4; i++) {
            own[i] = from[size_t(picks[i])];
            seen[i] = to[size_t(picks[i])];
        }
        draw = isSeenSo(own, seen) ? Draw::tried : Draw::apart;
        if (draw == Draw::apart) continue;
        tried++;
        const cv::Matx33d h = fromSquare(seen) * fromSquare(own).inv();
        if (!(std::abs(h(2, 2)) > 1e-12)) continue;
        const int agreeing = pairs.agreeing(cv::Matx33f(h * (1 / h(2, 2))), tolerance, agrees.data());
        if (agreeing <= bestCount) continue;
        bestCount = agreeing;
        best.swap(agrees);
        const double wrong = 1 - std::pow(double(agreeing) / count, 4);
        needed = wrong <= 0 ? 0 : int(std::min(double(most), std::ceil(std::log(1 - confidence) / std::log(wrong))));
    }
    if (bestCount < least) return {};
    std::vector<cv::Point2f> own, seen;
    for (size_t i = 0; i < best.size(); i++) {
        if (!best[i]) continue;
        own.push_back(from[i]);
        seen.push_back(to[i]);
    }
    const cv::Mat fitted = cv::findHomography(own, seen, 0);
    return fitted.empty() ? std::nullopt : std::optional(cv::Matx33d(fitted));
}

} // namespace ocv::images
