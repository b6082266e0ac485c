#include "words.h"

// Swift's clang has `#embed` for every C; the standard since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char aruco_original[] = {
#embed "words/aruco-original.txt"
};
static const char aruco_4x4[] = {
#embed "words/aruco-4x4.txt"
};
static const char aruco_5x5[] = {
#embed "words/aruco-5x5.txt"
};
static const char aruco_6x6[] = {
#embed "words/aruco-6x6.txt"
};
static const char aruco_7x7[] = {
#embed "words/aruco-7x7.txt"
};
static const char apriltag_16h5[] = {
#embed "words/apriltag-16h5.txt"
};
static const char apriltag_25h9[] = {
#embed "words/apriltag-25h9.txt"
};
static const char apriltag_36h10[] = {
#embed "words/apriltag-36h10.txt"
};
static const char apriltag_36h11[] = {
#embed "words/apriltag-36h11.txt"
};

const ocv_marker_words ocv_marker_families[] = {
    {"aruco-original", 5, aruco_original, sizeof aruco_original},
    {"aruco-4x4", 4, aruco_4x4, sizeof aruco_4x4},
    {"aruco-5x5", 5, aruco_5x5, sizeof aruco_5x5},
    {"aruco-6x6", 6, aruco_6x6, sizeof aruco_6x6},
    {"aruco-7x7", 7, aruco_7x7, sizeof aruco_7x7},
    {"apriltag-16h5", 4, apriltag_16h5, sizeof apriltag_16h5},
    {"apriltag-25h9", 5, apriltag_25h9, sizeof apriltag_25h9},
    {"apriltag-36h10", 6, apriltag_36h10, sizeof apriltag_36h10},
    {"apriltag-36h11", 6, apriltag_36h11, sizeof apriltag_36h11},
    {NULL, 0, NULL, 0},
};
