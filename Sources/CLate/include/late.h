#ifndef LATE_H
#define LATE_H

// Libraries that are opened when one of their functions is first called.
//
// The program calls some 330 functions of FFmpeg, OpenCV, Tesseract and Pango, which with all that they stand on are two
// hundred shared libraries: 60 ms at every start of every process, whatever it is for. So each of those functions is here as
// a jump through a table. The first call opens its group of libraries, by the names that they have for the loader and from
// where the loader would have taken them at the start, and fills in all that the program calls of the group at once; the
// table is read-only before and afterwards, as with `-z now -z relro`.

#ifdef __cplusplus
extern "C" {
#endif

/// Libraries that are opened together.
typedef enum {
    /// libavutil.
    LATE_util,
    /// libswscale.
    LATE_scale,
    /// libavcodec and libswresample.
    LATE_codec,
    /// libavformat.
    LATE_format,
    /// libavfilter.
    LATE_filter,
    /// OpenCV: core, imgproc, features2d, calib3d.
    LATE_vision,
    /// OpenCV: video.
    LATE_flow,
    /// Tesseract.
    LATE_ocr,
    /// Pango and what it draws with.
    LATE_writing,
    LATE_GROUPS
} late_group;

/// Opens a group now; nothing where it is open. Whoever gives up opening files does so before.
///
/// A library that isn't there, or can't be opened, ends the process with status 127 and a line on standard error, as the
/// loader does where a program starts without one.
void late_open(late_group group);

/// Opens what decoding, drawing and most stages need.
void late_open_common(void);

/// Opens every group where the environment says where libraries lie (`LD_LIBRARY_PATH`): a confined process may not read there.
void late_open_elsewhere(void);

/// Has a function called as soon as a group is open: at once if it is. One function a group, which calls that group alone.
void late_when_open(late_group group, void (*prepare)(void));

#ifdef __cplusplus
}
#endif
#endif
