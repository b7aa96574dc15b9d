/* Events: header, names, message, JSON, payload, and stack. docs/c.md#events
 *
 * An event is valid until its trace moves. The first call that needs the schema looks it up; the
 * first call that needs fields walks the payload. */
#ifndef ETL_CAPI_EVENT_H
#define ETL_CAPI_EVENT_H

#include <etl/capi/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A process or thread ID that the record does not store. */
#define ETL_NO_ID 0xFFFFFFFFu

/* The header of an event, in one form for all kinds of records. */
typedef struct etl_event_header {
    size_t struct_size;
    int64_t time;     /* FILETIME; 0: the record has no usable time (docs/format/time.md#unusable) */
    int64_t raw_time; /* as stored, by the clock of the trace; 0 also if the record stores none */
    uint64_t keyword;
    etl_guid provider; /* for kernel events, the class */
    etl_guid activity; /* zero: none */
    etl_guid related_activity;
    uint32_t process_id; /* ETL_NO_ID: not stored */
    uint32_t thread_id;
    uint32_t trace; /* index of the trace: etl_trace_info_of */
    uint16_t id;    /* event ID, or number of a WPP message */
    uint16_t task;
    uint16_t processor;
    uint8_t version;
    uint8_t channel;
    uint8_t level;
    uint8_t opcode;
    uint8_t pointer_size; /* of the payload: 4 or 8 */
    uint8_t is_decoded;   /* not 0: a schema was found */
} etl_event_header;

#define ETL_EVENT_HEADER_INIT                                                                      \
    {                                                                                              \
        sizeof(etl_event_header), 0, 0, 0, {{0}}, {{0}}, {{0}}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0  \
    }

/* Errors: ETL_INVALID_ARGUMENT (`struct_size`). */
ETL_API etl_status etl_event_get_header(etl_event *event, etl_event_header *header,
                                        etl_error **error);

/* Returns the time as FILETIME; 0: the record has no usable time. Decodes nothing. */
ETL_API int64_t etl_event_time(const etl_event *event);

/* Returns a number that all events with the same provider, event name, and fields share within one
 * trace handle, for caches. Events of one kind may have several numbers. */
ETL_API uint64_t etl_event_kind(etl_event *event);

/* Returns the best known name, or the GUID. */
ETL_API etl_text etl_event_provider(etl_event *event);

/* Returns the best known name, or `EventID(12)`, or `Message(12)`. */
ETL_API etl_text etl_event_name(etl_event *event);

/* Returns the message with its values, as Windows renders it; empty if the schema has none. */
ETL_API etl_text etl_event_message(etl_event *event);

/* Returns the JSON object that `etl dump --format jsonl` writes (docs/output.md), with facts if the
 * trace was opened with `enrich`. */
ETL_API etl_text etl_event_json(etl_event *event);

/* Returns names from the schema or the event log; empty if there are none. */
ETL_API etl_text etl_event_channel(etl_event *event);
ETL_API etl_text etl_event_task(etl_event *event);
ETL_API etl_text etl_event_opcode(etl_event *event);
ETL_API etl_text etl_event_level(etl_event *event);
ETL_API etl_text etl_event_computer(etl_event *event);

/* Returns the SID of the user (`S-1-5-18`); empty if the record contains none. */
ETL_API etl_text etl_event_user(etl_event *event);

/* Returns the name of the process that the event is about; empty if unknown, or without
 * `enrich`. */
ETL_API etl_text etl_event_process(etl_event *event);

/* Returns how the payload contradicts its schema, or why no schema was used; empty if neither
 * applies. The fields before a contradiction are valid. */
ETL_API etl_text etl_event_problem(etl_event *event);

/* Returns an assumption that may make values wrong; empty if none was made. */
ETL_API etl_text etl_event_assumption(etl_event *event);

/* Returns the provider's part of the record, as stored. */
ETL_API etl_bytes etl_event_payload(etl_event *event);

/* Returns the addresses of the call stack, innermost first, and their number in `count`. Stacks in
 * separate records require `enrich`. NULL if there are none. */
ETL_API const uint64_t *etl_event_stack(etl_event *event, size_t *count);

/* Returns the name of an address of the stack, such as `tea.dll!Boil+0x12`; empty if it has none,
 * or without `enrich`. */
ETL_API etl_text etl_event_frame(etl_event *event, size_t index);

#ifdef __cplusplus
}
#endif

#endif
