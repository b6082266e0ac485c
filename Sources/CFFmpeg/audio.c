#include "CFFmpeg.h"

// As many channels as libswresample takes.
enum { most_channels = 64 };

/// The pointers of a frame's planes, moved on by `offset` samples. Returns how many there are, 0 when too many.
static int planes_at(const AVFrame *frame, int offset, uint8_t *planes[most_channels]) {
    const int channels = frame->ch_layout.nb_channels;
    const int is_planar = av_sample_fmt_is_planar(frame->format);
    const int count = is_planar ? channels : 1;
    const ptrdiff_t step = (ptrdiff_t)av_get_bytes_per_sample(frame->format) * (is_planar ? 1 : channels);
    if (count > most_channels) return 0;
    for (int index = 0; index < count; index++) planes[index] = frame->extended_data[index] + offset * step;
    return count;
}

int cff_resample(SwrContext *context, AVFrame *target, int offset, const AVFrame *source, int skip, int count) {
    uint8_t *to[most_channels], *from[most_channels];
    if (!planes_at(target, offset, to) || (source && !planes_at(source, skip, from))) return AVERROR(EINVAL);
    return swr_convert(context, to, target->nb_samples - offset, source ? (const uint8_t **)from : NULL, count);
}

int cff_silence(AVFrame *frame, int offset) {
    return av_samples_set_silence(
        frame->extended_data, offset, frame->nb_samples - offset, frame->ch_layout.nb_channels, frame->format);
}
