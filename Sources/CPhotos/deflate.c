#include "CPhotos.h"

#include <stdlib.h>
#include <zlib.h>

struct cph_stream {
    z_stream zlib;
    uint64_t size;
    int ended;
};

cph_stream *cph_stream_new(void) {
    cph_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit(&stream->zlib) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

void cph_stream_free(cph_stream *stream) {
    if (!stream) return;
    inflateEnd(&stream->zlib);
    free(stream);
}

int64_t cph_stream_add(cph_stream *stream, const uint8_t *bytes, size_t count) {
    if (stream->ended) return (int64_t)count;
    uint8_t out[1 << 15];
    stream->zlib.next_in = (z_const Bytef *)bytes;
    stream->zlib.avail_in = (uInt)count;
    do {
        stream->zlib.next_out = out;
        stream->zlib.avail_out = sizeof out;
        const int status = inflate(&stream->zlib, Z_NO_FLUSH);
        stream->size += sizeof out - stream->zlib.avail_out;
        if (status == Z_STREAM_END) {
            stream->ended = 1;
            return stream->zlib.avail_in;
        }
        // Z_BUF_ERROR: it waits for more.
        if (status != Z_OK && status != Z_BUF_ERROR) return -1;
    } while (stream->zlib.avail_in > 0 || stream->zlib.avail_out == 0);
    return 0;
}

uint64_t cph_stream_size(const cph_stream *stream) { return stream->size; }

int cph_stream_ended(const cph_stream *stream) { return stream->ended; }

uint32_t cph_sum(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }
