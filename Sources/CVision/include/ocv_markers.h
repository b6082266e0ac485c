#ifndef OCV_MARKERS_H
#define OCV_MARKERS_H

// Square fiducial markers (ArUco, AprilTag, custom): dictionaries, and a detector for one luma plane.

#include "ocv_pixels.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Dictionaries

/// A set of marker codes. Immutable once created: it may be read from several threads at once.
typedef struct ocv_marker_dictionary ocv_marker_dictionary;

/// How many dictionaries are built in.
int32_t ocv_marker_dictionary_name_count(void) OCV_NOEXCEPT;

/// The name of a built-in dictionary (`aruco-original`, `aruco-4x4-50`, …, `apriltag-36h11`), a static string;
/// NULL where `index` is outside 0 ..< count.
const char *ocv_marker_dictionary_name(int32_t index) OCV_NOEXCEPT;

/// Makes the built-in dictionary called `name`. The caller owns `*out`.
///
/// The codes are those of `cv::aruco`. Its AprilTag families come without error correction; 25h9, 36h10 and 36h11 get
/// what their Hamming distance allows, (distance − 1) / 2 bits.
ocv_status ocv_marker_dictionary_create(const char *name, ocv_marker_dictionary **out) OCV_NOEXCEPT;

/// Reads a dictionary from a file of OpenCV's form (YAML, JSON or XML): `nmarkers`, `markersize`, `maxCorrectionBits`,
/// and `marker_0`, `marker_1`, … as strings of markersize² characters 0 (black) and 1 (white), row by row.
/// Without `maxCorrectionBits`, (smallest Hamming distance − 1) / 2 is taken. The caller owns `*out`.
ocv_status ocv_marker_dictionary_read(const char *path, ocv_marker_dictionary **out) OCV_NOEXCEPT;

/// Releases a dictionary; NULL is allowed. Detectors made from it stay valid.
void ocv_marker_dictionary_destroy(ocv_marker_dictionary *dictionary) OCV_NOEXCEPT;

/// The number of markers: ids run from 0 to this − 1.
int32_t ocv_marker_dictionary_count(const ocv_marker_dictionary *dictionary) OCV_NOEXCEPT;

/// Bits along one side of the code, 3…8, the black border (1 bit on every side) not counted.
int32_t ocv_marker_dictionary_bits(const ocv_marker_dictionary *dictionary) OCV_NOEXCEPT;

/// Writes the code of marker `id`, bits × bits values, row by row from the top left: 0 black, 1 white, no border.
/// `capacity` is the number of bytes that `out` holds.
ocv_status ocv_marker_dictionary_code(
    const ocv_marker_dictionary *dictionary, int32_t id, uint8_t *out, int32_t capacity) OCV_NOEXCEPT;

// MARK: Detector

/// How the corners of a recognised marker are refined.
enum {
    /// The corners of the polygon, on whole pixels of the plane that was searched.
    OCV_MARKER_REFINE_NONE = 0,
    /// `cv::cornerSubPix` on the full-size luma.
    OCV_MARKER_REFINE_SUBPIXEL = 1,
    /// A line through the contour points of each side, neighbouring lines intersected.
    OCV_MARKER_REFINE_CONTOUR = 2,
    /// A line (a parabola where the side is measurably bent) through the edge found in the full-size luma across each
    /// side, neighbours intersected; a corner that can't be fitted safely falls back to `cornerSubPix`. Markers whose
    /// cells are narrow for their blur are fitted whole then: view, blur, of any direction, and light at which their code is
    /// seen as it is.
    OCV_MARKER_REFINE_EDGES = 3,
};

/// Which plane outlines are looked for in. Codes and edges are always read from the full-size luma.
enum {
    /// Half size where the shorter side of the picture has 700 px or more, full size below.
    OCV_MARKER_SEARCH_AUTO = 0,
    OCV_MARKER_SEARCH_FULL = 1,
    OCV_MARKER_SEARCH_HALF = 2,
};

enum { OCV_MARKER_MAX_WINDOWS = 8 };

/// What a detector does.
typedef struct {
    /// `OCV_MARKER_REFINE_…`.
    int32_t refine;
    /// `OCV_MARKER_SEARCH_…`.
    int32_t search;
    /// Share of the dictionary's correction capability in use, 0…1.
    double errorCorrection;
    /// Smallest mean side of a marker in pixels of the full-size picture, 4…10000. A half-size search has
    /// a limit of its own of 15.
    double minimumSize;
    /// How many of `windows` are given, 0…8. 0: a window of 13 px on the searched plane and on each halving
    /// of it down to 150 px, which finds large, blurred and noisy markers at a third of the cost of another window;
    /// and one of 7 px, on the full-size plane for small markers, on the half-size plane for pale ones.
    int32_t windowCount;
    /// Sides of the adaptive threshold's windows, pixels of the searched plane, 3…255, made odd.
    int32_t windows[OCV_MARKER_MAX_WINDOWS];
    /// How much darker than the mean of its window a pixel must be to count as dark, luma levels 0…127; under 0 for one by
    /// the window. Where it is given, there is no window for pale markers.
    double thresholdOffset;
    /// Whether markers are looked for that are printed white on black, and those alone.
    bool inverted;
} ocv_marker_options;

/// One marker that was found.
typedef struct {
    /// The marker's number in the dictionary.
    int32_t id;
    /// Code bits that had to be corrected; 0 for a clean read.
    int32_t correctedBits;
    /// Cells of the black border that were read as white.
    int32_t borderErrors;
    /// How much of the error budget is left, 0…1: (1 − correctedBits / (max correction + 1)) ·
    /// (1 − borderErrors / (limit + 1)). 1 for a clean read. Less for codes that chance makes now and then (of few bits, or
    /// one of very many) where cells aren't of one shade or a side hardly rises to what is outside, and, where their cells
    /// are small or chance makes them often (many codes of few bits, corrected ones), the less the whole is seen as the code
    /// would be; 0.6 of it at the most for a plain code.
    double confidence;
    /// Whether its white cells are one upright rectangle: a ring, or many a letter, may be read as it.
    bool isPlain;
    /// Whether the corners are those at which the whole code is seen as it is; else those of the sides' edges alone.
    bool isFitted;
    /// Pixels of the full-size picture (integer coordinates are pixel centres), clockwise from the marker's own
    /// top left.
    ocv_point corners[4];
} ocv_marker;

/// A detector with its scratch memory. It keeps nothing from one call to the next, but two threads must not use one
/// detector at once; several detectors may run in parallel.
typedef struct ocv_marker_detector ocv_marker_detector;

/// Makes a detector; fails with a message where an option is out of its range. The caller owns `*out`.
ocv_status ocv_marker_detector_create(
    const ocv_marker_dictionary *dictionary, const ocv_marker_options *options, ocv_marker_detector **out) OCV_NOEXCEPT;

/// Releases a detector; NULL is allowed.
void ocv_marker_detector_destroy(ocv_marker_detector *detector) OCV_NOEXCEPT;

/// What is around a marker of a board.
enum {
    /// It lies in the middle of a light square, with dark squares beside it.
    OCV_MARKER_ON_CHESSBOARD = 0,
    /// Other markers of its size are beside it and across its corners.
    OCV_MARKER_ON_GRID = 1,
};

/// Tells what is around marker `id`. Blur mixes what is dark there into the marker's edges, so that corners are measured with
/// regard to it: on a chessboard by the square's edges too. Nothing is taken to be around markers by default.
///
/// - kind: `OCV_MARKER_ON_…`.
/// - gap: from the marker to the dark squares or the other markers, as a share of its side; over 0.
/// - hasNeighbour: at which of its sides, clockwise from its own top, they are; at the others the board ends.
///
/// Fails where the dictionary has no such marker, or the gap isn't over 0.
ocv_status ocv_marker_detector_set_surroundings(
    ocv_marker_detector *detector, int32_t id, int32_t kind, double gap, const bool hasNeighbour[4]) OCV_NOEXCEPT;

/// Whether `detect` will search the half-size plane for a picture of this size, so that the caller can share one.
bool ocv_marker_detector_uses_half(const ocv_marker_detector *detector, int32_t width, int32_t height) OCV_NOEXCEPT;

/// How many places the last `detect` saw that have a marker's faultless border and no code of the dictionary inside
/// it; 256 at the most. What chance makes of so many is no evidence for a dictionary.
int32_t ocv_marker_detector_unread(const ocv_marker_detector *detector) OCV_NOEXCEPT;

/// Finds the dictionary's markers (black border on a lighter ground).
///
/// After Garrido-Jurado et al., “Automatic generation and detection of highly reliable fiducial markers under
/// occlusion”, Pattern Recognition 47 (2014): adaptive threshold, outlines, convex quadrilaterals, perspective
/// removed, Otsu's threshold, code looked up in four orientations.
///
/// - detector: made by `ocv_marker_detector_create`.
/// - full: the luma; read only during the call.
/// - half: the same halved by `ocv_half_size`, or NULL: then it is made here where it is needed.
/// - out, capacity: room for the markers, sorted by id, then x, then y of the first corner.
/// - count: how many were found; this may exceed `capacity`, and then only `capacity` of them are in `out`.
ocv_status ocv_marker_detect(
    ocv_marker_detector *detector, ocv_plane full, const ocv_plane *half, ocv_marker *out, int32_t capacity,
    int32_t *count) OCV_NOEXCEPT;

/// Keeps from now on what is measured of a picture's outlines, for those who read among them: codes of as many bits are looked
/// for in the same places. Results stay the same.
void ocv_marker_detector_share(ocv_marker_detector *detector) OCV_NOEXCEPT;

/// Finds the dictionary's markers among the outlines that another detector saw by its last `ocv_marker_detect`: for who reads
/// one picture in several dictionaries.
///
/// - detector: made with the options that `other` was made with, but for what concerns reading; not `other` itself.
/// - full: the luma in which `other` has looked; read only during the call.
/// - other: where it shares, what it measured is used, and added to.
/// - out, capacity, count: as for `ocv_marker_detect`.
ocv_status ocv_marker_detect_among(
    ocv_marker_detector *detector, ocv_plane full, ocv_marker_detector *other, ocv_marker *out, int32_t capacity,
    int32_t *count) OCV_NOEXCEPT;

/// Reads marker `id` where it is expected, in the full-size luma, without looking for its outline: a board's other markers
/// tell where it is.
///
/// `corners` are clockwise from the marker's own top left and may be off by a pixel or two. A code that is too blurred
/// to be read will do where the whole of it is seen as it would be. `*isFound` is false, and `*out` undefined, where another
/// code or none is read there, it stands another way round, or it isn't wholly in the picture.
ocv_status ocv_marker_read(
    ocv_marker_detector *detector, ocv_plane full, int32_t id, const ocv_point corners[4], ocv_marker *out,
    bool *isFound) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
