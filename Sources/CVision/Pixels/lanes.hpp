#pragma once
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/core/version.hpp>

namespace ocv {

// What two vectors give, lane by lane. OpenCV has operators for it up to 4.8; from 4.9 on it has functions, on ARM and in
// OpenCV 5 nothing else.
#if CV_VERSION_MAJOR > 4 || CV_VERSION_MINOR >= 9
/// All bits where they are the same.
template <typename Lanes> inline Lanes lanesEqual(const Lanes &a, const Lanes &b) { return cv::v_eq(a, b); }
/// All bits where `a` is less.
template <typename Lanes> inline Lanes lanesLess(const Lanes &a, const Lanes &b) { return cv::v_lt(a, b); }
/// The bits that both have.
template <typename Lanes> inline Lanes lanesBoth(const Lanes &a, const Lanes &b) { return cv::v_and(a, b); }
/// The bits that one of them alone has.
template <typename Lanes> inline Lanes lanesEither(const Lanes &a, const Lanes &b) { return cv::v_xor(a, b); }
/// Sum, product and quotient.
template <typename Lanes> inline Lanes lanesSum(const Lanes &a, const Lanes &b) { return cv::v_add(a, b); }
template <typename Lanes> inline Lanes lanesTimes(const Lanes &a, const Lanes &b) { return cv::v_mul(a, b); }
template <typename Lanes> inline Lanes lanesOver(const Lanes &a, const Lanes &b) { return cv::v_div(a, b); }
#else
/// All bits where they are the same.
template <typename Lanes> inline Lanes lanesEqual(const Lanes &a, const Lanes &b) { return a == b; }
/// All bits where `a` is less.
template <typename Lanes> inline Lanes lanesLess(const Lanes &a, const Lanes &b) { return a < b; }
/// The bits that both have.
template <typename Lanes> inline Lanes lanesBoth(const Lanes &a, const Lanes &b) { return a & b; }
/// The bits that one of them alone has.
template <typename Lanes> inline Lanes lanesEither(const Lanes &a, const Lanes &b) { return a ^ b; }
/// Sum, product and quotient.
template <typename Lanes> inline Lanes lanesSum(const Lanes &a, const Lanes &b) { return a + b; }
template <typename Lanes> inline Lanes lanesTimes(const Lanes &a, const Lanes &b) { return a * b; }
template <typename Lanes> inline Lanes lanesOver(const Lanes &a, const Lanes &b) { return a / b; }
#endif

} // namespace ocv
