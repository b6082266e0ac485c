#include "Labels/model.hpp"
#include "Labels/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::labels {

namespace {

template <typename Map> double agreement(std::vector<Pair> &pairs, const Map &map, double tolerance) {
    double weight = 0;
    for (auto &pair : pairs) {
        const double limit = tolerance * pair.sigma;
        const double error = pair.distance(map(pair.from) - pair.to) / (limit * limit);
        pair.isInlier = error < 1;
        // Among maps with the same inliers the closer one wins.
        if (pair.isInlier) weight += pair.weight * (1 - 0.5 * error);
    }
    return weight;
}

/// Least squares of an affine map over the inliers.
bool refine(const std::vector<Pair> &pairs, Motion &out) {
    cv::Matx66d normal = cv::Matx66d::zeros();
    cv::Vec6d right;
    int count = 0;
    for (const auto &pair : pairs) {
        if (!pair.isInlier) continue;
        count++;
        const double weight = pair.weight / (pair.sigma * pair.sigma), row[3] = {pair.from.x, pair.from.y, 1};
        const double x = pair.xx * pair.to.x + pair.xy * pair.to.y, y = pair.xy * pair.to.x + pair.yy * pair.to.y;
        for (int i = 0; i < 3; i++) {
            right[i] += weight * row[i] * x;
            right[i + 3] += weight * row[i] * y;
            for (int j = 0; j < 3; j++) {
                const double product = weight * row[i] * row[j];
                normal(i, j) += product * pair.xx;
                normal(i, j + 3) += product * pair.xy;
                normal(i + 3, j) += product * pair.xy;
                normal(i + 3, j + 3) += product * pair.yy;
            }
        }
    }
    if (count < 8) return false;
    bool ok = false;
    const cv::Matx66d inverse = normal.inv(cv::DECOMP_CHOLESKY, &ok);
    if (!ok) return false;
    const cv::Vec6d a = inverse * right;
    out = {{a[0], a[1], a[3], a[4]}, {a[2], a[5]}};
    return true;
}

} // namespace

Linear Plane::linear(cv::Point2d u) const {
    const double w = 1 / depth(u);
    const cv::Point2d p = (*this)(u);
    return {(a1 - p.x * g) * w, (a2 - p.x * h) * w, (b1 - p.y * g) * w, (b2 - p.y * h) * w};
}

cv::Point2d Plane::back(cv::Point2d p) const {
    const Linear matrix{a1 - p.x * g, a2 - p.x * h, b1 - p.y * g, b2 - p.y * h};
    return matrix.inverse() * cv::Point2d(p.x - a0, p.y - b0);
}

Plane Plane::unbent(const Plane &usual) const {
    const Linear change = linear({}) * usual.linear({}).inverse();
    const double c = (change.xx + change.yy) / 2, s = (change.yx - change.xy) / 2;
    const Linear turn{c, -s, s, c};
    return Motion{turn, anchor() - turn * usual.anchor()}.after(usual);
}

double slantBetween(const Plane &before, const Plane &after) {
    const Linear change = after.linear({}) * before.linear({}).inverse();
    return std::hypot(change.xx - change.yy, change.xy + change.yx) /
           std::sqrt(std::max(std::abs(change.determinant()), 1e-9));
}

Linear linearBetween(cv::Point2d b, cv::Point2d c, cv::Point2d e, cv::Point2d f) {
    const double area = b.x * c.y - b.y * c.x;
    return {
        (e.x * c.y - f.x * b.y) / area, (f.x * b.x - e.x * c.x) / area, (e.y * c.y - f.y * b.y) / area,
        (f.y * b.x - e.y * c.x) / area};
}

bool Plane::isPlausible(double radius) const {
    for (const cv::Point2d corner :
         {cv::Point2d(-radius, -radius), cv::Point2d(radius, -radius), cv::Point2d(radius, radius),
          cv::Point2d(-radius, radius), cv::Point2d(0, 0)}) {
        if (!(depth(corner) > 0.3 && depth(corner) < 3)) return false;
        const Linear l = linear(corner);
        const double area = l.determinant(), sum = l.xx * l.xx + l.xy * l.xy + l.yx * l.yx + l.yy * l.yy;
        // The ratio of the axes of what a circle becomes, from determinant and sum of squares.
        if (!(area > 0.02 && area < 50 && sum < 6.5 * area)) return false;
    }
    return true;
}

Plane Motion::after(const Plane &p) const {
    Plane result = p;
    result.a0 = linear.xx * p.a0 + linear.xy * p.b0 + shift.x;
    result.b0 = linear.yx * p.a0 + linear.yy * p.b0 + shift.y;
    result.a1 = linear.xx * p.a1 + linear.xy * p.b1 + shift.x * p.g;
    result.b1 = linear.yx * p.a1 + linear.yy * p.b1 + shift.y * p.g;
    result.a2 = linear.xx * p.a2 + linear.xy * p.b2 + shift.x * p.h;
    result.b2 = linear.yx * p.a2 + linear.yy * p.b2 + shift.y * p.h;
    return result;
}

double estimateMotion(std::vector<Pair> &pairs, double tolerance, Motion &out, bool mayShear) {
    const int count = int(pairs.size());
    if (count < 3) return 0;
    double total = 0;
    for (const auto &pair : pairs) total += pair.weight;
    Sequence sequence;
    double best = 0;
    const auto consider = [&](const Motion &motion) {
        const double weight = agreement(pairs, motion, tolerance);
        if (weight <= best) return;
        best = weight;
        out = motion;
    };
    for (int round = 0; round < 80 && best < 0.95 * total; round++) {
        const Pair &p = pairs[size_t(sequence.below(count))], &q = pairs[size_t(sequence.below(count))];
        const cv::Point2d before = q.from - p.from, after = q.to - p.to;
        const double length = square(before);
        if (length < 100) continue;
        const double c = (before.x * after.x + before.y * after.y) / length;
        const double s = (before.x * after.y - before.y * after.x) / length;
        const double scale = c * c + s * s;
        if (!(scale > 0.25 && scale < 4)) continue;
        const Linear linear{c, -s, s, c};
        consider({linear, p.to - linear * p.from});
    }
    if (best <= 0) return 0;
    agreement(pairs, out, tolerance);
    Motion finer;
    if (mayShear && refine(pairs, finer)) consider(finer);
    agreement(pairs, out, tolerance);
    double agreed = 0;
    for (const auto &pair : pairs) agreed += pair.isInlier ? pair.weight : 0;
    return agreed / total;
}

Precision fitPlane(std::vector<Pair> &pairs, double radius, double tolerance, Plane &plane, double freedom) {
    using Vector = cv::Vec<double, 8>;
    using Matrix = cv::Matx<double, 8, 8>;
    // In units of the neighbourhood's radius, so that all eight numbers are pixels at its rim or shares.
    const auto pack = [&](const Plane &p) {
        return Vector(
            p.a0, p.a1 * radius, p.a2 * radius, p.b0, p.b1 * radius, p.b2 * radius, p.g * radius, p.h * radius);
    };
    const auto unpack = [&](const Vector &v) {
        return Plane{v[0],          v[1] / radius, v[2] / radius, v[3],
                     v[4] / radius, v[5] / radius, v[6] / radius, v[7] / radius};
    };
    const Vector start = pack(plane);
    // Per pixel² of the prior's deviation: the place is free, the shape may change by some pixels at the rim, the
    // perspective by some hundredths.
    const double shape = 1 / (36 * freedom * freedom), tilt = 1 / (0.0004 * freedom * freedom);
    const Vector prior(1e-6, shape, shape, 1e-6, shape, shape, tilt, tilt);
    Vector current = start;
    Precision result;
    // The inliers' variance, of the iteration before, pixels².
    double noise = 1;
    for (int iteration = 0; iteration < 10; iteration++) {
        const Plane p = unpack(current);
        // `spread`: what the rests' own variance makes of the right side, so that weights aren't taken for precision.
        Matrix normal = Matrix::zeros(), spread = Matrix::zeros();
        Vector right = Vector::zeros();
        for (int i = 0; i < 8; i++) {
            normal(i, i) = spread(i, i) = prior[i];
            right[i] = prior[i] * (start[i] - current[i]);
        }
        // Starts tolerant and becomes strict.
        const double limit = tolerance * std::max(1.0, 3.0 - iteration);
        double squares = 0, weights = 0;
        for (auto &pair : pairs) {
            const double u = pair.from.x / radius, v = pair.from.y / radius;
            const double w = 1 / p.depth(pair.from);
            const cv::Point2d at = p(pair.from), rest = pair.to - at;
            const double size = pair.distance(rest) / (limit * limit * pair.sigma * pair.sigma);
            pair.isInlier = size < 1;
            if (!pair.isInlier) continue;
            const double tukey = (1 - size) * (1 - size);
            const double weight = tukey * pair.weight / (pair.sigma * pair.sigma);
            squares += pair.weight * pair.distance(rest);
            weights += pair.weight;
            const double x[8] = {w, u * w, v * w, 0, 0, 0, -at.x * u * w, -at.x * v * w};
            const double y[8] = {0, 0, 0, w, u * w, v * w, -at.y * u * w, -at.y * v * w};
            for (int i = 0; i < 8; i++) {
                const double wx = weight * (pair.xx * x[i] + pair.xy * y[i]);
                const double wy = weight * (pair.xy * x[i] + pair.yy * y[i]);
                right[i] += wx * rest.x + wy * rest.y;
                for (int j = 0; j < 8; j++) {
                    const double much = wx * x[j] + wy * y[j];
                    normal(i, j) += much;
                    spread(i, j) += much * weight * noise * pair.sigma * pair.sigma;
                }
            }
        }
        result.error = weights > 0 ? std::sqrt(squares / weights) : tolerance;
        bool ok = false;
        const Matrix inverse = normal.inv(cv::DECOMP_CHOLESKY, &ok);
        if (!ok) break;
        const Vector step = inverse * right;
        current += step;
        const Matrix covariance = inverse * spread * inverse;
        const double a = covariance(0, 0), b = covariance(0, 3), c = covariance(3, 3);
        result.anchor = std::sqrt((a + c) / 2 + std::sqrt((a - c) * (a - c) / 4 + b * b));
        noise = std::max(result.error * result.error, 0.04);
        if (iteration >= 3 && std::abs(step[0]) + std::abs(step[3]) < 1e-3) break;
    }
    plane = unpack(current);
    return result;
}

int findPlane(std::vector<Pair> &pairs, double radius, double tolerance, Plane &plane) {
    const int count = int(pairs.size());
    if (count < 6) return 0;
    Sequence sequence;
    double best = 0;
    Motion map;
    for (int round = 0; round < 400; round++) {
        const Pair &p = pairs[size_t(sequence.below(count))], &q = pairs[size_t(sequence.below(count))],
                   &r = pairs[size_t(sequence.below(count))];
        const cv::Point2d b = q.from - p.from, c = r.from - p.from;
        const double area = b.x * c.y - b.y * c.x;
        if (std::abs(area) < 0.02 * radius * radius) continue;
        const Linear linear = linearBetween(b, c, q.to - p.to, r.to - p.to);
        const Motion motion{linear, p.to - linear * p.from};
        if (!motion.after(Plane()).isPlausible(radius)) continue;
        const double weight = agreement(pairs, motion, tolerance);
        if (weight <= best) continue;
        best = weight;
        map = motion;
    }
    if (best <= 0) return 0;
    plane = map.after(Plane());
    fitPlane(pairs, radius, tolerance, plane);
    return int(std::count_if(pairs.begin(), pairs.end(), [](const Pair &pair) { return pair.isInlier; }));
}

} // namespace ocv::labels
