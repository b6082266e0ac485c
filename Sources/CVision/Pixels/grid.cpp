#include "Pixels/Guard.hpp"
#include "Pixels/clones.hpp"

#include <algorithm>
#include <vector>

// Sums over the cells of a grid that covers a plane.

namespace ocv {
namespace {

OCV_CLONES void add(const uint8_t *row, int count, uint32_t *sums) {
    for (int x = 0; x < count; x++) sums[x] += row[x];
}

} // namespace
} // namespace ocv

ocv_status ocv_cell_sums(ocv_plane luma, int32_t side, int64_t *sums) noexcept {
    if (!luma.data || luma.width < 1 || luma.height < 1 || side < 1 || !sums)
        return ocv::failure("sums of cells need a picture, cells of a pixel at least and room for the result");
    return ocv::guarded([&] {
        std::vector<uint32_t> columns(size_t(luma.width));
        for (int top = 0; top < luma.height; top += side) {
            std::fill(columns.begin(), columns.end(), 0);
            // Rows of even numbers, whatever the cell begins with.
            for (int y = top + top % 2; y < std::min(top + side, luma.height); y += 2)
                ocv::add(luma.data + y * luma.stride, luma.width, columns.data());
            for (int left = 0; left < luma.width; left += side) {
                int64_t sum = 0;
                for (int x = left; x < std::min(left + side, luma.width); x += 2) sum += columns[size_t(x)];
                *sums++ = sum;
            }
        }
    });
}
