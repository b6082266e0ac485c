#include "Horizon/bars.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

namespace ocv::horizon {
namespace {

/// Grey levels from a bar's value that coding makes of it at the most, as next to its border, and the share of a line that
/// may be further off.
constexpr int ringing = 6;
constexpr double stray = 1.0 / 64;
/// Lines next to a border, over which coding spreads what is beyond it: a block.
constexpr int block = 8;
/// Lines that a bar has at least.
constexpr int leastLines = 2;
/// Pixels and the share of the picture across the bars that are left at the least: a portrait in 16:9 leaves 0.32.
constexpr int leastLeft = 24;
constexpr double leastShareLeft = 0.25;
/// Pictures smaller than this have no room for telling bars from anything else, pixels.
constexpr int leastSide = 64;
/// How far two bars of one picture are apart at the most, grey levels.
constexpr int alikeLevels = 3;
/// Of the picture across them: the wider of two unequal bars, and one without another, are at the most this wide. What is
/// wider may be the ground.
constexpr double widestUnequal = 1.0 / 3, widestLone = 0.25;

/// What a bar has to be like. One alone may as well be a flat ground under a level horizon: it is constant but for a few
/// pixels, and its border sharper than a lens draws one.
struct Demands {
    /// The mean difference from the bar's value, grey levels.
    double plain;
    /// Of the step at the border: what is left of it a line before it, and is there a line after it.
    double before, after;
    /// The share of the border where there is a step.
    double seen;
};
constexpr Demands ofTwo{1.5, 0.3, 0.7, 0.25}, ofOne{0.25, 0.15, 0.85, 0.5};

enum class Side { top, bottom, left, right };

/// A picture's rows or columns from one edge of it on.
class Lines {
public:
    /// Of columns every few pixels are enough, and reading them all would take longer than all the rest.
    Lines(const cv::Mat &picture, Side side) : luma(picture), side(side) {
        const int skip = isRow() ? 1 : std::max(1, picture.rows / enough);
        if (skip > 1)
            luma = cv::Mat(picture.rows / skip, picture.cols, CV_8U, picture.data, picture.step * size_t(skip));
    }

    int count() const { return isRow() ? luma.rows : luma.cols; }
    int length() const { return isRow() ? luma.cols : luma.rows; }
    const uint8_t *line(int i) {
        if (side == Side::top) return luma.ptr<uint8_t>(i);
        if (side == Side::bottom) return luma.ptr<uint8_t>(luma.rows - 1 - i);
        // Columns are turned into rows a few at a time: where there is no bar, hardly any are.
        const int column = side == Side::left ? i : luma.cols - 1 - i, first = column / chunk * chunk;
        if (first != start) {
            start = first;
            cv::transpose(luma.colRange(first, std::min(first + chunk, luma.cols)), turned);
        }
        return turned.ptr<uint8_t>(column - first);
    }

private:
    static constexpr int chunk = 32, enough = 160;
    bool isRow() const { return side == Side::top || side == Side::bottom; }

    cv::Mat luma;
    Side side;
    cv::Mat turned;
    int start = -1;
};

/// How far a line is from a value.
struct Distance {
    /// Grey levels.
    double mean = 0;
    /// The share of the pixels that are off by more than coding makes of it.
    double off = 0;
};

/// Bytes are counted in bytes, a run of them at a time: so the compiler takes sixteen at once.
Distance distance(const uint8_t *line, int length, int value) {
    constexpr int atOnce = 240;
    const uint8_t level = uint8_t(value), low = uint8_t(std::max(value - ringing, 0)),
                  high = uint8_t(std::min(value + ringing, 255));
    int sum = 0, off = 0;
    for (int start = 0; start < length; start += atOnce) {
        const uint8_t *values = line + start;
        const int count = std::min(atOnce, length - start);
        for (int i = 0; i < count; i++) sum += std::abs(int(values[i]) - int(level));
        uint8_t some = 0;
        for (int i = 0; i < count; i++) some = uint8_t(some + uint8_t((values[i] < low) | (values[i] > high)));
        off += some;
    }
    return {double(sum) / length, double(off) / length};
}

/// Lines of one value along an edge of the picture.
struct Run {
    int value = 0;
    /// How many lines there are up to the first that shows something.
    int lines = 0;
    /// The mean difference from the value, grey levels, those next to the border left out.
    double plain = 0;
    /// The line where the step is half done, and what is left of it a line before and there a line after; 0 lines for none.
    int border = 0;
    double before = 1, after = 0, seen = 0;
    /// Grey levels by which what is beyond the border is brighter.
    double brighter = 0;

    bool isBar(const Demands &demands) const {
        return border >= leastLines && plain <= demands.plain && before <= demands.before && after >= demands.after &&
               seen >= demands.seen;
    }
};

/// The value of most of a line, from a few places along it.
int middle(const uint8_t *line, int length) {
    std::array<uint8_t, 15> values{};
    for (size_t i = 0; i < values.size(); i++) values[i] = line[(2 * i + 1) * size_t(length) / (2 * values.size())];
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// The run along an edge, without lines where there is none; nil if it goes on for half the picture:
/// of one that is flat for the rest as well nothing would be left.
std::optional<Run> run(Lines lines) {
    Run out;
    const int length = lines.length(), most = lines.count() / 2;
    out.value = middle(lines.line(0), length);
    std::vector<Distance> all;
    const auto take = [&] { all.push_back(distance(lines.line(int(all.size())), length, out.value)); };
    for (take(); all.back().off <= stray; take())
        if (int(all.size()) >= most) return std::nullopt;
    out.lines = int(all.size()) - 1;
    if (out.lines < leastLines) return out;
    for (int i = 0; i < block + 4; i++) take();
    // Ringing may have ended the run early: the border is where half of what is a block further on is reached.
    const size_t lineCount = size_t(out.lines), end = all.size() - 1;
    const double step = (all[end].mean + all[end - 1].mean + all[end - 2].mean) / 3;
    size_t border = lineCount;
    while (border + 3 < end && all[border].mean < step / 2) border++;
    const double whole = (all[border + 2].mean + all[border + 3].mean) / 2;
    if (whole <= 0) return out;
    out.border = int(border);
    out.before = all[border - 1].mean / whole;
    out.after = all[border + 1].mean / whole;
    out.seen = all[border + 1].off;
    const size_t inner = border > block + 1 ? border - block : 1;
    for (size_t i = 0; i < inner; i++) out.plain += all[i].mean / double(inner);
    const uint8_t *beyond = lines.line(int(border) + 2);
    for (int i = 0; i < length; i++) out.brighter += double(beyond[i] - out.value) / length;
    return out;
}

/// Lines of the bars on two opposite sides.
struct Pair {
    int first = 0, second = 0;
};

/// - Parameter isLevel: above and below, where a border may be a horizon.
Pair bars(const Run &first, const Run &second, int count, bool isLevel) {
    Pair out;
    if (std::abs(first.value - second.value) <= alikeLevels && first.plain <= ofTwo.plain &&
        second.plain <= ofTwo.plain) {
        const bool isFirst = first.isBar(ofTwo), isSecond = second.isBar(ofTwo);
        const int least = std::min(first.border, second.border), most = std::max(first.border, second.border);
        // Something of the bars' value may go on beyond one of them, as a black ground does: the other tells their width.
        if (isFirst && isSecond && (most - least <= 2 + least / 8 || most <= widestUnequal * count))
            out = {first.border, second.border};
        else if (isFirst && isSecond)
            out = {least, least};
        else if (isFirst && second.lines >= first.border - 2)
            out = {first.border, first.border};
        else if (isSecond && first.lines >= second.border - 2)
            out = {second.border, second.border};
    }
    if (out.first == 0) {
        const auto isLone = [&](const Run &run) { return run.isBar(ofOne) && run.border <= widestLone * count; };
        // A bright one above may be the sky.
        if (isLone(first) && (!isLevel || first.brighter > 0)) out.first = first.border;
        if (isLone(second)) out.second = second.border;
    }
    return out;
}

} // namespace

cv::Rect withoutBars(const cv::Mat &luma) {
    cv::Rect rect(0, 0, luma.cols, luma.rows);
    // Bars above and below may end at those beside them: the second round sees them.
    for (int round = 0; round < 2; round++) {
        const cv::Rect known = rect;
        for (const bool isLevel : {true, false}) {
            if (std::min(rect.width, rect.height) < leastSide) return rect;
            const cv::Mat shown = luma(rect);
            const int count = isLevel ? rect.height : rect.width;
            const auto one = run(Lines(shown, isLevel ? Side::top : Side::left));
            if (!one) continue;
            const auto other = run(Lines(shown, isLevel ? Side::bottom : Side::right));
            if (!other) continue;
            const Pair pair = bars(*one, *other, count, isLevel);
            // The line where the step is half done goes with the bar.
            const int first = pair.first + (pair.first > 0), second = pair.second + (pair.second > 0);
            if (count - first - second < std::max(double(leastLeft), leastShareLeft * count)) continue;
            (isLevel ? rect.y : rect.x) += first;
            (isLevel ? rect.height : rect.width) -= first + second;
        }
        if (rect == known) break;
    }
    return rect;
}

ocv_picture part(const ocv_picture &picture, cv::Rect &rect) {
    const int planes = picture.format == OCV_PICTURE_YUV ? 3 : 1;
    const ocv_plane &luma = picture.planes[0], &last = picture.planes[planes - 1];
    const int across = (luma.width + last.width - 1) / last.width, down = (luma.height + last.height - 1) / last.height;
    const auto within = [](int &start, int &size, int unit) {
        const int end = (start + size) / unit * unit;
        start = (start + unit - 1) / unit * unit;
        size = end - start;
    };
    within(rect.x, rect.width, across);
    within(rect.y, rect.height, down);
    ocv_picture out = picture;
    for (int i = 0; i < planes; i++) {
        const int x = i > 0 ? across : 1, y = i > 0 ? down : 1;
        ocv_plane &plane = out.planes[i];
        plane.data += rect.y / y * plane.stride + rect.x / x;
        plane.width = rect.width / x;
        plane.height = rect.height / y;
    }
    return out;
}

} // namespace ocv::horizon
