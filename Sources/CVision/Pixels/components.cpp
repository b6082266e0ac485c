#include "Pixels/components.hpp"

#include <algorithm>
#include <cstring>

namespace ocv {
namespace {

/// The first pixel from x on that is 0, or isn't.
int skip(const uint8_t *row, int x, int width, bool zeros) {
    if (zeros) {
        for (uint64_t eight; x + 8 <= width; x += 8) {
            std::memcpy(&eight, row + x, 8);
            if (eight) break;
        }
    }
    while (x < width && (row[x] == 0) == zeros) x++;
    return x;
}

int root(std::vector<int> &parents, int index) {
    while (parents[size_t(index)] != index) index = parents[size_t(index)] = parents[size_t(parents[size_t(index)])];
    return index;
}

} // namespace

Components components(const cv::Mat &mask) {
    std::vector<Span> spans;
    std::vector<int> parents;
    size_t above = 0; // the first span of the row above that may touch the next one
    for (int y = 0; y < mask.rows; y++) {
        const uint8_t *pixels = mask.ptr(y);
        const size_t end = spans.size();
        for (int x = skip(pixels, 0, mask.cols, true); x < mask.cols;) {
            const int to = skip(pixels, x, mask.cols, false);
            int own = int(spans.size());
            spans.push_back({y, x, to});
            parents.push_back(own);
            while (above < end && spans[above].end < x) above++;
            for (size_t i = above; i < end && spans[i].begin <= to; i++) {
                // The first span of all stands for the component.
                const int other = root(parents, int(i));
                const auto [less, more] = std::minmax(own, other);
                parents[size_t(more)] = less;
                own = less;
            }
            x = skip(pixels, to, mask.cols, true);
        }
        above = end;
    }

    Components result;
    std::vector<size_t> owners(spans.size());
    for (size_t i = 0; i < spans.size(); i++) {
        const auto top = size_t(root(parents, int(i)));
        if (top == i) {
            owners[i] = result.all.size();
            result.all.push_back({cv::Rect(spans[i].begin, spans[i].y, 0, 0)});
        }
        Component &component = result.all[owners[i] = owners[top]];
        const cv::Rect &box = component.box;
        const int left = std::min(box.x, spans[i].begin), right = std::max(box.br().x, spans[i].end);
        component.box = cv::Rect(left, box.y, right - left, spans[i].y + 1 - box.y);
        component.area += spans[i].end - spans[i].begin;
        component.count++;
    }
    size_t next = 0;
    for (Component &component : result.all) {
        component.first = next;
        next += component.count;
        component.count = 0;
    }
    result.spans.resize(spans.size());
    for (size_t i = 0; i < spans.size(); i++) {
        Component &component = result.all[owners[i]];
        result.spans[component.first + component.count++] = spans[i];
    }
    return result;
}

} // namespace ocv
