#include "Labels/engine.hpp"
#include "Pixels/Guard.hpp"

#include <cmath>

using namespace ocv::labels;

struct ocv_anchor_frame {
    std::shared_ptr<const Frame> frame;
};

struct ocv_anchor {
    Anchor anchor;
};

ocv_status ocv_anchor_frame_create(ocv_plane luma, ocv_anchor_frame **out) noexcept {
    return ocv::guarded([&] { *out = new ocv_anchor_frame{std::make_shared<const Frame>(ocv::view(luma))}; });
}

void ocv_anchor_frame_destroy(ocv_anchor_frame *frame) noexcept { delete frame; }

ocv_status ocv_anchor_create(
    const ocv_anchor_frame *frame, ocv_point point, ocv_anchor_options options, int32_t *isHeld,
    ocv_anchor **out) noexcept {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return ocv::failure("the point isn't a number");
    if (!(options.radius >= 1 && options.radius < 1e5))
        return ocv::failure("the radius isn't between 1 and 100000 pixels");
    return ocv::guarded([&] {
        auto created = std::make_unique<ocv_anchor>(ocv_anchor{Anchor(frame->frame, {point.x, point.y}, options)});
        *isHeld = created->anchor.isHeld() ? 1 : 0;
        *out = created.release();
    });
}

void ocv_anchor_destroy(ocv_anchor *anchor) noexcept { delete anchor; }

ocv_status ocv_anchor_update(
    ocv_anchor *anchor, const ocv_anchor_frame *frame, double seconds, ocv_anchor_result *result) noexcept {
    return ocv::guarded([&] { *result = anchor->anchor.update(frame->frame, seconds); });
}
