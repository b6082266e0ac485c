#include "CFFmpeg.h"

#include "late.h"

#include <math.h>
#include <string.h>

// The place of a stream's side data moved in FFmpeg 6.1 (libavformat 60.15).
static int add_side_data(AVStream *stream, enum AVPacketSideDataType type, const uint8_t *data, size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVPacketSideData *copy = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy->data, data, size);
#else
    uint8_t *copy = av_stream_new_side_data(stream, type, size);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy, data, size);
#endif
    return 0;
}

int cff_copy_side_data(AVStream *target, const AVStream *source) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    // The parameters' own copy brought them along.
    (void)source;
    av_packet_side_data_remove(
        target->codecpar->coded_side_data, &target->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
#else
    for (int i = 0; i < source->nb_side_data; i++) {
        const AVPacketSideData *data = &source->side_data[i];
        if (data->type == AV_PKT_DATA_DISPLAYMATRIX) continue;
        int code = add_side_data(target, data->type, data->data, data->size);
        if (code < 0) return code;
    }
#endif
    return 0;
}

static int is_spherical(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    return av_packet_side_data_get(
               stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_SPHERICAL) != NULL;
#else
    return av_stream_get_side_data(stream, AV_PKT_DATA_SPHERICAL, NULL) != NULL;
#endif
}

int cff_turn_in_matroska(AVStream *target, const AVStream *source) {
    const int32_t *matrix = cff_stream_display_matrix(source);
    if (matrix == NULL || is_spherical(source)) return 0;
    double a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    // Mirrored pictures are turned about the upright axis first (yaw).
    int mirrored = a * d - b * c < 0;
    double roll = atan2(c, d) * 180 / M_PI;
    if (!mirrored && fabs(roll) < 0.01) return 0;
    size_t size = 0;
    AVSphericalMapping *mapping = av_spherical_alloc(&size);
    if (mapping == NULL) return AVERROR(ENOMEM);
    mapping->projection = AV_SPHERICAL_EQUIRECTANGULAR;
    mapping->yaw = mirrored ? 180 * 65536 : 0;
    mapping->roll = (int32_t)lrint(roll * 65536);
    int code = add_side_data(target, AV_PKT_DATA_SPHERICAL, (const uint8_t *)mapping, size);
    av_free(mapping);
    return code < 0 ? code : 1;
}

int cff_copy_chapters(AVFormatContext *target, const AVFormatContext *source, int64_t offset, AVRational base) {
    if (source->nb_chapters == 0) return 0;
    target->chapters = av_calloc(source->nb_chapters, sizeof *target->chapters);
    if (target->chapters == NULL) return AVERROR(ENOMEM);
    for (unsigned i = 0; i < source->nb_chapters; i++) {
        const AVChapter *chapter = source->chapters[i];
        AVChapter *copy = av_mallocz(sizeof *copy);
        if (copy == NULL) return AVERROR(ENOMEM);
        int64_t shift = av_rescale_q(offset, base, chapter->time_base);
        copy->id = chapter->id;
        copy->time_base = chapter->time_base;
        copy->start = chapter->start + shift;
        copy->end = chapter->end + shift;
        target->chapters[target->nb_chapters++] = copy;
        int code = av_dict_copy(&copy->metadata, chapter->metadata, 0);
        if (code < 0) return code;
    }
    return 0;
}

int cff_set_extradata(AVCodecParameters *parameters, const void *data, size_t size) {
    av_freep(&parameters->extradata);
    parameters->extradata_size = 0;
    if (size == 0) return 0;
    if (size > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR(EINVAL);
    parameters->extradata = av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (parameters->extradata == NULL) return AVERROR(ENOMEM);
    memcpy(parameters->extradata, data, size);
    parameters->extradata_size = (int)size;
    return 0;
}

static void remove_side_data(AVPacket *packet, int place) {
    av_free(packet->side_data[place].data);
    packet->side_data_elems--;
    memmove(
        packet->side_data + place, packet->side_data + place + 1,
        (size_t)(packet->side_data_elems - place) * sizeof *packet->side_data);
}

int cff_take_description(AVPacket *packet, const AVCodecParameters *known) {
    int is_other = 0;
    for (int i = packet->side_data_elems - 1; i >= 0; i--) {
        const AVPacketSideData *data = &packet->side_data[i];
        if (data->type != AV_PKT_DATA_NEW_EXTRADATA) continue;
        is_other |=
            data->size != (size_t)known->extradata_size || memcmp(data->data, known->extradata, data->size) != 0;
        remove_side_data(packet, i);
    }
    return is_other;
}

void cff_keep_skips_alone(AVPacket *packet) {
    for (int i = packet->side_data_elems - 1; i >= 0; i--)
        if (packet->side_data[i].type != AV_PKT_DATA_SKIP_SAMPLES) remove_side_data(packet, i);
}
