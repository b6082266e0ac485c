#include "CFFmpeg.h"

#include "late.h"

#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const enum AVPixelFormat *cff_encoder_formats(const AVCodec *encoder) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *formats = NULL;
    if (avcodec_get_supported_config(NULL, encoder, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL) < 0) return NULL;
    return formats;
#else
    return encoder->pix_fmts;
#endif
}

const int32_t *cff_stream_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}

// By EXIF's number: as av_display_rotation_set and av_display_matrix_flip have them.
static const int32_t exif_matrices[9][9] = {
    [2] = {-(1 << 16), 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30}, [3] = {-(1 << 16), 0, 0, 0, -(1 << 16), 0, 0, 0, 1 << 30},
    [4] = {1 << 16, 0, 0, 0, -(1 << 16), 0, 0, 0, 1 << 30}, [5] = {0, 1 << 16, 0, 1 << 16, 0, 0, 0, 0, 1 << 30},
    [6] = {0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30}, [7] = {0, -(1 << 16), 0, -(1 << 16), 0, 0, 0, 0, 1 << 30},
    [8] = {0, -(1 << 16), 0, 1 << 16, 0, 0, 0, 0, 1 << 30},
};

const int32_t *cff_orientation_matrix(int number) { return number >= 2 && number <= 8 ? exif_matrices[number] : NULL; }

const int32_t *cff_frame_display_matrix(const AVFrame *frame) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (data) return data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
    // Of WebP, releases before 8 tell what EXIF says in words alone.
    const AVDictionaryEntry *entry = av_dict_get(frame->metadata, "Orientation", NULL, AV_DICT_MATCH_CASE);
    return entry ? cff_orientation_matrix(atoi(entry->value)) : NULL;
}

int cff_open_encoder(AVCodecContext *context, const AVCodec *encoder, AVDictionary **options) {
    int policy, now;
    struct sched_param own, changed;
    const bool is_known = pthread_getschedparam(pthread_self(), &policy, &own) == 0;
    const int code = avcodec_open2(context, encoder, options);
    if (is_known && pthread_getschedparam(pthread_self(), &now, &changed) == 0 &&
        (now != policy || changed.sched_priority != own.sched_priority))
        pthread_setschedparam(pthread_self(), policy, &own);
    return code;
}

int cff_has_avx512(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512f") != 0;
#else
    return 0;
#endif
}

int cff_emphasize(AVFrame *frame, const int32_t *boxes, int count, double offset) {
    av_frame_remove_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST);
    // x265 makes room for them only where the first picture has some, and crashes at the first one that has.
    static const int32_t anywhere[4] = {0, 0, 1, 1};
    if (count <= 0) {
        boxes = anywhere;
        count = 1;
        offset = 0;
    }
    AVFrameSideData *data =
        av_frame_new_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST, (size_t)count * sizeof(AVRegionOfInterest));
    if (!data) return AVERROR(ENOMEM);
    AVRegionOfInterest *regions = (AVRegionOfInterest *)data->data;
    for (int i = 0; i < count; ++i)
        regions[i] = (AVRegionOfInterest){
            .self_size = sizeof(AVRegionOfInterest),
            .left = boxes[4 * i],
            .top = boxes[4 * i + 1],
            .right = boxes[4 * i + 2],
            .bottom = boxes[4 * i + 3],
            .qoffset = av_d2q(offset, 1000),
        };
    return 0;
}

int cff_pass_side_data(
    const AVFrame *frame, enum AVFrameSideDataType kind, AVStream *stream, enum AVPacketSideDataType target) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, kind);
    if (!data) return 0;
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVPacketSideData *copy = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, target, data->size, 0);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy->data, data->data, data->size);
#else
    uint8_t *copy = av_stream_new_side_data(stream, target, data->size);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy, data->data, data->size);
#endif
    return 0;
}

// Kept for the thread that called FFmpeg, or none: another thread's line may be another codec's, and no hint is better than
// a wrong one.
static _Thread_local char last_line[512];

struct cff_hint {
    atomic_int is_given;
};

cff_hint *cff_hint_new(void) { return calloc(1, sizeof(cff_hint)); }
void cff_hint_free(cff_hint *hint) { free(hint); }
int cff_hint_is_given(const cff_hint *hint) { return atomic_load(&hint->is_given); }
void cff_hint_watch(cff_hint *hint, AVCodecContext *context) { context->opaque = hint; }

// The contexts of a decoder's threads are copies, which have the pointer too. That slices were patched up is news of the level
// “info”.
static void give_hint(const void *context, int level, const char *format) {
    if (!context || (level > AV_LOG_ERROR && strncmp(format, "concealing", strlen("concealing")))) return;
    if (*(const AVClass *const *)context != avcodec_get_class()) return;
    cff_hint *hint = ((const AVCodecContext *)context)->opaque;
    if (hint) atomic_store(&hint->is_given, 1);
}

static void capture(void *context, int level, const char *format, va_list arguments) {
    give_hint(context, level, format);
    if (level > AV_LOG_ERROR) return;
    char line[512];
    int prefix = 0;
    av_log_format_line2(context, level, format, arguments, line, sizeof line, &prefix);
    size_t length = strlen(line);
    while (length && (line[length - 1] == '\n' || line[length - 1] == ' ')) line[--length] = 0;
    if (!length) return;
    // "[mov,mp4,… @ 0x55…] text": the address differs from run to run, so only the text is kept.
    const char *text = line;
    if (line[0] == '[') {
        const char *end = strstr(line, "] ");
        if (end) text = end + 2;
    }
    snprintf(last_line, sizeof last_line, "%s", text);
}

static void set_log(void) {
    av_log_set_level(AV_LOG_ERROR);
    av_log_set_callback(capture);
}

void cff_capture_log(void) { late_when_open(LATE_util, set_log); }

void cff_take_log(char *buffer, size_t size) {
    snprintf(buffer, size, "%s", last_line);
    cff_forget_log();
}

void cff_forget_log(void) { last_line[0] = 0; }

void cff_set_interrupt(AVFormatContext *format, int (*should_stop)(void *context), void *context) {
    format->interrupt_callback.callback = should_stop;
    format->interrupt_callback.opaque = context;
}

// Inlined once for every pixel size, so that copying a pixel is one move.
static inline __attribute__((always_inline)) void orient(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t target_stride, int width, int height,
    size_t size, int transposed, int flip_x, int flip_y) {
    const int out_width = transposed ? height : width, out_height = transposed ? width : height;
    // Blocks of 32×32 keep the transposed side in the cache.
    for (int top = 0; top < out_height; top += 32)
        for (int left = 0; left < out_width; left += 32)
            for (int y = top; y < top + 32 && y < out_height; y++)
                for (int x = left; x < left + 32 && x < out_width; x++) {
                    const int u = flip_x ? out_width - 1 - x : x, v = flip_y ? out_height - 1 - y : y;
                    const uint8_t *from = transposed ? source + u * source_stride + v * (ptrdiff_t)size
                                                     : source + v * source_stride + u * (ptrdiff_t)size;
                    memcpy(target + y * target_stride + x * (ptrdiff_t)size, from, size);
                }
}

void cff_orient_plane(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t target_stride, int width, int height,
    int size, int transposed, int flip_x, int flip_y) {
#define ORIENT(bytes)                                                                                                  \
    orient(source, source_stride, target, target_stride, width, height, bytes, transposed, flip_x, flip_y)
    switch (size) {
    case 1: ORIENT(1); break;
    case 2: ORIENT(2); break;
    case 3: ORIENT(3); break;
    case 4: ORIENT(4); break;
    case 6: ORIENT(6); break;
    case 8: ORIENT(8); break;
    default: ORIENT((size_t)size); break;
    }
#undef ORIENT
}

void cff_tune_allocator(void) {
#ifdef __GLIBC__
    // Setting any of these keeps the allocator from finding them itself. Tensors, small pictures and most frames come and go with
    // every frame: from the heap, they take no page faults.
    mallopt(M_TOP_PAD, 16 * 1024 * 1024);
    mallopt(M_MMAP_THRESHOLD, 16 * 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 32 * 1024 * 1024);
    // Packets are made on one thread and freed on another: with a heap for each thread memory creeps up over a long video.
    mallopt(M_ARENA_MAX, 2);
#endif
}

void cff_keep_blocks(int64_t size) {
#ifdef __GLIBC__
    enum { of_its_own = 16 * 1024 * 1024, all = 512 * 1024 * 1024 };
    if (size <= of_its_own) return;
    mallopt(M_MMAP_THRESHOLD, all);
    mallopt(M_TRIM_THRESHOLD, all);
#else
    (void)size;
#endif
}

void cff_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static int grey_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    const int code = avcodec_default_get_buffer2(context, frame, flags);
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    const int depth = format ? format->comp[0].depth : 8;
    for (int i = 0; code >= 0 && i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        if (depth > 8 && depth <= 16) {
            uint16_t *values = (uint16_t *)frame->buf[i]->data;
            for (size_t k = 0; k < frame->buf[i]->size / sizeof *values; k++) values[k] = (uint16_t)(1 << (depth - 1));
        } else {
            memset(frame->buf[i]->data, 0x80, frame->buf[i]->size);
        }
    }
    return code;
}

void cff_use_grey_buffers(AVCodecContext *context) {
    context->get_buffer2 = grey_buffer;
#if LIBAVCODEC_VERSION_MAJOR < 60
    // Later versions take it for granted; without it each picture's buffer would be asked for on the caller's thread.
    // Deprecated there already, and still needed there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    context->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}
