#include "Text/lines.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::text {
namespace {

/// The widest space between two words of a line, heights; parts of a line may overlap by as much of a word.
constexpr double widestSpace = 0.9, longestOverlap = 4;
/// The share of the lower part's height that the other must have beside it.
constexpr double leastBand = 0.6;
/// Radians between two parts of a line.
constexpr double widestAngle = 0.12;

cv::Point2d point(const ocv_point &p) { return {p.x, p.y}; }

/// A line's middle at its left and right end, and its height there.
struct Ends {
    cv::Point2d left, right;
    double leftHeight, rightHeight;

    explicit Ends(const ocv_text_line &line)
        : left((point(line.corners[0]) + point(line.corners[3])) / 2),
          right((point(line.corners[1]) + point(line.corners[2])) / 2),
          leftHeight(cv::norm(point(line.corners[3]) - point(line.corners[0]))),
          rightHeight(cv::norm(point(line.corners[2]) - point(line.corners[1]))) {}

    cv::Point2d way() const { return right - left; }
};

/// True where `b` goes on, to the right, where `a` ends.
bool goesOn(const Ends &a, const Ends &b) {
    const double height = std::min(a.rightHeight, b.leftHeight), taller = std::max(a.rightHeight, b.leftHeight);
    if (!(height > 0) || taller > 2.2 * height) return false;
    const cv::Point2d along = a.way() / std::max(cv::norm(a.way()), 1e-9), gap = b.left - a.right;
    const double space = gap.dot(along), shift = std::abs(gap.dot({-along.y, along.x}));
    if (space > widestSpace * taller || space < -longestOverlap * taller || b.right.dot(along) < a.right.dot(along) ||
        b.left.dot(along) < a.left.dot(along)) {
        return false;
    }
    // How much of the lower one's band lies in the other's.
    if ((a.rightHeight + b.leftHeight) / 2 - shift < leastBand * height + (taller - height) / 2 - 1e-9) return false;
    const double turn = std::atan2(along.cross(b.way()), along.dot(b.way()));
    // A short part tells little of its direction.
    const double sure = std::min(cv::norm(a.way()) / a.rightHeight, cv::norm(b.way()) / b.leftHeight);
    return std::abs(turn) < widestAngle + (sure < 3 ? 0.15 : 0);
}

} // namespace

std::vector<TextChain> mergeChains(const std::vector<Letter> &letters, std::vector<TextChain> chains) {
    std::sort(chains.begin(), chains.end(), [](const TextChain &a, const TextChain &b) {
        return a.line.corners[0].x != b.line.corners[0].x ? a.line.corners[0].x < b.line.corners[0].x
                                                          : a.letters < b.letters;
    });
    std::vector<Ends> ends;
    for (const TextChain &chain : chains) ends.emplace_back(chain.line);
    std::vector<char> isGone(chains.size(), 0);
    for (size_t i = 0; i < chains.size(); i++) {
        if (isGone[i]) continue;
        for (size_t k = i + 1; k < chains.size(); k++) {
            // Sorted by their left ends: nothing farther can be near enough.
            if (ends[k].left.x > ends[i].right.x + 3 * ends[i].rightHeight) break;
            if (isGone[k] || !goesOn(ends[i], ends[k])) continue;
            TextChain both;
            both.letters = chains[i].letters;
            both.letters.insert(both.letters.end(), chains[k].letters.begin(), chains[k].letters.end());
            both.line.isLight = chains[i].line.isLight;
            if (!outlineOfChain(letters, both.letters, both.line)) continue;
            // What is whole comes before its parts, those of other scales too.
            both.line.score = std::max(both.line.score, std::hypot(chains[i].line.score, chains[k].line.score));
            isGone[k] = 1;
            chains[i] = std::move(both);
            ends[i] = Ends(chains[i].line);
            // It may reach what it didn't.
            k = i;
        }
    }
    std::vector<TextChain> kept;
    for (size_t i = 0; i < chains.size(); i++)
        if (!isGone[i]) kept.push_back(std::move(chains[i]));
    return kept;
}

} // namespace ocv::text
