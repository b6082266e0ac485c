#include "Rectangles/parts.hpp"

#include <stdexcept>

namespace ocv::rectangles {

Planes planes(const ocv_picture &picture) {
    if (picture.format != OCV_PICTURE_YUV && picture.format != OCV_PICTURE_GRAY)
        throw std::invalid_argument("rectangles are looked for in planes of luma and chroma");
    Planes planes;
    for (int index = 0; index < (picture.format == OCV_PICTURE_YUV ? 3 : 1); ++index) {
        const ocv_plane &plane = picture.planes[index];
        const bool isThere =
            plane.width >= 0 && plane.height >= 0 && plane.stride >= plane.width && (plane.data || plane.width == 0);
        if (!isThere)
            throw std::invalid_argument(
                index == 0 ? "the luma plane has no pixels or too small a stride"
                           : "a chroma plane has no pixels or too small a stride");
        planes[index].samples = ocv::view(plane);
        if (index == 0) continue;
        if ((picture.chromaShiftX | picture.chromaShiftY) & ~7)
            throw std::invalid_argument("chroma is subsampled by more than 128");
        planes[index].scaleX = 1 << picture.chromaShiftX;
        planes[index].scaleY = 1 << picture.chromaShiftY;
        // In the middle of the pixels that a sample stands for, unless it is said to lie on their first column or row.
        planes[index].shiftX = picture.siting == OCV_SITING_CENTER ? (planes[index].scaleX - 1) / 2 : 0;
        planes[index].shiftY = picture.siting == OCV_SITING_TOP_LEFT ? 0 : (planes[index].scaleY - 1) / 2;
    }
    return planes;
}

} // namespace ocv::rectangles
