#ifndef CPHOTOS_H
#define CPHOTOS_H

// What a JPEG's and a PNG's coded bytes hold beyond the picture: loops over all bytes of a photo.

#include <stddef.h>
#include <stdint.h>

/// What `cph_jpeg` finds.
typedef enum {
    cph_whole = 0,
    /// A segment that the encoder of JPEGs doesn't write, or none that can be read.
    cph_other_form,
    /// A table that nothing uses, or a second one of its number.
    cph_idle_table,
    /// Codes that end before the picture does, or that are none.
    cph_broken_scan,
    /// Bytes behind the last block.
    cph_more_scan,
    /// Bytes between segments, or behind the end.
    cph_more_bytes,
} cph_finding;

/// Walks a JPEG of one baseline scan with its Huffman tables (ITU-T T.81, annex F): whether it has the picture's blocks and nothing
/// else. `place` gets where the finding is.
cph_finding cph_jpeg(const uint8_t *bytes, size_t count, size_t *place);

/// A stream of zlib's that is unpacked to be counted.
typedef struct cph_stream cph_stream;
/// NULL where there is no memory.
cph_stream *cph_stream_new(void);
void cph_stream_free(cph_stream *stream);
/// Unpacks the next bytes. Returns how many of them lie behind the stream's end, or -1 where they are none.
int64_t cph_stream_add(cph_stream *stream, const uint8_t *bytes, size_t count);
/// How many bytes came out.
uint64_t cph_stream_size(const cph_stream *stream);
/// Whether the stream has ended.
int cph_stream_ended(const cph_stream *stream);

/// The sum that a PNG's chunk has at its end.
uint32_t cph_sum(const uint8_t *bytes, size_t count);

#endif
