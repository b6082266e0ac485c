#include "openvino_api.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct ovn_model {
    ovn_runtime *runtime;
    ov_compiled_model_t *compiled;
    ovn_port *inputs, *outputs;
    int32_t inputCount, outputCount;
    atomic_int references; // the caller's and one for each request
    pthread_mutex_t requests;
};

// OpenVINO allows several compilations at once, but keeps one error message for all of them.
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;

static const char *element_name(ov_element_type_e element) {
    static const char *const names[] = {"dynamic", "boolean", "bf16", "f16", "f32", "f64", "i4", "i8",  "i16", "i32",
                                        "i64",     "u1",      "u2",   "u3",  "u4",  "u6",  "u8", "u16", "u32", "u64"};
    size_t index = (size_t)element;
    return index < sizeof names / sizeof *names ? names[index] : "other";
}

static bool describe(
    const ovn_runtime *ov, const ov_output_const_port_t *port, const char *kind, size_t index, ovn_port *out) {
    char *name = NULL;
    if (ov->ov_port_get_any_name(port, &name) == 0 && name) {
        out->name = strdup(name);
        ov->ov_free(name);
    } else { // a tensor needs no name
        char text[32];
        snprintf(text, sizeof text, "%s%zu", kind, index);
        out->name = strdup(text);
    }
    ov_element_type_e element = OV_DYNAMIC;
    if (!out->name || ov->ov_port_get_element_type(port, &element) != 0) return false;
    out->element = element_name(element);

    ov_partial_shape_t shape = {{0, 0}, NULL};
    if (ov->ov_port_get_partial_shape(port, &shape) != 0) return false;
    bool open = shape.rank.min != shape.rank.max;
    bool fits = open || (shape.rank.max >= 0 && shape.rank.max <= OVN_MAX_RANK);
    out->rank = open || !fits ? -1 : (int32_t)shape.rank.max;
    for (int32_t i = 0; i < out->rank; i++)
        out->shape[i] = shape.dims[i].min == shape.dims[i].max ? shape.dims[i].min : -1;
    ov->ov_partial_shape_free(&shape);
    return fits;
}

static bool describe_all(const ovn_runtime *ov, const ov_model_t *source, ovn_model *model) {
    size_t inputs = 0, outputs = 0;
    if (ov->ov_model_inputs_size(source, &inputs) != 0 || ov->ov_model_outputs_size(source, &outputs) != 0)
        return false;
    model->inputs = calloc(inputs + 1, sizeof(ovn_port));
    model->outputs = calloc(outputs + 1, sizeof(ovn_port));
    if (!model->inputs || !model->outputs) return false;
    model->inputCount = (int32_t)inputs;
    model->outputCount = (int32_t)outputs;
    for (size_t i = 0; i < inputs + outputs; i++) {
        bool input = i < inputs;
        size_t index = input ? i : i - inputs;
        ov_output_const_port_t *port = NULL;
        ov_status_e result = input ? ov->ov_model_const_input_by_index(source, index, &port)
                                   : ov->ov_model_const_output_by_index(source, index, &port);
        bool done = result == 0 && describe(
                                       ov, port, input ? "input" : "output", index,
                                       input ? &model->inputs[index] : &model->outputs[index]);
        if (port) ov->ov_output_const_port_free(port);
        if (!done) return false;
    }
    return true;
}

/// Adds conversions, so that values go in and come out as float32 whatever the file's types are.
static ov_status_e convert_ports(
    const ovn_runtime *ov, const ovn_model *model, const ov_model_t *source, ov_model_t **converted) {
    ov_ppp_t *processor = NULL;
    ov_status_e result = ov->ov_preprocess_prepostprocessor_create(source, &processor);
    for (int32_t i = 0; result == 0 && i < model->inputCount; i++) {
        ov_ppp_input_t *info = NULL;
        ov_ppp_input_tensor_t *tensor = NULL;
        result = ov->ov_preprocess_prepostprocessor_get_input_info_by_index(processor, (size_t)i, &info);
        if (result == 0) result = ov->ov_preprocess_input_info_get_tensor_info(info, &tensor);
        if (result == 0) result = ov->ov_preprocess_input_tensor_info_set_element_type(tensor, OV_F32);
        if (tensor) ov->ov_preprocess_input_tensor_info_free(tensor);
        if (info) ov->ov_preprocess_input_info_free(info);
    }
    for (int32_t i = 0; result == 0 && i < model->outputCount; i++) {
        ov_ppp_output_t *info = NULL;
        ov_ppp_output_tensor_t *tensor = NULL;
        result = ov->ov_preprocess_prepostprocessor_get_output_info_by_index(processor, (size_t)i, &info);
        if (result == 0) result = ov->ov_preprocess_output_info_get_tensor_info(info, &tensor);
        if (result == 0) result = ov->ov_preprocess_output_set_element_type(tensor, OV_F32);
        if (tensor) ov->ov_preprocess_output_tensor_info_free(tensor);
        if (info) ov->ov_preprocess_output_info_free(info);
    }
    if (result == 0) result = ov->ov_preprocess_prepostprocessor_build(processor, converted);
    if (processor) ov->ov_preprocess_prepostprocessor_free(processor);
    return result;
}

// As many streams as requests at once and as many threads as streams: one thread a request. Pinning would bind those of
// several processes to the same cores, and hyper-threading counts as cores in virtual machines. Kernels are kept by the size
// of what they read: all of them, where every picture has a size of its own, would be hundreds of MiB.
#define PROPERTIES(count)                                                                                              \
    "INFERENCE_PRECISION_HINT", "f32", "NUM_STREAMS", count, "INFERENCE_NUM_THREADS", count, "ENABLE_CPU_PINNING",     \
        "NO", "ENABLE_HYPER_THREADING", "YES", "EXECUTION_MODE_HINT", "ACCURACY", "CPU_RUNTIME_CACHE_CAPACITY", "256"
enum { PROPERTY_WORDS = 14 };

static ov_status_e compile(
    const ovn_runtime *ov, const ov_model_t *source, int32_t concurrency, ov_compiled_model_t **compiled) {
    char count[16];
    snprintf(count, sizeof count, "%d", concurrency);
    return ov->ov_core_compile_model(ov->core, source, "CPU", PROPERTY_WORDS, compiled, PROPERTIES(count));
}

static ovn_status check_file(const char *path) {
    struct stat file;
    if (stat(path, &file) != 0) return ovn_failure(OVN_MODEL_UNREADABLE, "model “%s”: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode)) return ovn_failure(OVN_MODEL_UNREADABLE, "model “%s” is not a file", path);
    if (file.st_size == 0) return ovn_failure(OVN_MODEL_UNREADABLE, "model “%s” is empty", path);
    FILE *readable = fopen(path, "rb");
    if (!readable) return ovn_failure(OVN_MODEL_UNREADABLE, "model “%s”: %s", path, strerror(errno));
    fclose(readable);
    return ovn_success();
}

/// Why a file can't be read; where OpenVINO has no more to say than that it can't, what that comes from.
static ovn_status unreadable(const ovn_runtime *ov, ov_status_e result, const char *what) {
    const ovn_status status = ovn_openvino_failure(ov, OVN_MODEL_UNREADABLE, result, what);
    if (strstr(status.message, "Unable to read the model"))
        return ovn_failure(
            OVN_MODEL_UNREADABLE,
            "%s is damaged, cut off or in another format; expected a whole ONNX, OpenVINO, TensorFlow Lite or frozen "
            "TensorFlow file",
            what);
    if (strstr(status.message, "Error during import of ONNX model"))
        return ovn_failure(OVN_MODEL_UNREADABLE, "%s is damaged or cut off; expected a whole ONNX file", what);
    return status;
}

/// Gives the only input another size than the file has.
static ov_status_e resize(const ovn_runtime *ov, ov_model_t *source, const ovn_tensor *size) {
    int64_t dims[OVN_MAX_RANK];
    memcpy(dims, size->shape, sizeof dims);
    ov_shape_t shape = {size->rank, dims};
    ov_partial_shape_t wanted = {{0, 0}, NULL};
    ov_status_e result = ov->ov_shape_to_partial_shape(shape, &wanted);
    if (result == 0) result = ov->ov_model_reshape_single_input(source, wanted);
    ov->ov_partial_shape_free(&wanted);
    return result;
}

/// Reads and compiles into a model that the caller closes if this fails.
static ovn_status load(ovn_model *model, const char *path, int32_t concurrency, const ovn_tensor *size) {
    const ovn_runtime *ov = model->runtime;
    char what[300];
    snprintf(what, sizeof what, "model “%.200s”", path);
    ov_model_t *source = NULL, *converted = NULL;
    ovn_status status = ovn_success();
    ov_status_e result = ov->ov_core_read_model(ov->core, path, NULL, &source);
    if (result != 0) {
        status = unreadable(ov, result, what);
    } else if (size && (result = resize(ov, source, size)) != 0) {
        status = ovn_openvino_failure(ov, OVN_MODEL_UNSUPPORTED, result, what);
    } else if (!describe_all(ov, source, model)) {
        status = ovn_failure(OVN_MODEL_UNSUPPORTED, "%s has an input or output that can't be described", what);
    } else if (model->inputCount == 0 || model->outputCount == 0) {
        status = ovn_failure(OVN_MODEL_UNSUPPORTED, "%s has no input or no output", what);
    } else if (
        concurrency > 0 && ((result = convert_ports(ov, model, source, &converted)) != 0 ||
                            (result = compile(ov, converted, concurrency, &model->compiled)) != 0)) {
        status = ovn_openvino_failure(ov, OVN_MODEL_UNSUPPORTED, result, what);
    }
    if (converted) ov->ov_model_free(converted);
    if (source) ov->ov_model_free(source);
    return status;
}

static ovn_model *make(ovn_runtime *runtime) {
    ovn_model *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->runtime = runtime;
    atomic_init(&made->references, 1);
    pthread_mutex_init(&made->requests, NULL);
    return made;
}

ovn_status ovn_model_open(
    ovn_runtime *runtime, const char *path, int32_t concurrency, const int64_t *shape, int32_t rank,
    ovn_model **model) {
    if (!model) return ovn_failure(OVN_ARGUMENT, "no place for the model was given");
    *model = NULL;
    if (!runtime || !path || concurrency < 0 || concurrency > 256)
        return ovn_failure(OVN_ARGUMENT, "a runtime, a path and a concurrency of 0 to 256 are needed");
    ovn_tensor size = {NULL, rank, {0}};
    if (rank < 0 || rank > OVN_MAX_RANK || (rank > 0 && !shape))
        return ovn_failure(OVN_ARGUMENT, "a shape of at most %d dimensions is needed", OVN_MAX_RANK);
    for (int32_t i = 0; i < rank; i++) {
        if (shape[i] < 1) return ovn_failure(OVN_ARGUMENT, "every dimension of a shape must be at least 1");
        size.shape[i] = shape[i];
    }
    ovn_status status = check_file(path);
    if (status.code) return status;
    ovn_model *made = make(runtime);
    if (!made) return ovn_failure(OVN_INFERENCE, "out of memory");
    pthread_mutex_lock(&compiling);
    status = load(made, path, concurrency, rank > 0 ? &size : NULL);
    pthread_mutex_unlock(&compiling);
    if (status.code)
        ovn_model_close(made);
    else
        *model = made;
    return status;
}

ovn_status ovn_model_export(const ovn_model *model, const char *path) {
    if (!model || !path || !model->compiled) return ovn_failure(OVN_ARGUMENT, "a compiled model and a path are needed");
    const ovn_runtime *ov = model->runtime;
    pthread_mutex_lock(&compiling);
    const ov_status_e result = ov->ov_compiled_model_export_model(model->compiled, path);
    const ovn_status status =
        result ? ovn_openvino_failure(ov, OVN_INFERENCE, result, "the compiled model can't be kept") : ovn_success();
    pthread_mutex_unlock(&compiling);
    return status;
}

static ovn_port *copy_ports(const ovn_port *ports, int32_t count) {
    ovn_port *copies = calloc((size_t)count + 1, sizeof *copies);
    for (int32_t i = 0; copies && i < count; i++) {
        copies[i] = ports[i];
        copies[i].name = strdup(ports[i].name ? ports[i].name : "");
        copies[i].element = "other";
        for (int element = 0; ports[i].element && element < 32; element++) {
            const char *name = element_name((ov_element_type_e)element);
            if (strcmp(name, ports[i].element) == 0) copies[i].element = name;
        }
    }
    return copies;
}

static bool has_property(const ovn_model *model, const char *key, const char *value) {
    char *found = NULL;
    if (model->runtime->ov_compiled_model_get_property(model->compiled, key, &found) != 0 || !found) return false;
    const bool has = strcmp(found, value) == 0;
    model->runtime->ov_free(found);
    return has;
}

// What was kept says what the network is, and the core's own properties how it computes.
static ovn_status import(ovn_model *model, const void *bytes, size_t size, int32_t concurrency) {
    const ovn_runtime *ov = model->runtime;
    char count[16];
    snprintf(count, sizeof count, "%d", concurrency);
    const char *const properties[] = {PROPERTIES(count)};
    ov_status_e result = 0;
    for (int i = 0; result == 0 && i < PROPERTY_WORDS; i += 2)
        result = ov->ov_core_set_property(ov->core, "CPU", properties[i], properties[i + 1]);
    // OpenVINO makes the name of a file of weights from that of the model, of which there is none here, and would take what it finds
    // under “.bin” in the current folder.
    if (!ovn_bind_openings())
        return ovn_failure(OVN_MODEL_UNSUPPORTED, "what is opened in the current folder can't be kept from it");
    if (result == 0) result = ov->ov_core_import_model(ov->core, bytes, size, "CPU", &model->compiled);
    ovn_unbind_openings();
    if (result != 0) return ovn_openvino_failure(ov, OVN_MODEL_UNSUPPORTED, result, "what was kept of the model");
    size_t inputs = 0, outputs = 0;
    const bool fits = ov->ov_compiled_model_inputs_size(model->compiled, &inputs) == 0 &&
                      ov->ov_compiled_model_outputs_size(model->compiled, &outputs) == 0 &&
                      inputs == (size_t)model->inputCount && outputs == (size_t)model->outputCount;
    if (!fits || !has_property(model, "INFERENCE_PRECISION_HINT", "f32") ||
        !has_property(model, "EXECUTION_MODE_HINT", "ACCURACY"))
        return ovn_failure(OVN_MODEL_UNSUPPORTED, "what was kept of the model computes in another way");
    return ovn_success();
}

ovn_status ovn_model_import(
    ovn_runtime *runtime, const void *bytes, size_t size, int32_t concurrency, const ovn_port *inputs,
    int32_t input_count, const ovn_port *outputs, int32_t output_count, ovn_model **model) {
    if (!model) return ovn_failure(OVN_ARGUMENT, "no place for the model was given");
    *model = NULL;
    if (!runtime || !bytes || concurrency < 1 || concurrency > 256 || !inputs || input_count < 1 || !outputs ||
        output_count < 1)
        return ovn_failure(OVN_ARGUMENT, "a runtime, what was kept, a concurrency of 1 to 256 and ports are needed");
    ovn_model *made = make(runtime);
    if (!made) return ovn_failure(OVN_INFERENCE, "out of memory");
    made->inputs = copy_ports(inputs, input_count);
    made->outputs = copy_ports(outputs, output_count);
    ovn_status status = ovn_failure(OVN_INFERENCE, "out of memory");
    if (made->inputs && made->outputs) {
        made->inputCount = input_count;
        made->outputCount = output_count;
        pthread_mutex_lock(&compiling);
        status = import(made, bytes, size, concurrency);
        pthread_mutex_unlock(&compiling);
    }
    if (status.code)
        ovn_model_close(made);
    else
        *model = made;
    return status;
}

ovn_model *ovn_model_retain(ovn_model *model) {
    atomic_fetch_add(&model->references, 1);
    return model;
}

void ovn_model_close(ovn_model *model) {
    if (!model || atomic_fetch_sub(&model->references, 1) != 1) return;
    if (model->compiled) model->runtime->ov_compiled_model_free(model->compiled);
    for (int32_t i = 0; model->inputs && i < model->inputCount; i++) free((char *)model->inputs[i].name);
    for (int32_t i = 0; model->outputs && i < model->outputCount; i++) free((char *)model->outputs[i].name);
    free(model->inputs);
    free(model->outputs);
    pthread_mutex_destroy(&model->requests);
    free(model);
}

int32_t ovn_model_input_count(const ovn_model *model) { return model ? model->inputCount : 0; }
int32_t ovn_model_output_count(const ovn_model *model) { return model ? model->outputCount : 0; }

static ovn_status port_at(const ovn_port *ports, int32_t count, const char *kind, int32_t index, ovn_port *port) {
    if (!ports || !port || index < 0 || index >= count)
        return ovn_failure(OVN_ARGUMENT, "there is no %s %d; the model has %d", kind, index, count);
    *port = ports[index];
    return ovn_success();
}

ovn_status ovn_model_input(const ovn_model *model, int32_t index, ovn_port *port) {
    return port_at(model ? model->inputs : NULL, ovn_model_input_count(model), "input", index, port);
}

ovn_status ovn_model_output(const ovn_model *model, int32_t index, ovn_port *port) {
    return port_at(model ? model->outputs : NULL, ovn_model_output_count(model), "output", index, port);
}

const ovn_port *ovn_model_input_ports(const ovn_model *model) { return model->inputs; }
ovn_runtime *ovn_model_runtime(const ovn_model *model) { return model->runtime; }

ov_status_e ovn_model_make_request(ovn_model *model, ov_infer_request_t **request) {
    if (!model->compiled) return -1; // one that was only looked at
    pthread_mutex_lock(&model->requests);
    ov_status_e result = model->runtime->ov_compiled_model_create_infer_request(model->compiled, request);
    pthread_mutex_unlock(&model->requests);
    return result;
}
