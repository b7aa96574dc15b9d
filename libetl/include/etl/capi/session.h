/* Sessions: tracing of the program itself, and of the machine. docs/c.md#sessions */
#ifndef ETL_CAPI_SESSION_H
#define ETL_CAPI_SESSION_H

#include <etl/capi/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of tracing in a process. Usually one, which exists as long as the program writes
 * events. All functions of this header that take a runtime, session, or registration are
 * thread-safe, except those that free it. */
typedef struct etl_runtime etl_runtime;

ETL_API etl_status etl_runtime_create(etl_runtime **runtime, etl_error **error);

/* Frees the handle. When those of all registrations, sessions, and live traces are freed as well,
 * sessions that still run are stopped. */
ETL_API void etl_runtime_free(etl_runtime *runtime);

/* Lets sessions of the machine record the providers of the runtime, also sessions that start later.
 * Errors: ETL_UNSUPPORTED (no machine sessions on this system), ETL_INVALID_ARGUMENT (the host
 * belongs to another user). */
ETL_API etl_status etl_runtime_attach(etl_runtime *runtime, etl_error **error);

/* ---- Providers ---- */

/* A registered provider, through which a program writes events. */
typedef struct etl_registration etl_registration;

/* Called when a session enables or disables the provider: on the thread of etl_session_enable or on
 * one of the runtime. Must not start, control, or enable sessions. */
typedef void (*etl_enable_function)(void *context, bool is_enabled, uint8_t level,
                                    uint64_t match_any, uint64_t match_all);

/* Registers a provider. `guid` NULL: derived from the name. `function` may be NULL. Errors:
 * ETL_LIMIT (too many registrations). */
ETL_API etl_status etl_provider_register(etl_runtime *runtime, const char *name,
                                         const etl_guid *guid, etl_enable_function function,
                                         void *context, etl_registration **registration,
                                         etl_error **error);

/* Returns whether a session may accept events of this level and keyword. */
ETL_API bool etl_registration_is_enabled(const etl_registration *registration, uint8_t level,
                                         uint64_t keyword);

/* Writes a self-describing event to all sessions that accept it. `context` NULL: only its activity
 * is used; time and IDs are those of the call. `builder` is used by one thread at a time. Errors:
 * ETL_INVALID_ARGUMENT (the builder is of another provider), ETL_LIMIT (a session lost the event). */
ETL_API etl_status etl_registration_write(etl_registration *registration, etl_builder *builder,
                                          const etl_record *context, etl_error **error);

/* Writes an event with descriptor, payload, and activity of a record. */
ETL_API etl_status etl_registration_write_record(etl_registration *registration,
                                                 const etl_record *record, etl_error **error);

ETL_API void etl_registration_free(etl_registration *registration);

/* ---- Sessions ---- */

enum {
    ETL_MODE_SEQUENTIAL = 0x1,
    ETL_MODE_CIRCULAR = 0x2,
    ETL_MODE_NEW_FILE = 0x8, /* with `%d` in the path */
    ETL_MODE_REAL_TIME = 0x100,
    ETL_MODE_BUFFERING = 0x400 /* in memory */
};

/* Options of a session; zeros are the defaults of Windows. docs/sessions.md#options */
typedef struct etl_session_options {
    size_t struct_size;
    const char *name;
    const char *file;           /* NULL: none */
    uint32_t mode;              /* ETL_MODE_..., or other bits of LogFileMode */
    uint32_t clock;             /* 1 QPC, 2 system time, 3 CPU cycles */
    uint32_t buffer_kb;         /* 4 to 16384 */
    uint32_t minimum_buffers;
    uint32_t maximum_buffers;
    uint32_t maximum_file_size; /* MB; 0: no limit */
    uint32_t flush_timer;       /* s */
    uint32_t reserved;
} etl_session_options;

#define ETL_SESSION_OPTIONS_INIT                                                                   \
    { sizeof(etl_session_options), NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Which events of a provider a session records. */
typedef struct etl_enable_options {
    size_t struct_size;
    uint64_t match_any;  /* keywords; 0: all */
    uint64_t match_all;
    uint32_t level;      /* 0 and 255: all */
    uint32_t property;   /* EVENT_ENABLE_PROPERTY_xxx: 0x4 records call stacks */
    uint32_t timeout_ms; /* maximum time to wait for callbacks of providers */
    uint32_t reserved;
} etl_enable_options;

#define ETL_ENABLE_OPTIONS_INIT                                                                    \
    { sizeof(etl_enable_options), 0, 0, 0, 0, 0, 0 }

/* The state of a session. */
typedef struct etl_session_state {
    size_t struct_size;
    etl_text name; /* texts are valid until the next query of the handle */
    etl_text file; /* current or last file; empty: none */
    uint64_t events_lost;
    uint32_t id;
    uint32_t mode;
    uint32_t buffer_kb;
    uint32_t buffers;
    uint32_t free_buffers;
    uint32_t buffers_written;
    uint32_t log_buffers_lost;
    uint32_t real_time_buffers_lost;
    uint32_t consumers;
    uint32_t providers; /* that the session has enabled */
} etl_session_state;

#define ETL_SESSION_STATE_INIT                                                                     \
    { sizeof(etl_session_state), {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Starts a session. On return its file exists. Errors: ETL_INVALID_ARGUMENT (an option; a session
 * of this name exists), ETL_LIMIT, ETL_IO_FAILURE. */
ETL_API etl_status etl_session_start(etl_runtime *runtime, const etl_session_options *options,
                                     etl_session **session, etl_error **error);

/* Enables a provider, also one that registers later, or changes what is recorded of it. `options`
 * may be NULL: all events. Errors: ETL_NOT_FOUND (the session has ended), ETL_LIMIT. */
ETL_API etl_status etl_session_enable(etl_session *session, const etl_guid *provider,
                                      const etl_enable_options *options, etl_error **error);
ETL_API etl_status etl_session_disable(etl_session *session, const etl_guid *provider,
                                       etl_error **error);

/* Writes all events so far; a session in memory writes a complete trace to `file`, otherwise NULL. */
ETL_API etl_status etl_session_flush(etl_session *session, const char *file, etl_error **error);
ETL_API etl_status etl_session_query(etl_session *session, etl_session_state *state,
                                     etl_error **error);

/* Stops the session and completes its file; a session in memory is written to `file` unless NULL.
 * `state` may be NULL. Errors: ETL_NOT_FOUND (it has ended), ETL_IO_FAILURE. */
ETL_API etl_status etl_session_stop(etl_session *session, const char *file,
                                    etl_session_state *state, etl_error **error);

/* Frees the handle. A session that was not stopped continues until the runtime ends. */
ETL_API void etl_session_free(etl_session *session);

/* Reads the events of a real-time session as they arrive: etl_trace_next waits for them and returns
 * ETL_END when the session has stopped, or after etl_trace_stop. `options` may be NULL; time windows
 * and `enrich` are not available. */
ETL_API etl_status etl_listen(etl_session *session, const etl_open_options *options,
                              etl_trace **trace, etl_error **error);

#ifdef __cplusplus
}
#endif

#endif
