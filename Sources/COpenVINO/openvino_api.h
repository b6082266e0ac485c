#pragma once
// What this shim uses of OpenVINO's C API, declared here so that building needs no OpenVINO. Faithful to the headers
// of release 2025.4.1: openvino/c/ov_common.h, ov_core.h, ov_model.h, ov_node.h, ov_shape.h, ov_dimension.h,
// ov_partial_shape.h, ov_prepostprocess.h, ov_compiled_model.h, ov_infer_request.h, ov_tensor.h.
// The element types were renumbered in 2025.0: `runtime.c` refuses older releases.

// The package is built as strict C17, which hides realpath, strdup and PATH_MAX.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "openvino_shim.h"

#include <stdbool.h>
#include <stddef.h>

// ov_status_e: 0 is OK, everything else is negative.
typedef int ov_status_e;

// ov_element_type_e, in the header's order.
typedef enum {
    OV_DYNAMIC,
    OV_BOOLEAN,
    OV_BF16,
    OV_F16,
    OV_F32,
    OV_F64,
    OV_I4,
    OV_I8,
    OV_I16,
    OV_I32,
    OV_I64,
    OV_U1,
    OV_U2,
    OV_U3,
    OV_U4,
    OV_U6,
    OV_U8,
    OV_U16,
    OV_U32,
    OV_U64
} ov_element_type_e;

typedef struct {
    const char *buildNumber;
    const char *description;
} ov_version_t;
typedef struct {
    int64_t rank;
    int64_t *dims;
} ov_shape_t;
typedef struct {
    int64_t min, max;
} ov_dimension_t;
typedef struct {
    ov_dimension_t rank;
    ov_dimension_t *dims;
} ov_partial_shape_t;

typedef struct ov_core ov_core_t;
typedef struct ov_model ov_model_t;
typedef struct ov_output_const_port ov_output_const_port_t;
typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_tensor ov_tensor_t;
typedef struct ov_preprocess_prepostprocessor ov_ppp_t;
typedef struct ov_preprocess_input_info ov_ppp_input_t;
typedef struct ov_preprocess_input_tensor_info ov_ppp_input_tensor_t;
typedef struct ov_preprocess_output_info ov_ppp_output_t;
typedef struct ov_preprocess_output_tensor_info ov_ppp_output_tensor_t;

// X(result, name, parameters): the one list that the table below and the lookup in runtime.c are made from.
#define OVN_SYMBOLS(X)                                                                                                 \
    X(ov_status_e, ov_get_openvino_version, (ov_version_t *))                                                          \
    X(void, ov_version_free, (ov_version_t *))                                                                         \
    X(const char *, ov_get_error_info, (ov_status_e))                                                                  \
    X(const char *, ov_get_last_err_msg, (void))                                                                       \
    X(void, ov_free, (const char *))                                                                                   \
    X(ov_status_e, ov_core_create, (ov_core_t **))                                                                     \
    X(ov_status_e, ov_core_read_model, (const ov_core_t *, const char *, const char *, ov_model_t **))                 \
    X(ov_status_e, ov_core_compile_model,                                                                              \
      (const ov_core_t *, const ov_model_t *, const char *, size_t, ov_compiled_model_t **, ...))                      \
    X(ov_status_e, ov_core_set_property, (const ov_core_t *, const char *, ...))                                       \
    X(ov_status_e, ov_core_import_model,                                                                               \
      (const ov_core_t *, const char *, size_t, const char *, ov_compiled_model_t **))                                 \
    X(ov_status_e, ov_compiled_model_export_model, (const ov_compiled_model_t *, const char *))                        \
    X(ov_status_e, ov_compiled_model_get_property, (const ov_compiled_model_t *, const char *, char **))               \
    X(ov_status_e, ov_compiled_model_inputs_size, (const ov_compiled_model_t *, size_t *))                             \
    X(ov_status_e, ov_compiled_model_outputs_size, (const ov_compiled_model_t *, size_t *))                            \
    X(void, ov_model_free, (ov_model_t *))                                                                             \
    X(ov_status_e, ov_shape_to_partial_shape, (const ov_shape_t, ov_partial_shape_t *))                                \
    X(ov_status_e, ov_model_reshape_single_input, (const ov_model_t *, const ov_partial_shape_t))                      \
    X(ov_status_e, ov_model_inputs_size, (const ov_model_t *, size_t *))                                               \
    X(ov_status_e, ov_model_outputs_size, (const ov_model_t *, size_t *))                                              \
    X(ov_status_e, ov_model_const_input_by_index, (const ov_model_t *, size_t, ov_output_const_port_t **))             \
    X(ov_status_e, ov_model_const_output_by_index, (const ov_model_t *, size_t, ov_output_const_port_t **))            \
    X(void, ov_output_const_port_free, (ov_output_const_port_t *))                                                     \
    X(ov_status_e, ov_port_get_any_name, (const ov_output_const_port_t *, char **))                                    \
    X(ov_status_e, ov_port_get_partial_shape, (const ov_output_const_port_t *, ov_partial_shape_t *))                  \
    X(ov_status_e, ov_port_get_element_type, (const ov_output_const_port_t *, ov_element_type_e *))                    \
    X(void, ov_partial_shape_free, (ov_partial_shape_t *))                                                             \
    X(ov_status_e, ov_preprocess_prepostprocessor_create, (const ov_model_t *, ov_ppp_t **))                           \
    X(void, ov_preprocess_prepostprocessor_free, (ov_ppp_t *))                                                         \
    X(ov_status_e, ov_preprocess_prepostprocessor_get_input_info_by_index,                                             \
      (const ov_ppp_t *, size_t, ov_ppp_input_t **))                                                                   \
    X(ov_status_e, ov_preprocess_input_info_get_tensor_info, (const ov_ppp_input_t *, ov_ppp_input_tensor_t **))       \
    X(ov_status_e, ov_preprocess_input_tensor_info_set_element_type, (ov_ppp_input_tensor_t *, ov_element_type_e))     \
    X(void, ov_preprocess_input_tensor_info_free, (ov_ppp_input_tensor_t *))                                           \
    X(void, ov_preprocess_input_info_free, (ov_ppp_input_t *))                                                         \
    X(ov_status_e, ov_preprocess_prepostprocessor_get_output_info_by_index,                                            \
      (const ov_ppp_t *, size_t, ov_ppp_output_t **))                                                                  \
    X(ov_status_e, ov_preprocess_output_info_get_tensor_info, (const ov_ppp_output_t *, ov_ppp_output_tensor_t **))    \
    X(ov_status_e, ov_preprocess_output_set_element_type, (ov_ppp_output_tensor_t *, ov_element_type_e))               \
    X(void, ov_preprocess_output_tensor_info_free, (ov_ppp_output_tensor_t *))                                         \
    X(void, ov_preprocess_output_info_free, (ov_ppp_output_t *))                                                       \
    X(ov_status_e, ov_preprocess_prepostprocessor_build, (const ov_ppp_t *, ov_model_t **))                            \
    X(ov_status_e, ov_compiled_model_create_infer_request, (const ov_compiled_model_t *, ov_infer_request_t **))       \
    X(void, ov_compiled_model_free, (ov_compiled_model_t *))                                                           \
    X(ov_status_e, ov_infer_request_set_input_tensor_by_index, (ov_infer_request_t *, size_t, const ov_tensor_t *))    \
    X(ov_status_e, ov_infer_request_get_output_tensor_by_index, (const ov_infer_request_t *, size_t, ov_tensor_t **))  \
    X(ov_status_e, ov_infer_request_infer, (ov_infer_request_t *))                                                     \
    X(void, ov_infer_request_free, (ov_infer_request_t *))                                                             \
    X(ov_status_e, ov_tensor_create_from_host_ptr, (ov_element_type_e, ov_shape_t, void *, ov_tensor_t **))            \
    X(ov_status_e, ov_tensor_get_shape, (const ov_tensor_t *, ov_shape_t *))                                           \
    X(ov_status_e, ov_shape_free, (ov_shape_t *))                                                                      \
    X(ov_status_e, ov_tensor_data, (const ov_tensor_t *, void **))                                                     \
    X(void, ov_tensor_free, (ov_tensor_t *))

struct ovn_runtime {
    char *directory;
    char version[96];
    ov_core_t *core;
#define OVN_FIELD(result, name, parameters) result(*name) parameters;
    OVN_SYMBOLS(OVN_FIELD)
#undef OVN_FIELD
};

// Shared by the files of this target; not exported to Swift.
#define OVN_INTERNAL __attribute__((visibility("hidden")))

OVN_INTERNAL ovn_status ovn_success(void);
OVN_INTERNAL ovn_status ovn_failure(int32_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A failure of an OpenVINO call: `what`, then the gist of OpenVINO's own message.
OVN_INTERNAL ovn_status ovn_openvino_failure(const ovn_runtime *ov, int32_t code, ov_status_e status, const char *what);

/// The ports behind `ovn_model_input`.
OVN_INTERNAL const ovn_port *ovn_model_input_ports(const ovn_model *model);
OVN_INTERNAL ovn_runtime *ovn_model_runtime(const ovn_model *model);
OVN_INTERNAL ovn_model *ovn_model_retain(ovn_model *model);
OVN_INTERNAL ov_status_e ovn_model_make_request(ovn_model *model, ov_infer_request_t **request);

/// Keeps C++'s streams on this thread from opening a relative path, until `ovn_unbind_openings`.
/// - Returns: False where that can't be done: nothing is kept from being opened then.
OVN_INTERNAL bool ovn_bind_openings(void);
OVN_INTERNAL void ovn_unbind_openings(void);
