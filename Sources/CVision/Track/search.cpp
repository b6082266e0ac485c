#include "Track/search.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::track {

namespace {

constexpr double sizes[] = {1, 0.8, 1.25};
constexpr int sizeCount = 3;
/// Bounds the work of one frame: pixels of the reduced piece.
constexpr double pieceArea = 60000;
/// The object's geometric mean side in the reduced picture.
constexpr double patternSide = 14;
constexpr double leastCorrelation = 0.35;
constexpr int candidates = 2;
/// Of a whole picture.
constexpr size_t mostOfAll = 4;

} // namespace

void Search::start(const Place &place) {
    last = place.upright();
    frame = 0;
    tile = 0;
    round = 0;
}

double Search::reduction(double size) const {
    return std::max(1.0, std::sqrt(last.width * size * last.height * size) / patternSide);
}

std::vector<Place> Search::next(const cv::Mat &picture, const Appearance &appearance) {
    const int turn = frame++;
    const double size = sizes[turn / 2 % sizeCount];
    const cv::Size2d object(last.width * size, last.height * size);

    // The piece, in pixels of the picture: every other frame near the last place, else the next tile of the whole.
    const cv::Rect2d whole(0, 0, picture.cols, picture.rows);
    const double most = std::sqrt(pieceArea) * reduction(size);
    cv::Rect2d piece;
    if (turn % 2 == 0) {
        const double reach = std::min(most, (3 + 0.2 * turn) * std::max(last.width, last.height));
        piece =
            cv::Rect2d(last.x + last.width / 2 - reach / 2, last.y + last.height / 2 - reach / 2, reach, reach) & whole;
    } else {
        // Tiles overlap by an object, so that none is cut by all of them.
        const int columns = std::max(1, int(std::ceil(whole.width / most))),
                  rows = std::max(1, int(std::ceil(whole.height / most)));
        if (columns * rows > 1 && columns * most * most * rows > 0) {
            const int index = tile++ / sizeCount % (columns * rows);
            const double width = whole.width / columns, height = whole.height / rows;
            piece = cv::Rect2d(
                        index % columns * width - object.width, index / columns * height - object.height,
                        width + 2 * object.width, height + 2 * object.height) &
                    whole;
        } else {
            piece = whole;
        }
    }
    std::vector<Candidate> found;
    look(picture, piece, size, appearance.pattern(turn / 2 % 2 == 1), found);
    std::vector<Place> places;
    for (const Candidate &candidate : found) places.push_back(candidate.place);
    return places;
}

std::vector<Place> Search::everywhere(const cv::Mat &picture, const Appearance &appearance) {
    const int turn = round++;
    const cv::Rect2d whole(0, 0, picture.cols, picture.rows);
    std::vector<Candidate> found;
    // As large as it was, by what it was seeded as and by what it looked like of late in turn; and another size by the other look.
    look(picture, whole, 1, appearance.pattern(turn % 2 == 1), found);
    look(picture, whole, sizes[1 + turn / 2 % (sizeCount - 1)], appearance.pattern(turn % 2 == 0), found);
    // The likeliest first, equal ones in their order. There are few; and what the library sorts by so, its own headers warn of.
    for (auto next = found.begin(); next != found.end(); ++next) {
        const auto place = std::upper_bound(
            found.begin(), next, *next, [](const Candidate &a, const Candidate &b) { return a.likeness > b.likeness; });
        std::rotate(place, next, next + 1);
    }
    if (found.size() > mostOfAll) found.resize(mostOfAll);
    std::vector<Place> places;
    for (const Candidate &candidate : found) places.push_back(candidate.place);
    return places;
}

void Search::look(
    const cv::Mat &picture, const cv::Rect2d &piece, double size, const cv::Mat &tone,
    std::vector<Candidate> &found) const {
    const cv::Size2d object(last.width * size, last.height * size);
    const double reduction = this->reduction(size);
    const cv::Size pattern(
        std::max(4, int(std::lround(object.width / reduction))),
        std::max(4, int(std::lround(object.height / reduction))));
    const cv::Rect part(int(piece.x), int(piece.y), int(piece.width), int(piece.height));
    if (part.width < 4 || part.height < 4) return;
    const cv::Size reducedSize(int(std::lround(part.width / reduction)), int(std::lround(part.height / reduction)));
    if (reducedSize.width < pattern.width || reducedSize.height < pattern.height) return;

    cv::Mat reduced, look, score;
    cv::resize(picture(part), reduced, reducedSize, 0, 0, cv::INTER_AREA);
    if (reduced.channels() == 3) cv::cvtColor(reduced, reduced, cv::COLOR_BGR2GRAY);
    reduced.convertTo(reduced, CV_32F);
    cv::resize(tone, look, pattern, 0, 0, cv::INTER_AREA);
    cv::matchTemplate(reduced, look, score, cv::TM_CCOEFF_NORMED);

    const double stepX = double(part.width) / reducedSize.width, stepY = double(part.height) / reducedSize.height;
    for (int k = 0; k < candidates; k++) {
        double best;
        cv::Point top;
        cv::minMaxLoc(score, nullptr, &best, nullptr, &top);
        if (!(best >= leastCorrelation)) break;
        const cv::Rect2d box(part.x + top.x * stepX, part.y + top.y * stepY, object.width, object.height);
        found.push_back({Place(box), best});
        const cv::Rect taken(top.x - pattern.width / 2, top.y - pattern.height / 2, pattern.width, pattern.height);
        score(taken & cv::Rect(0, 0, score.cols, score.rows)) = -1;
    }
}

} // namespace ocv::track
