#include "openvino_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ovn_request {
    ovn_model *model; // kept alive
    ov_infer_request_t *handle;
    ov_tensor_t **outputs; // those of the last run
    int32_t outputCount;
    bool ran;
};

ovn_status ovn_request_create(ovn_model *model, ovn_request **request) {
    if (!request) return ovn_failure(OVN_ARGUMENT, "no place for the request was given");
    *request = NULL;
    if (!model) return ovn_failure(OVN_ARGUMENT, "no model was given");
    ovn_request *made = calloc(1, sizeof *made);
    ov_tensor_t **outputs = calloc((size_t)ovn_model_output_count(model), sizeof(ov_tensor_t *));
    if (!made || !outputs) {
        free(made);
        free(outputs);
        return ovn_failure(OVN_INFERENCE, "out of memory");
    }
    made->outputs = outputs;
    made->outputCount = ovn_model_output_count(model);
    made->model = ovn_model_retain(model);
    ov_status_e result = ovn_model_make_request(model, &made->handle);
    if (result != 0) {
        ovn_status status =
            ovn_openvino_failure(ovn_model_runtime(model), OVN_INFERENCE, result, "no request can be made");
        ovn_request_free(made);
        return status;
    }
    *request = made;
    return ovn_success();
}

static void forget_outputs(ovn_request *request) {
    const ovn_runtime *ov = ovn_model_runtime(request->model);
    for (int32_t i = 0; i < request->outputCount; i++) {
        if (request->outputs[i]) {
            ov->ov_tensor_free(request->outputs[i]);
            request->outputs[i] = NULL;
        }
    }
    request->ran = false;
}

void ovn_request_free(ovn_request *request) {
    if (!request) return;
    forget_outputs(request);
    if (request->handle) ovn_model_runtime(request->model)->ov_infer_request_free(request->handle);
    ovn_model_close(request->model);
    free(request->outputs);
    free(request);
}

/// Writes a shape as “[1,3,224,224]”, with “?” for an open dimension.
static void write_shape(const int64_t *shape, int32_t rank, char *text, size_t capacity) {
    size_t used = (size_t)snprintf(text, capacity, "[");
    for (int32_t i = 0; i < rank && i < OVN_MAX_RANK && used < capacity; i++) {
        char size[24] = "?";
        if (shape[i] >= 0) snprintf(size, sizeof size, "%lld", (long long)shape[i]);
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", i ? "," : "", size);
    }
    if (used < capacity) snprintf(text + used, capacity - used, "]");
}

static ovn_status check_input(const ovn_port *port, const ovn_tensor *input) {
    char wanted[200] = "of any shape", given[200];
    bool fits = input->rank >= 0 && input->rank <= OVN_MAX_RANK && (port->rank < 0 || port->rank == input->rank);
    int64_t elements = 1;
    for (int32_t i = 0; fits && i < input->rank; i++) {
        int64_t size = input->shape[i];
        fits = size > 0 && (port->rank < 0 || port->shape[i] < 0 || port->shape[i] == size) &&
               size <= INT32_MAX / elements;
        elements *= fits ? size : 1;
    }
    if (fits && input->values) return ovn_success();
    if (port->rank >= 0) write_shape(port->shape, port->rank, wanted, sizeof wanted);
    if (fits) return ovn_failure(OVN_ARGUMENT, "input “%.100s” has no values", port->name);
    write_shape(input->shape, input->rank, given, sizeof given);
    return ovn_failure(OVN_ARGUMENT, "input “%.100s” is %s, not %s", port->name, wanted, given);
}

ovn_status ovn_request_run(ovn_request *request, const ovn_tensor *inputs, int32_t count) {
    if (!request || !inputs) return ovn_failure(OVN_ARGUMENT, "a request and its inputs are needed");
    forget_outputs(request);
    const ovn_runtime *ov = ovn_model_runtime(request->model);
    if (count != ovn_model_input_count(request->model)) {
        return ovn_failure(
            OVN_ARGUMENT, "the model has %d inputs, not %d", ovn_model_input_count(request->model), count);
    }
    for (int32_t i = 0; i < count; i++) {
        ovn_status status = check_input(&ovn_model_input_ports(request->model)[i], &inputs[i]);
        if (status.code) return status;
        int64_t dims[OVN_MAX_RANK];
        memcpy(dims, inputs[i].shape, sizeof dims);
        ov_tensor_t *tensor = NULL;
        // OpenVINO only reads from an input, its C interface just has no const.
        ov_status_e result = ov->ov_tensor_create_from_host_ptr(
            OV_F32, (ov_shape_t){inputs[i].rank, dims}, (void *)inputs[i].values, &tensor);
        if (result == 0) result = ov->ov_infer_request_set_input_tensor_by_index(request->handle, (size_t)i, tensor);
        if (tensor) ov->ov_tensor_free(tensor); // the request has its own reference
        if (result != 0) return ovn_openvino_failure(ov, OVN_INFERENCE, result, "the input is refused");
    }
    ov_status_e result = ov->ov_infer_request_infer(request->handle);
    if (result != 0) return ovn_openvino_failure(ov, OVN_INFERENCE, result, "inference fails");
    request->ran = true;
    return ovn_success();
}

ovn_status ovn_request_output(ovn_request *request, int32_t index, ovn_tensor *output) {
    if (!request || !output || index < 0 || index >= request->outputCount) {
        return ovn_failure(
            OVN_ARGUMENT, "there is no output %d; the model has %d", index, request ? request->outputCount : 0);
    }
    memset(output, 0, sizeof *output);
    if (!request->ran) return ovn_failure(OVN_ARGUMENT, "there is no output before a successful run");
    const ovn_runtime *ov = ovn_model_runtime(request->model);
    ov_status_e result = 0;
    if (!request->outputs[index]) {
        result =
            ov->ov_infer_request_get_output_tensor_by_index(request->handle, (size_t)index, &request->outputs[index]);
    }
    ov_shape_t shape = {0, NULL};
    void *values = NULL;
    ovn_port port = {0};
    const bool single = ovn_model_output(request->model, index, &port).code == 0 && port.rank == 0;
    // OpenVINO's C API gives no shape of a single number.
    if (result == 0 && single) {
        result = ov->ov_tensor_data(request->outputs[index], &values);
        output->values = values;
        output->rank = 1;
        output->shape[0] = 1;
        return result == 0 ? ovn_success()
                           : ovn_openvino_failure(ov, OVN_INFERENCE, result, "the output can't be read");
    }
    if (result == 0) result = ov->ov_tensor_get_shape(request->outputs[index], &shape);
    if (result == 0 && (shape.rank < 0 || shape.rank > OVN_MAX_RANK)) {
        ov->ov_shape_free(&shape);
        return ovn_failure(OVN_INFERENCE, "output %d has more than %d dimensions", index, OVN_MAX_RANK);
    }
    bool empty = false;
    if (result == 0) {
        output->rank = (int32_t)shape.rank;
        for (int32_t i = 0; i < output->rank; i++) {
            output->shape[i] = shape.dims[i];
            empty |= shape.dims[i] == 0;
        }
        ov->ov_shape_free(&shape);
        if (!empty) result = ov->ov_tensor_data(request->outputs[index], &values);
    }
    if (result != 0) return ovn_openvino_failure(ov, OVN_INFERENCE, result, "the output can't be read");
    output->values = values;
    return ovn_success();
}
