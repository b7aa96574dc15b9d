/* Sessions of the machine, which record programs that are already running. docs/machine-sessions.md
 */
#ifndef ETL_CAPI_MACHINE_H
#define ETL_CAPI_MACHINE_H

#include <etl/capi/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Controls the sessions of the machine, by name. They continue when the controller is freed. */
typedef struct etl_controller etl_controller;

/* Connects to the host, and starts it if none runs. `directory` of the host: NULL for the usual
 * one. Errors: ETL_UNSUPPORTED (not on this system), ETL_NOT_FOUND (no program to start),
 * ETL_LIMIT (no answer in time), ETL_INVALID_ARGUMENT (it belongs to another user). */
ETL_API etl_status etl_controller_connect(const char *directory, etl_controller **controller,
                                          etl_error **error);
ETL_API void etl_controller_free(etl_controller *controller);

/* As the functions of sessions. Files are opened with the rights of this process. Errors: also
 * ETL_LIMIT (no answer in time). */
ETL_API etl_status etl_controller_start(etl_controller *controller,
                                        const etl_session_options *options, etl_error **error);
ETL_API etl_status etl_controller_enable(etl_controller *controller, const char *session,
                                         const etl_guid *provider,
                                         const etl_enable_options *options, etl_error **error);
ETL_API etl_status etl_controller_disable(etl_controller *controller, const char *session,
                                          const etl_guid *provider, etl_error **error);
ETL_API etl_status etl_controller_flush(etl_controller *controller, const char *session,
                                        const char *file, etl_error **error);
ETL_API etl_status etl_controller_query(etl_controller *controller, const char *session,
                                        etl_session_state *state, etl_error **error);
/* `state` may be NULL. */
ETL_API etl_status etl_controller_stop(etl_controller *controller, const char *session,
                                       const char *file, etl_session_state *state,
                                       etl_error **error);

/* Returns the number of sessions; then etl_controller_session returns the state of each. */
ETL_API etl_status etl_controller_list(etl_controller *controller, size_t *count,
                                       etl_error **error);
/* Errors: ETL_NOT_FOUND (`index`). */
ETL_API etl_status etl_controller_session(etl_controller *controller, size_t index,
                                          etl_session_state *state, etl_error **error);

#ifdef __cplusplus
}
#endif

#endif
