#include "Pixels/Guard.hpp"
#include "ocv_faces.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <string>
#include <vector>

struct ocv_cascade {
    cv::CascadeClassifier classifier;
    int stages = 0;
    cv::Mat scaled;
};

namespace ocv::faces {
namespace {

/// False for what OpenCV's reader shouldn't be given: it unpacks files of any size, and elements that are nested
/// thousands deep overflow its stack. A cascade's are some six deep.
bool isHarmless(const std::string &text) {
    constexpr int deepest = 32;
    if (text.compare(0, 5, "<?xml") != 0) return false;
    int depth = 0;
    bool isQuoted = false;
    for (size_t i = 0; i + 1 < text.size(); i++) {
        if (text[i] == '"') isQuoted = !isQuoted;
        if (isQuoted || text[i] != '<' || text[i + 1] == '?') continue;
        if (text.compare(i, 4, "<!--") == 0) {
            const size_t end = text.find("-->", i);
            if (end == std::string::npos) return false;
            i = end + 2;
        } else if (text[i + 1] == '/') {
            depth--;
        } else if (++depth > deepest) {
            return false;
        }
    }
    return depth == 0;
}

std::string content(const char *path) {
    constexpr size_t largest = 16 << 20;
    std::ifstream file(path, std::ios::binary);
    std::string text(largest, '\0');
    file.read(text.data(), std::streamsize(largest));
    text.resize(size_t(std::max<std::streamsize>(file.gcount(), 0)));
    return text.size() < largest ? text : std::string();
}

} // namespace
} // namespace ocv::faces

using namespace ocv::faces;

ocv_status ocv_cascade_open(const char *path, ocv_cascade **cascade) noexcept {
    if (!path || !cascade) return ocv::failure("a cascade needs a path and a place to go");
    *cascade = nullptr;
    bool isCascade = false;
    const ocv_status status = ocv::guarded([&] {
        auto made = std::make_unique<ocv_cascade>();
        // The classifier doesn't say how many stages it has, and loads files of an older form that it can't scale.
        const std::string text = content(path);
        if (!isHarmless(text)) return;
        const cv::FileStorage file(text, cv::FileStorage::READ | cv::FileStorage::MEMORY);
        const cv::FileNode root = file.getFirstTopLevelNode();
        made->stages = file.isOpened() && root.isMap() ? int(root["stages"].size()) : 0;
        isCascade = made->stages > 0 && made->classifier.load(path) && !made->classifier.isOldFormatCascade();
        if (isCascade) *cascade = made.release();
    });
    if (status.code || isCascade) return status;
    return ocv::failure("it is no cascade of OpenCV's form");
}

void ocv_cascade_close(ocv_cascade *cascade) noexcept { delete cascade; }

int32_t ocv_cascade_stages(const ocv_cascade *cascade) noexcept { return cascade ? cascade->stages : 0; }

ocv_status ocv_cascade_detect(
    ocv_cascade *cascade, ocv_plane luma, int32_t longestSide, double minimumSize, ocv_cascade_face *faces,
    int32_t capacity, int32_t *count) noexcept {
    if (!cascade || !luma.data || luma.width < 1 || luma.height < 1 || longestSide < 1 || !(minimumSize >= 0) ||
        (capacity > 0 && !faces) || !count) {
        return ocv::failure("a cascade needs a picture, a size to search at and room for the result");
    }
    return ocv::guarded([&] {
        cv::Mat plane = ocv::view(luma);
        const double scale = std::min(1.0, double(longestSide) / std::max(plane.cols, plane.rows));
        if (scale < 1) {
            const cv::Size size(std::max(1, cvRound(plane.cols * scale)), std::max(1, cvRound(plane.rows * scale)));
            cv::resize(plane, cascade->scaled, size, 0, 0, cv::INTER_AREA);
            plane = cascade->scaled;
        }
        std::vector<cv::Rect> boxes;
        std::vector<int> windows;
        const int side = cvRound(std::min(minimumSize * scale, 1e6));
        cascade->classifier.detectMultiScale(plane, boxes, windows, 1.1, 3, 0, cv::Size(side, side));
        *count = int32_t(boxes.size());
        const double backX = double(luma.width) / plane.cols, backY = double(luma.height) / plane.rows;
        for (size_t i = 0; i < boxes.size() && int32_t(i) < capacity; i++) {
            const cv::Rect &box = boxes[i];
            faces[i].box = {box.x * backX, box.y * backY, box.width * backX, box.height * backY};
            faces[i].windows = windows[i];
        }
    });
}
