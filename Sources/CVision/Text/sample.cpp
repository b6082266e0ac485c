#include "Pixels/Guard.hpp"
#include "Pixels/components.hpp"
#include "Text/letters.hpp"
#include "ocv_text.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace ocv::text {
namespace {

/// Grey levels by which the letters of a line differ.
constexpr int widestGrey = 40;

/// How dark a component is: its lower quartile, which soft edges leave alone.
uint8_t grey(const cv::Mat &patch, const ocv::Span *spans, size_t count) {
    std::vector<uint8_t> values;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = patch.ptr(spans[i].y);
        values.insert(values.end(), row + spans[i].begin, row + spans[i].end);
    }
    const auto quarter = values.begin() + std::ptrdiff_t(values.size() / 4);
    std::nth_element(values.begin(), quarter, values.end());
    return *quarter;
}

/// Leaves nothing but what may be letters: dark components that lie wholly in the patch, are no higher than the line, and
/// are as dark as most of them.
void isolate(cv::Mat &patch, double letters) {
    const Surroundings around = surroundings(patch);
    cv::Mat difference, mask;
    cv::subtract(around.mean, patch, difference);
    cv::compare(difference, around.threshold, mask, cv::CMP_GT);
    const ocv::Components found = ocv::components(mask);
    struct Candidate {
        const ocv::Component *component;
        uint8_t grey;
    };
    std::vector<Candidate> candidates;
    int areas[256] = {}, area = 0;
    for (const ocv::Component &component : found.all) {
        const cv::Rect &box = component.box;
        if (box.y == 0 || box.br().y == patch.rows || box.height > 1.2 * letters || component.area < 4 ||
            box.width > 8 * letters) {
            continue;
        }
        candidates.push_back({&component, grey(patch, found.spans.data() + component.first, component.count)});
        if (box.height > 0.3 * letters) {
            areas[candidates.back().grey] += component.area;
            area += component.area;
        }
    }
    int usual = 0;
    for (int sum = areas[0]; usual < 255 && 2 * sum < area; sum += areas[++usual]) {
    }
    mask.setTo(0);
    for (const Candidate &candidate : candidates) {
        if (std::abs(candidate.grey - usual) > widestGrey) continue;
        for (size_t i = 0; i < candidate.component->count; i++) {
            const ocv::Span &span = found.spans[candidate.component->first + i];
            std::fill(mask.ptr(span.y) + span.begin, mask.ptr(span.y) + span.end, uint8_t(255));
        }
    }
    // With their soft edges.
    cv::Mat kept;
    cv::dilate(mask, kept, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
    cv::bitwise_not(kept, kept);
    patch.setTo(255, kept);
}

} // namespace
} // namespace ocv::text

using namespace ocv::text;

ocv_status ocv_sample_text(
    ocv_plane luma, const ocv_text_line *line, int32_t width, int32_t height, double letters, ocv_text_look look,
    uint8_t *out) noexcept {
    if (!line || !(letters > 0)) return ocv::failure("a patch of text needs a line");
    const ocv_status status = ocv_sample_patch(luma, line->corners, OCV_PATCH_PLAIN, width, height, out);
    if (status.code) return status;
    return ocv::guarded([&] {
        cv::Mat patch(height, width, CV_8U, out);
        if (line->isLight) cv::bitwise_not(patch, patch);
        int histogram[256] = {};
        for (int y = 0; y < height; y++) {
            const uint8_t *row = patch.ptr(y);
            for (int x = 0; x < width; x++) histogram[row[x]]++;
        }
        const int spare = width * height / 100;
        int low = 0, high = 255;
        for (int n = 0; low < 255 && (n += histogram[low]) <= spare; low++) {
        }
        for (int n = 0; high > 0 && (n += histogram[high]) <= spare; high--) {
        }
        if (high > low) patch.convertTo(patch, CV_8U, 255.0 / (high - low), -255.0 * low / (high - low));
        if (look == OCV_TEXT_BOLDER) {
            cv::Mat bold;
            cv::erode(patch, bold, cv::getStructuringElement(cv::MORPH_CROSS, cv::Size(3, 3)));
            bold.copyTo(patch);
        } else if (look == OCV_TEXT_ISOLATED) {
            isolate(patch, letters);
        }
    });
}
