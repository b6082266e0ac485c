#ifndef OPENVINO_SHIM_H
#define OPENVINO_SHIM_H

// The few calls that inference needs, over OpenVINO's C API. OpenVINO is loaded on first use from a directory: the
// program neither links nor needs it unless a graph has a model, and builds without its headers.
//
// Results don't depend on the number of threads: a request always computes on one thread, in float32, whatever the
// processor offers (OpenVINO by itself picks bfloat16 where there is hardware for it, and as many threads as cores).
// Two processor families may still differ in the last bits.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /// Success.
    OVN_OK = 0,
    /// OpenVINO's libraries, or one of them, are not where they were looked for.
    OVN_RUNTIME_MISSING = 1,
    /// They are there, but can't be loaded or are of a release that this shim doesn't know.
    OVN_RUNTIME_UNUSABLE = 2,
    /// The model file is absent, empty or not a model.
    OVN_MODEL_UNREADABLE = 3,
    /// The model was read, but can't be run: an operator or a type that the runtime doesn't have.
    OVN_MODEL_UNSUPPORTED = 4,
    /// The caller's mistake: a null pointer, an index out of range, a shape that the model doesn't take.
    OVN_ARGUMENT = 5,
    /// The computation itself failed.
    OVN_INFERENCE = 6
};

/// The highest tensor rank that crosses this interface.
enum { OVN_MAX_RANK = 8 };

/// What a call came to: `code` is `OVN_OK` or one of the codes above, and then `message` says in one line what went
/// wrong, with the remedy where there is one. The message is UTF-8, ends in 0 and may be cut at the end.
typedef struct {
    int32_t code;
    char message[508];
} ovn_status;

/// The loaded libraries; one a process, never released (OpenVINO's threads outlive any attempt to unload it).
typedef struct ovn_runtime ovn_runtime;

/// A compiled model. Thread-safe: several threads may ask it for ports and requests.
typedef struct ovn_model ovn_model;

/// One inference at a time over a model. Not thread-safe: give every thread its own.
typedef struct ovn_request ovn_request;

/// An input or output of a model, as its file declares it.
typedef struct {
    /// The tensor's name; belongs to the model and lives as long as it does.
    const char *name;
    /// The element type in the file: "f32", "f16", "u8", "i64" and so on; "other" for exotic ones. Values are passed
    /// as float32 all the same and are converted where the file says otherwise.
    const char *element;
    /// The number of dimensions, or −1 where the file leaves even that open.
    int32_t rank;
    /// The dimensions; −1 for one that the file leaves open. Beyond `rank`: 0.
    int64_t shape[OVN_MAX_RANK];
} ovn_port;

/// Values with their shape: row-major, dense, float32.
typedef struct {
    const float *values;
    int32_t rank;
    int64_t shape[OVN_MAX_RANK];
} ovn_tensor;

/// Loads OpenVINO from `directory`, which has `libopenvino_c.so…` and what belongs to it.
///
/// The first successful call loads (some 20 ms), later ones with the same directory return the same runtime; a second
/// directory is refused with `OVN_ARGUMENT`. Thread-safe. On failure `*runtime` is NULL, and a later call tries anew.
///
/// - Returns: `OVN_RUNTIME_MISSING`, naming the missing file and the remedy; `OVN_RUNTIME_UNUSABLE`; `OVN_ARGUMENT`.
ovn_status ovn_runtime_open(const char *directory, ovn_runtime **runtime);

/// Reads a model file (ONNX, OpenVINO's own, TensorFlow's frozen graphs, TensorFlow Lite) and compiles it for the CPU, float32, one thread a request.
///
/// Takes milliseconds to a second. Thread-safe; runs one at a time. Close the model with `ovn_model_close`.
///
/// - Parameters:
///   - path: the file; the folder of a model with external data must be readable too.
///   - concurrency: how many requests may compute at once, 1…256; 0 for a model that is only looked at, of which no
///     requests can be made. Each costs the memory of one run of the network.
///     More requests than that can be made; they wait for each other. On a machine with fewer cores OpenVINO lowers
///     it by itself. The results are the same for any number.
///   - shape: `rank` sizes of at least 1 for the model's only input, instead of those in the file; with a `rank` of 0 the
///     file's own. What the network's layers can't do with it is `OVN_MODEL_UNSUPPORTED`.
/// - Returns: `OVN_MODEL_UNREADABLE`, `OVN_MODEL_UNSUPPORTED` or `OVN_ARGUMENT`; `*model` is then NULL.
ovn_status ovn_model_open(
    ovn_runtime *runtime, const char *path, int32_t concurrency, const int64_t *shape, int32_t rank, ovn_model **model);

/// Writes what a model was compiled to into a file, from which `ovn_model_import` makes it again in a tenth of the time. Only
/// the same release of OpenVINO, on the same kind of processor, may be given it.
/// - Returns: `OVN_ARGUMENT` for a model that was only looked at; `OVN_INFERENCE` where the file can't be written.
ovn_status ovn_model_export(const ovn_model *model, const char *path);

/// Makes a model of what `ovn_model_export` wrote. Nothing of it is checked: whoever has it from elsewhere has its hash.
///
/// - Parameters:
///   - bytes: the file's contents; read during the call only.
///   - concurrency: as it was compiled with.
///   - inputs, outputs: what `ovn_model_input` and `ovn_model_output` said of the model; copied.
/// - Returns: `OVN_MODEL_UNSUPPORTED` where it is of another release, or doesn't compute as this program asks for;
///   `OVN_ARGUMENT`; `*model` is then NULL.
ovn_status ovn_model_import(
    ovn_runtime *runtime, const void *bytes, size_t size, int32_t concurrency, const ovn_port *inputs,
    int32_t input_count, const ovn_port *outputs, int32_t output_count, ovn_model **model);

/// Gives the model up. Requests made from it stay usable until they are freed. NULL is allowed.
void ovn_model_close(ovn_model *model);

/// The number of inputs and outputs; 0 for NULL.
int32_t ovn_model_input_count(const ovn_model *model);
int32_t ovn_model_output_count(const ovn_model *model);

/// Describes an input or output; `index` from 0 in the file's order.
/// - Returns: `OVN_ARGUMENT` for an index out of range.
ovn_status ovn_model_input(const ovn_model *model, int32_t index, ovn_port *port);
ovn_status ovn_model_output(const ovn_model *model, int32_t index, ovn_port *port);

/// Makes a request. Free it with `ovn_request_free`.
ovn_status ovn_request_create(ovn_model *model, ovn_request **request);

/// Frees a request and everything that its outputs point to. NULL is allowed.
void ovn_request_free(ovn_request *request);

/// Computes the outputs for `count` inputs, one for each of the model's, in its order; returns when done.
///
/// The values are read during the call only. A fixed dimension must be given as the file has it; an open one takes any
/// size from 1, but each new size costs a compilation, so keep to few.
///
/// - Returns: `OVN_ARGUMENT` for a wrong number, rank or dimension (the message shows both shapes);
///   `OVN_INFERENCE` where the network refuses, as for a size that it can't halve.
ovn_status ovn_request_run(ovn_request *request, const ovn_tensor *inputs, int32_t count);

/// An output of the last successful run. `output->values` belongs to the request and is valid until its next run or
/// until it is freed. It may be NULL where the shape has a 0 in it.
/// - Returns: `OVN_ARGUMENT` for an index out of range or before the first run.
ovn_status ovn_request_output(ovn_request *request, int32_t index, ovn_tensor *output);

#ifdef __cplusplus
}
#endif
#endif
