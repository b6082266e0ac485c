#include "Markers/borders.hpp"
#include "Pixels/lanes.hpp"

namespace ocv::markers {

namespace {

// Values of the mask: 0 light, 1 dark and not yet followed, then:
constexpr int8_t followed = 2;
/// Followed, and its right neighbour, which is light, was seen from here: no hole begins there any more.
constexpr int8_t followedWithRightSide = -126;

// East, then counter-clockwise as seen in the picture.
constexpr int stepX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int stepY[8] = {0, -1, -1, -1, 0, 1, 1, 1};

} // namespace

void BorderFollower::start(DarkMask &newMask) {
    mask = &newMask;
    x = y = 0;
    changes = 0;
    for (int i = 0; i < 16; ++i) steps[i] = stepY[i % 8] * mask->stride + stepX[i % 8];
}

bool BorderFollower::next() {
    for (; y < mask->height; ++y, x = 0, changes = 0) {
        int8_t *row = mask->origin() + y * mask->stride;
        for (;;) {
            // Borders begin where dark and light meet along the row. Following marks pixels but leaves dark dark, so
            // these places can be looked up sixteen at a time.
            while (changes == 0) {
                // One further than the row, where a hole's border may begin at the last pixel.
                if (x > mask->width) break;
                const cv::v_int8x16 light = lanesEqual(cv::v_load(row + x), cv::v_setzero_s8());
                const cv::v_int8x16 lightBefore = lanesEqual(cv::v_load(row + x - 1), cv::v_setzero_s8());
                changes = unsigned(cv::v_signmask(lanesEither(light, lightBefore)));
                x += 16;
            }
            if (changes == 0) break;
            const int at = x - 16 + __builtin_ctz(changes);
            changes &= changes - 1;
            if (row[at] == 1 && row[at - 1] == 0) {
                follow(row + at, {at, y}, false);
                return true;
            }
            // A hole's border has to be followed too, or its right side would look like the start of an outer one.
            if (row[at] == 0 && row[at - 1] >= 1) follow(row + at - 1, {at - 1, y}, true);
        }
    }
    return false;
}

void BorderFollower::follow(int8_t *first, cv::Point at, bool hole) {
    points.clear();
    if (points.capacity() == 0) points.reserve(4096);
    const int arrival = hole ? 0 : 4;
    int direction = arrival;
    do direction = (direction - 1) & 7;
    while (first[steps[direction]] == 0 && direction != arrival);
    if (direction == arrival && first[steps[direction]] == 0) {
        *first = followedWithRightSide;
        points.push_back(at);
        return;
    }
    int8_t *const last = first + steps[direction], *current = first;
    for (;;) {
        const int from = direction;
        int8_t *neighbour;
        do neighbour = current + steps[++direction];
        while (*neighbour == 0);
        direction &= 7;
        if (unsigned(direction - 1) < unsigned(from))
            *current = followedWithRightSide;
        else if (*current == 1)
            *current = followed;
        if (!hole) points.push_back(at);
        at.x += stepX[direction];
        at.y += stepY[direction];
        if (neighbour == first && current == last) return;
        current = neighbour;
        direction = (direction + 4) & 7;
    }
}

} // namespace ocv::markers
