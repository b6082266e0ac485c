#include "Labels/slide.hpp"
#include "Labels/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::labels {

namespace {

/// Pixels, at the level at which the neighbourhood is compared: a side of a block, and half the neighbourhood at most.
constexpr int blockSide = 21, mostReach = 128;
/// Of the near neighbourhood's radius.
constexpr double reachShare = 1.8;
/// Places along the weak direction, and pixels of the level from one to the next.
constexpr int places = 9;
constexpr double spacing = 2;
constexpr int leastBlocks = 10;
/// A block that is this much less like the keyframe than most is covered, in part at least.
constexpr double mostUnlike = 2.5;
/// By how many standard deviations the blocks must be less alike away from the place.
constexpr double leastClear = 2;
/// How much more than most a block may say.
constexpr double mostSaid = 2;

/// What is left of each block at each place: the mean square of what isn't explained, codes².
using Rests = std::array<double, places>;

/// A level without its noise, around a square.
struct Calm {
    cv::Mat image;
    cv::Point origin;

    Calm(const Pyramid &picture, int level, const cv::Rect &square) {
        const cv::Mat &whole = picture.image(level);
        const cv::Rect there = square & cv::Rect(picture.origin(level), whole.size());
        origin = there.tl();
        // Noise that interpolation takes away here and leaves there would say more than the surface does.
        if (!there.empty()) cv::GaussianBlur(whole(there - picture.origin(level)), image, {7, 7}, 1.2);
    }
    bool contains(cv::Point2d p) const {
        return p.x >= origin.x && p.y >= origin.y && p.x < origin.x + image.cols - 1 && p.y < origin.y + image.rows - 1;
    }
    double operator()(cv::Point2d p) const {
        const double x = p.x - origin.x, y = p.y - origin.y;
        const int column = int(x), row = int(y);
        const double fx = x - column, fy = y - row;
        const uint8_t *upper = image.ptr<uint8_t>(row) + column, *lower = image.ptr<uint8_t>(row + 1) + column;
        return (1 - fy) * ((1 - fx) * upper[0] + fx * upper[1]) + fy * ((1 - fx) * lower[0] + fx * lower[1]);
    }
};

/// One block of the keyframe: what brightness, contrast and a small step across the grain make of it.
class Block {
public:
    bool make(const Calm &image, cv::Point centre, cv::Point2d across) {
        columns_.clear(), at_.clear();
        normal_ = cv::Matx33d::zeros();
        for (int y = centre.y - blockSide / 2; y <= centre.y + blockSide / 2; y++)
            // Every second one, as on a chessboard: neighbours say the same.
            for (int x = centre.x - blockSide / 2 + (y & 1); x <= centre.x + blockSide / 2; x += 2) {
                const cv::Point2d p(x, y), right(1, 0), down(0, 1);
                if (!image.contains(p - right - down) || !image.contains(p + right + down)) return false;
                const double gx = image(p + right) - image(p - right), gy = image(p + down) - image(p - down);
                columns_.emplace_back(1, image(p) - 128, (across.x * gx + across.y * gy) / 2);
                at_.push_back(p);
                normal_ += columns_.back() * columns_.back().t();
            }
        for (int i = 0; i < 3; i++) normal_(i, i) += 1e-6 * double(at_.size());
        return true;
    }
    /// What isn't explained of it where it lies `way` farther, codes²; below 0 outside the picture. Writes how far
    /// across it still is.
    double rest(const Calm &image, const cv::Matx33d &map, cv::Point2d way, double &step) const {
        cv::Vec3d right;
        double squares = 0;
        for (size_t i = 0; i < at_.size(); i++) {
            const double x = at_[i].x + way.x, y = at_[i].y + way.y;
            const double w = 1 / (map(2, 0) * x + map(2, 1) * y + map(2, 2));
            const cv::Point2d there(
                (map(0, 0) * x + map(0, 1) * y + map(0, 2)) * w, (map(1, 0) * x + map(1, 1) * y + map(1, 2)) * w);
            if (!image.contains(there)) return -1;
            const double value = image(there) - 128;
            right += columns_[i] * value;
            squares += value * value;
        }
        const cv::Vec3d found = normal_.solve(right, cv::DECOMP_CHOLESKY);
        step = found[1] > 0.2 ? std::clamp(found[2] / found[1], -1.0, 1.0) : 0;
        return std::max(squares - found.dot(right), 0.0) / double(at_.size());
    }

private:
    std::vector<cv::Vec3d> columns_;
    std::vector<cv::Point2d> at_;
    cv::Matx33d normal_;
};

/// A plane's map at a level.
cv::Matx33d matrix(const Plane &p, int level) {
    const double scale = 1 << level, shift = (scale - 1) / 2;
    const cv::Matx33d down(1 / scale, 0, -shift / scale, 0, 1 / scale, -shift / scale, 0, 0, 1);
    return down * cv::Matx33d(p.a1, p.a2, p.a0, p.b1, p.b2, p.b0, p.g, p.h, 1);
}

/// One look, around `way`.
Slide measure(const std::vector<Rests> &blocks, double way) {
    // A parabola by least squares, of each block: its slope and its curvature at the middle.
    double squares = 0, fourths = 0;
    for (int i = 0; i < places; i++) {
        const double s = spacing * (i - places / 2);
        squares += s * s;
        fourths += s * s * s * s;
    }
    const double mean = squares / places, spread = fourths - mean * squares;
    std::vector<cv::Point2d> shapes;
    std::vector<double> sizes;
    for (const Rests &rests : blocks) {
        double first = 0, second = 0;
        for (int i = 0; i < places; i++) {
            const double s = spacing * (i - places / 2);
            first += s * rests[size_t(i)] / squares;
            second += (s * s - mean) * rests[size_t(i)] / spread;
        }
        shapes.emplace_back(first, second);
        sizes.push_back(std::abs(second));
    }
    // A block in which much can be seen is of something else than the surface that shows so little.
    const double most = mostSaid * median(sizes);
    double slope = 0, curvature = 0;
    for (cv::Point2d &shape : shapes) {
        shape *= std::min(1.0, most / std::max(std::abs(shape.y), 1e-9));
        slope += shape.x, curvature += shape.y;
    }
    if (!(curvature > 0)) return {way, HUGE_VAL};
    const double step = -slope / (2 * curvature);
    // How differently the blocks speak says how far to believe their sum.
    double slopes = 0, curvatures = 0;
    const double share = curvature / double(blocks.size());
    for (const cv::Point2d &shape : shapes) {
        const double rest = shape.x + 2 * shape.y * step;
        slopes += rest * rest;
        curvatures += (shape.y - share) * (shape.y - share);
    }
    if (curvature * curvature < leastClear * leastClear * curvatures) return {way, HUGE_VAL};
    return {way + step, std::sqrt(slopes) / (2 * curvature)};
}

} // namespace

Slide measureSlide(const Keyframe &keyframe, const Pyramid &picture, const Plane &now, double radius) {
    Slide slide;
    const double length = cv::norm(keyframe.weak);
    const double size = reachShare * radius * std::sqrt(std::abs(keyframe.plane.linear({}).determinant()));
    int level = 0;
    while (size > mostReach * (1 << level)) level++;
    if (!(length > 0) || level >= keyframe.picture.levels() || level >= picture.levels()) return slide;
    const double scale = 1 << level;
    const cv::Point2d along = keyframe.weak * (1 / length), across(-along.y, along.x);
    const int reach = std::max(int(size / scale), blockSide);
    const cv::Point2d anchor = toLevel(keyframe.plane.anchor(), level);
    const cv::Point middle(int(std::lround(anchor.x)), int(std::lround(anchor.y)));
    const Calm before(
        keyframe.picture, level, {middle.x - reach - 2, middle.y - reach - 2, 2 * reach + 5, 2 * reach + 5});
    const cv::Point2d here = toLevel(now.anchor(), level);
    const Linear then = keyframe.plane.linear({}).inverse(), next = now.linear({});
    const Linear turn{
        next.xx * then.xx + next.xy * then.yx, next.xx * then.xy + next.xy * then.yy,
        next.yx * then.xx + next.yy * then.yx, next.yx * then.xy + next.yy * then.yy};
    const double most = std::max(std::hypot(turn.xx, turn.yx), std::hypot(turn.xy, turn.yy));
    const int wide = int(std::min(1.5 * most, 4.0) * (reach + 3 * spacing * places)) + 4;
    const Calm after(picture, level, {int(here.x) - wide, int(here.y) - wide, 2 * wide + 1, 2 * wide + 1});
    if (before.image.empty() || after.image.empty()) return slide;

    const int side = reach / blockSide;
    const cv::Matx33d map = matrix(now, level) * matrix(keyframe.plane, level).inv();
    Block block;
    for (int round = 0; round < 3; round++) {
        std::vector<Rests> blocks;
        std::vector<double> least;
        for (int index = 0; index < (2 * side + 1) * (2 * side + 1); index++) {
            const cv::Point centre =
                middle + blockSide * cv::Point(index % (2 * side + 1) - side, index / (2 * side + 1) - side);
            if (!block.make(before, centre, across)) continue;
            Rests rests;
            // How far across the grain the block is found: it goes on from one place to the next.
            double offset = 0;
            bool isWhole = true;
            for (int i = 0; i < places && isWhole; i++)
                for (int turn = i == 0 ? -2 : 0; turn < 2 && isWhole; turn++) {
                    const double way = slide.way / scale + spacing * (i - places / 2);
                    double step = 0;
                    rests[size_t(i)] = block.rest(after, map, along * way + across * offset, step);
                    isWhole = rests[size_t(i)] >= 0;
                    if (turn < 1) offset -= step;
                    isWhole &= std::abs(offset) < blockSide / 4.0;
                }
            if (!isWhole) continue;
            blocks.push_back(rests);
            least.push_back(*std::min_element(rests.begin(), rests.end()));
        }
        if (int(blocks.size()) < leastBlocks) return {};
        std::vector<double> sorted = least;
        const double usual = median(sorted);
        std::vector<Rests> clear;
        for (size_t i = 0; i < blocks.size(); i++)
            if (least[i] <= mostUnlike * usual + 0.1) clear.push_back(blocks[i]);
        if (int(clear.size()) < leastBlocks) return {};
        const double from = slide.way / scale;
        slide = measure(clear, from);
        if (slide.deviation == HUGE_VAL) return {};
        const double step = slide.way - from;
        slide.way *= scale, slide.deviation *= scale;
        if (std::abs(step) < 2 * spacing) return slide;
        // Farther than it was looked for, a parabola says the direction only.
        const double farthest = spacing * (places / 2);
        slide.way = (from + std::clamp(step, -farthest, farthest)) * scale;
    }
    return {};
}

} // namespace ocv::labels
