/* Relogging: a trace rewritten, with a function that decides about each event. docs/c.md#relog */
#ifndef ETL_CAPI_RELOG_H
#define ETL_CAPI_RELOG_H

#include <etl/capi/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives what becomes of an event. Valid during the call of the function. */
typedef struct etl_relogger etl_relogger;

/* Decides about an event, which is valid during the call: passes it, emits other events, or does
 * neither, which drops it. Any result other than ETL_OK ends relogging; no file remains. The
 * function must not free the trace; reading it otherwise is ETL_UNSUPPORTED. */
typedef etl_status (*etl_relog_function)(void *context, etl_event *event, etl_relogger *to);

/* Writes a trace file of what `function` makes of the events of the trace that match its options.
 * Context events and stacks that do not match are written as they are, because the others need
 * them. Records that are not changed are copied byte for byte. The file appears when it is
 * complete. Rewinds the trace. `count` may be NULL; it receives the number of events written.
 * Errors: as etl_trace_save, and what `function` returned. */
ETL_API etl_status etl_trace_relog(etl_trace *trace, const char *path, bool replace,
                                   etl_relog_function function, void *context, uint64_t *count,
                                   etl_error **error);

/* Passes the event unchanged. */
ETL_API etl_status etl_relogger_pass(etl_relogger *to, etl_error **error);

/* Members of etl_change that apply. */
enum {
    ETL_CHANGE_TIME = 0x1,
    ETL_CHANGE_PROCESS_ID = 0x2,
    ETL_CHANGE_THREAD_ID = 0x4,
    ETL_CHANGE_PROVIDER = 0x8,
    ETL_CHANGE_ACTIVITY = 0x10,
    ETL_CHANGE_PAYLOAD = 0x20
};

/* A change to an event. */
typedef struct etl_change {
    size_t struct_size;
    uint32_t members; /* ETL_CHANGE_... of the members to apply */
    uint32_t process_id;
    uint32_t thread_id;
    uint32_t reserved;
    int64_t time; /* FILETIME */
    etl_guid provider;
    etl_guid activity;
    const void *payload;
    size_t payload_size;
} etl_change;

#define ETL_CHANGE_INIT                                                                            \
    { sizeof(etl_change), 0, 0, 0, 0, 0, {{0}}, {{0}}, NULL, 0 }

/* Emits a copy of the event with changes. Events with later times are held until the trace reaches
 * them, so that the output stays in order. Errors: ETL_UNSUPPORTED (the kind of record does not
 * have a member), ETL_LIMIT (the payload is too large). */
ETL_API etl_status etl_relogger_emit(etl_relogger *to, const etl_change *change, etl_error **error);

/* Emits a new event. Time 0 is that of the current event; so are IDs that are ETL_NO_ID. Errors: as
 * etl_writer_add. */
ETL_API etl_status etl_relogger_add(etl_relogger *to, const etl_record *record, etl_error **error);

/* Emits a new self-describing event. `context` may be NULL. */
ETL_API etl_status etl_relogger_add_event(etl_relogger *to, etl_builder *builder,
                                          const etl_record *context, etl_error **error);

#ifdef __cplusplus
}
#endif

#endif
