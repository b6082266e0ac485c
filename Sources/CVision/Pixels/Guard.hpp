#pragma once
#include "ocv_pixels.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <opencv2/core.hpp>
#include <typeinfo>

namespace ocv {

inline ocv_status success() noexcept {
    ocv_status status{};
    return status;
}

inline ocv_status failure(const char *message) noexcept {
    ocv_status status{};
    status.code = 1;
    std::snprintf(status.message, sizeof status.message, "%s", message);
    return status;
}

/// What an exception says, without the place in OpenCV's source. OpenCV's own type is told by its name: to catch it by its type,
/// its library would have to be open as soon as the program starts.
inline const char *reason(const std::exception &error) noexcept {
    if (std::strcmp(typeid(error).name(), "N2cv9ExceptionE") != 0) return error.what();
    const auto &own = static_cast<const cv::Exception &>(error);
    return own.err.empty() ? own.what() : own.err.c_str();
}

/// Runs `body` and turns whatever it throws into a status: an exception that crossed into Swift would abort the
/// process.
template <typename Body> ocv_status guarded(Body &&body) noexcept {
    try {
        body();
        return success();
    } catch (const std::exception &error) {
        return failure(reason(error));
    } catch (...) {
        return failure("unknown C++ exception");
    }
}

/// The plane as a matrix header; the pixels stay where they are. OpenCV has no const header, so callers must not write.
inline cv::Mat view(ocv_plane plane, int type = CV_8UC1) {
    return cv::Mat(plane.height, plane.width, type, const_cast<uint8_t *>(plane.data), size_t(plane.stride));
}

} // namespace ocv
