#ifndef CFFMPEG_H
#define CFFMPEG_H

// What of FFmpeg Swift can't import as it stands: each shim below says why it is here.

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libavutil/spherical.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdint.h>

// Macros with casts or function calls in them are not imported.
static const int cff_error_eof = AVERROR_EOF;
static const int cff_error_again = AVERROR(EAGAIN);
static const int cff_error_exit = AVERROR_EXIT;
static const int cff_error_invalid_data = AVERROR_INVALIDDATA;
static const int cff_error_unsupported = AVERROR_PATCHWELCOME;
static const int cff_error_external = AVERROR_EXTERNAL;
static const int cff_error_not_permitted = AVERROR(EPERM);
static const int cff_error_no_memory = AVERROR(ENOMEM);
static const int64_t cff_no_pts = AV_NOPTS_VALUE;

// `av_err2str` is a macro around a compound literal.
static inline void cff_error_text(int code, char *buffer, size_t size) { av_strerror(code, buffer, size); }

// The field was renamed in FFmpeg 6.0 and the old one removed in 7.0.
static inline int64_t cff_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 2, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline void cff_set_frame_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 2, 100)
    frame->duration = duration;
#else
    frame->pkt_duration = duration;
#endif
}

// As avcodec_open2; the thread keeps its scheduling. SVT-AV1, where it may, makes the thread that opens it a real-time one, and
// with it whatever that starts later: what waits by spinning then leaves nobody else a processor.
int cff_open_encoder(AVCodecContext *context, const AVCodec *encoder, AVDictionary **options);

// Whether this processor has AVX-512.
int cff_has_avx512(void);

// Has an encoder that can, x264 or x265, spend more on parts of a picture: `count` times left, top, right, bottom, in pixels.
// `offset` is a change of the quantizer, of its whole range: below 0 for more. To be called for every picture, also with none. 0, or
// an AVERROR.
int cff_emphasize(AVFrame *frame, const int32_t *boxes, int count, double offset);

// Interlacing became a flag in FFmpeg 6.1.
static inline int cff_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

// A number that a packet of video takes through a decoder, and that comes out with its picture: its place in a file, which
// decoders pass on, or, from FFmpeg 6.0 on, what a caller may give it. 0 is none.
static inline void cff_keep_numbers(AVCodecContext *context) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    context->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#else
    (void)context;
#endif
}

static inline void cff_number_packet(AVPacket *packet, int64_t number) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    packet->opaque = (void *)(intptr_t)number;
#else
    packet->pos = number;
#endif
}

static inline int64_t cff_frame_packet(const AVFrame *frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    return (int64_t)(intptr_t)frame->opaque;
#else
    return frame->pkt_pos > 0 ? frame->pkt_pos : 0;
#endif
}

// FFmpeg 9 asks for the codec itself, those before for its number.
static inline AVCodecParserContext *cff_parser(enum AVCodecID codec) { return av_parser_init(codec); }

// Bit fields are not imported.
static inline int cff_index_flags(const AVIndexEntry *entry) { return entry->flags; }

// Being a key picture became a flag in FFmpeg 6.1.
static inline int cff_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

// The order of the fields became a flag in FFmpeg 6.1.
static inline int cff_frame_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}

/// libswscale's context, whose members are public from FFmpeg 8 on: Swift has another type of pointer then.
typedef struct SwsContext *cff_scaler;

// How libswscale works; an enumeration from FFmpeg 8 on.
static const int cff_scale_bicubic = SWS_BICUBIC;
static const int cff_scale_area = SWS_AREA;
static const int cff_scale_exactly = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT;

/// The pixel formats that an encoder takes, up to AV_PIX_FMT_NONE, or NULL where it doesn't say. A codec has no list of its
/// own from FFmpeg 9 on; the call that gives it came in 7.1.
const enum AVPixelFormat *cff_encoder_formats(const AVCodec *encoder);

/// The display matrix of a stream as nine integers, or NULL. Its place moved in FFmpeg 6.1 (libavformat 60.15).
const int32_t *cff_stream_display_matrix(const AVStream *stream);
/// The display matrix of EXIF's number of an orientation, or NULL where that says nothing (1) or is none.
const int32_t *cff_orientation_matrix(int number);
/// The display matrix that a frame itself carries (a JPEG's EXIF orientation), or NULL.
const int32_t *cff_frame_display_matrix(const AVFrame *frame);

/// Copies a frame's side data to a stream that is to be written; 0 also where the frame has none. Its place in a stream
/// moved in FFmpeg 6.1 (libavformat 60.15).
int cff_pass_side_data(
    const AVFrame *frame, enum AVFrameSideDataType kind, AVStream *stream, enum AVPacketSideDataType target);

/// Copies what a source's stream says beyond its codec, but for how it is turned, to one that is to be written.
int cff_copy_side_data(AVStream *target, const AVStream *source);

/// Takes a new description of its stream (extradata) out of a packet; 1 where it isn't the known one. Muxers of FFmpeg write it
/// over the one at the file's begin, also where it is longer than the room there: a Matroska file is broken then.
int cff_take_description(AVPacket *packet, const AVCodecParameters *known);

/// Leaves a packet's data and which samples of it aren't heard: whatever else a container said beside it goes.
void cff_keep_skips_alone(AVPacket *packet);

/// Makes a Matroska muxer write a projection that is turned as the source's stream is; 1 where it is turned, 0 where not. The
/// projection is an equirectangular one, which has still to be made a flat one.
int cff_turn_in_matroska(AVStream *target, const AVStream *source);

/// Copies the chapters, later by `offset` of `base`. There is no public call that makes one.
int cff_copy_chapters(AVFormatContext *target, const AVFormatContext *source, int64_t offset, AVRational base);

/// Gives a codec's parameters a copy of `size` bytes, which has to lie in FFmpeg's own memory, padded.
int cff_set_extradata(AVCodecParameters *parameters, const void *data, size_t size);

/// Sends FFmpeg's log to a buffer of the calling thread instead of standard error. Variadic callbacks can't be written
/// in Swift.
void cff_capture_log(void);
/// The last error line that FFmpeg logged on this thread, copied and cleared; empty when none.
void cff_take_log(char *buffer, size_t size);
/// Before a call whose failure is to be told of: what earlier ones logged is none of its business.
void cff_forget_log(void);

/// A hint that something that a decoder was given is damaged: the decoder, on whichever thread, logged an error, or that it
/// patched slices up. Logging is variadic and on threads of FFmpeg's own, out of Swift's reach.
typedef struct cff_hint cff_hint;
/// NULL where there is no memory.
cff_hint *cff_hint_new(void);
/// Only when no decoder has it any more.
void cff_hint_free(cff_hint *hint);
int cff_hint_is_given(const cff_hint *hint);
/// Has `context`, and the copies that its threads make of it, give the hint.
void cff_hint_watch(cff_hint *hint, AVCodecContext *context);

/// Calls `should_stop(context)` from blocking I/O of `format`; non-zero makes the call return AVERROR_EXIT. Function
/// pointers inside an embedded struct are awkward to assign from Swift.
void cff_set_interrupt(AVFormatContext *format, int (*should_stop)(void *context), void *context);

/// Gives a decoder grey pictures to fill instead of used ones.
void cff_use_grey_buffers(AVCodecContext *context);

/// Turns a plane of `size`-byte pixels: `transposed` exchanges rows and columns first, then the flips apply to the
/// result. `width` and `height` are the source's. A loop over bytes that the C compiler blocks better than Swift.
void cff_orient_plane(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t target_stride, int width, int height,
    int size, int transposed, int flip_x, int flip_y);

/// Converts `count` samples of `source` from sample `skip` on into `target` from sample `offset` to its end; `source` NULL
/// takes what the converter still holds at the end of its input. Returns the number of samples written or an error;
/// input that doesn't fit stays in the converter. The types of `swr_convert`'s pointers changed in FFmpeg 7.
int cff_resample(SwrContext *context, AVFrame *target, int offset, const AVFrame *source, int skip, int count);

/// Makes samples `offset` to the end of an audio frame silent. The type of the pointers changed as well.
int cff_silence(AVFrame *frame, int offset);

/// Sets glibc's allocator not to give what it has at the end of its heaps back to the kernel between frames. `mallopt`'s
/// constants are macros.
void cff_tune_allocator(void);
/// Has the allocator keep blocks of so many bytes for the next ones: without it a run takes millions of page faults. Those of up
/// to 16 MiB it keeps in any case.
void cff_keep_blocks(int64_t size);
/// Gives freed memory back to the kernel all the same; the call is glibc's own.
void cff_trim_memory(void);

#endif
