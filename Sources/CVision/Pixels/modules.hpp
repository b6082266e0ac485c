#pragma once
#include <opencv2/imgproc.hpp>

// OpenCV 5 has outlines and their boxes in a module of their own, corners with the features, and chessboards among the
// objects.
#if __has_include(<opencv2/geometry.hpp>)
#include <opencv2/features.hpp>
#include <opencv2/geometry.hpp>
#include <opencv2/objdetect.hpp>
#endif
