/* The C interface of libetl: traces read, written, edited, and recorded. C99 and C++. docs/c.md
 *
 *     const char *path = "trace.etl";
 *     etl_trace *trace = NULL;
 *     etl_error *error = NULL;
 *     if (etl_open(&path, 1, NULL, &trace, &error) != ETL_OK) {
 *         fprintf(stderr, "%s\n", etl_error_message(error));
 *     }
 *     etl_event *event = NULL;
 *     while (etl_trace_next(trace, &event, &error) == ETL_OK) {
 *         etl_text name = etl_event_name(event);
 *         printf("%.*s\n", (int)name.size, name.data);
 *     }
 *     etl_trace_free(trace);
 *
 * C++ programs that are compiled together with the library use etl/etl.hpp instead.
 */
#ifndef ETL_ETL_H
#define ETL_ETL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(ETL_SHARED)
#define ETL_API __declspec(dllimport)
#elif defined(__GNUC__)
#define ETL_API __attribute__((visibility("default")))
#else
#define ETL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Rules and types shared by all functions of the C interface. docs/c.md
 *
 * Errors. A function that can fail returns an etl_status. Its last parameter receives an error
 * with a message, or NULL on success; pass NULL if only the status matters. Functions that return
 * a text, bytes, a count, or a field instead return nothing (data NULL, 0) if memory is exhausted,
 * and the next etl_trace_next of their trace returns ETL_NO_MEMORY. After ETL_NO_MEMORY, a trace
 * can only be freed: all other calls return the same. No C++ exception leaves the library.
 *
 * Handles. An opaque type with a function etl_..._free belongs to the caller, who frees it once;
 * freeing NULL does nothing. Other pointers are views whose lifetime is documented.
 *
 * Threads. A handle and everything obtained from it is used by one thread at a time. Different
 * handles are independent. Exceptions are documented as "Thread-safe."
 *
 * Structures that may grow begin with `struct_size`, which the caller sets, best with the macro
 * ETL_..._INIT. The library reads and writes only that many bytes, so programs compiled with an
 * older header keep working. Zero is the default of every option.
 *
 * Paths and texts are UTF-8. Times are FILETIME: 100 ns units since 1601-01-01 UTC.
 */

/* The result of a call. Values are stable; later versions may add some. */
typedef int32_t etl_status;

enum {
    ETL_OK = 0,
    ETL_END = 1,              /* there are no more events; not an error */
    ETL_TRUNCATED = 2,        /* fewer bytes than a structure needs */
    ETL_MALFORMED = 3,        /* the bytes contradict the format */
    ETL_LIMIT = 4,            /* a limit was reached, or a number is out of range */
    ETL_NOT_A_TRACE = 5,      /* the file is something else */
    ETL_EMPTY_FILE = 6,       /* the file is empty */
    ETL_NOT_FOUND = 7,        /* no such file, field, session, or name */
    ETL_IO_FAILURE = 8,       /* the operating system reported an error: etl_error_os_code */
    ETL_UNSUPPORTED = 9,      /* valid, but not supported */
    ETL_INVALID_ARGUMENT = 10, /* an invalid argument or combination of options */
    ETL_WRONG_TYPE = 11,      /* the value of a field has another type */
    ETL_NO_MEMORY = 12,       /* memory is exhausted */
    ETL_CANCELED = 13,        /* a callback, or etl_explorer_stop, ended the call */
    ETL_INTERNAL = 14         /* an unexpected error: please report it */
};

/* Returns "ok", "end", "not found", ...: static text. An unknown status returns "unknown". */
ETL_API const char *etl_status_name(etl_status status);

/* An error. Belongs to the caller. */
typedef struct etl_error etl_error;

/* Returns the message, one or several lines without a final newline, ending with a NUL. Valid as
 * long as the error. NULL returns "". */
ETL_API const char *etl_error_message(const etl_error *error);

/* Returns the status that the failed call returned. NULL returns ETL_OK. */
ETL_API etl_status etl_error_status(const etl_error *error);

/* Returns the offset in the file, in bytes, at which the error was found; 0 if not applicable. */
ETL_API uint64_t etl_error_offset(const etl_error *error);

/* Returns errno or GetLastError for ETL_IO_FAILURE; otherwise 0. */
ETL_API int etl_error_os_code(const etl_error *error);

ETL_API void etl_error_free(etl_error *error);

/* UTF-8 text without a terminating NUL. `data` is not NULL, also if `size` is 0, unless memory is
 * exhausted. */
typedef struct etl_text {
    const char *data;
    size_t size; /* in bytes */
} etl_text;

typedef struct etl_bytes {
    const void *data;
    size_t size;
} etl_bytes;

/* A GUID in the byte order of Windows: a little-endian uint32_t and two uint16_t, then 8 bytes. */
typedef struct etl_guid {
    uint8_t bytes[16];
} etl_guid;

/* Parses `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, in any case, with or without braces. Errors:
 * ETL_INVALID_ARGUMENT. Thread-safe. */
ETL_API etl_status etl_guid_parse(const char *text, etl_guid *guid, etl_error **error);

/* Writes the 36 lowercase characters and a NUL. Thread-safe. */
ETL_API void etl_guid_format(const etl_guid *guid, char text[37]);

/* Returns the GUID that TraceLogging and EventSource derive from the name of a provider.
 * Thread-safe. */
ETL_API etl_guid etl_guid_of_name(const char *provider);

/* Converts between FILETIME and nanoseconds since 1970-01-01 UTC. Times out of range become the
 * nearest value. Thread-safe. */
ETL_API int64_t etl_unix_ns(int64_t filetime);
ETL_API int64_t etl_filetime(int64_t unix_ns);

/* Returns the current time. Thread-safe. */
ETL_API int64_t etl_now(void);

/* Returns the version of the library, such as "0.1.0". Thread-safe. */
ETL_API const char *etl_version(void);

/* Traces: files, memory, or live sessions, read event by event. docs/c.md#read */

typedef struct etl_trace etl_trace;
typedef struct etl_event etl_event;
typedef struct etl_session etl_session;

/* Order of the events. Several traces require ETL_ORDER_TIME. */
enum {
    ETL_ORDER_TIME = 0,     /* by time, then processor */
    ETL_ORDER_RECORDED = 1, /* by time, except where the clock was set back */
    ETL_ORDER_FILE = 2      /* as stored */
};

/* Options of opening a trace. NULL pointers and zeros are the defaults. */
typedef struct etl_open_options {
    size_t struct_size;
    const char *where;          /* expression that events must match (docs/filters.md) */
    const char *from;           /* start of a time window: "+5s", "2010-10-29 19:10" */
    const char *to;             /* its end, exclusive */
    const char *const *schemas; /* schema files, directories, archives, or traces */
    size_t schema_count;
    const char *const *symbols; /* directories and symbol stores, with `enrich` */
    size_t symbol_count;
    const char *culture;   /* language of messages; NULL: "en-US" */
    uint32_t threads;      /* threads that read ahead; 0: one per processor; 1: the caller only */
    uint32_t order;        /* ETL_ORDER_... */
    uint32_t recursive;    /* not 0: include subdirectories of directories */
    uint32_t enrich;       /* not 0: resolve processes, images, files, and stacks, in a pass of
                              its own (docs/enrich.md) */
    uint32_t part;         /* 1 to `parts`; 0 with `parts` 0: all events */
    uint32_t parts;        /* the time of the traces is divided into as many parts; at most 1000000.
                              The events of all parts, in their order, are those of the traces.
                              Requires ETL_ORDER_TIME (docs/parts.md) */
} etl_open_options;

#define ETL_OPEN_OPTIONS_INIT                                                                      \
    { sizeof(etl_open_options), NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, 0, 0, 0, 0, 0 }

/* Opens files, archives, directories, patterns, or `-`, as `etl dump` does; several traces are
 * merged by time. Reads each trace once to collect the schemas that it contains. `options` may be
 * NULL. Fails only if no trace can be opened; etl_trace_problem lists the others. Errors:
 * ETL_NOT_FOUND, ETL_NOT_A_TRACE, ETL_EMPTY_FILE, ETL_INVALID_ARGUMENT (an option; the message of
 * an expression shows the place), ETL_IO_FAILURE. */
ETL_API etl_status etl_open(const char *const *paths, size_t count,
                            const etl_open_options *options, etl_trace **trace, etl_error **error);

/* Opens the content of a trace file, which is copied. `name` is for messages; NULL: "memory".
 * Errors: as etl_open; compressed files other than containers are rejected. */
ETL_API etl_status etl_open_memory(const void *data, size_t size, const char *name,
                                   const etl_open_options *options, etl_trace **trace,
                                   etl_error **error);

/* Invalidates the event, its fields, and all texts of the trace. */
ETL_API void etl_trace_free(etl_trace *trace);

/* Moves to the next event that matches. `*event` is valid until the next call of any function of
 * this header on this trace, and so are its fields, texts, and bytes. Returns ETL_END after the
 * last event, also in further calls. Errors: those of reading; the events before were valid;
 * ETL_INVALID_ARGUMENT (a stream of columns has read the trace: etl_trace_rewind first). */
ETL_API etl_status etl_trace_next(etl_trace *trace, etl_event **event, etl_error **error);

/* Starts over before the first event. A live session continues instead. */
ETL_API etl_status etl_trace_rewind(etl_trace *trace, etl_error **error);

/* Writes the events that match to a trace file, byte for byte, with their stacks and the context
 * events that decoding needs. The file appears when it is complete. Rewinds the trace. `count` may
 * be NULL; it receives the number of events written. Errors: ETL_UNSUPPORTED (several traces, a
 * part, or a session), ETL_INVALID_ARGUMENT (`path` is the trace, or exists and `replace` is
 * false), those of reading and writing. */
ETL_API etl_status etl_trace_save(etl_trace *trace, const char *path, bool replace,
                                  uint64_t *count, etl_error **error);

/* Ends a loop: of a live session, etl_trace_next returns the events that have arrived, then ETL_END;
 * of files, it returns ETL_END soon, also while no event matches, until etl_trace_rewind.
 * Thread-safe, until the trace is freed. */
ETL_API void etl_trace_stop(etl_trace *trace);

/* What is known about one of the traces that were opened together. */
typedef struct etl_trace_info {
    size_t struct_size;
    etl_text name;         /* the path, or `archive.zip:member.etl` */
    int64_t start_time;    /* FILETIME; 0: unknown */
    int64_t end_time;      /* FILETIME; 0: not finalized, or unknown */
    int64_t boot_time;     /* FILETIME; 0: unknown */
    uint64_t size;         /* of the decompressed trace, in bytes */
    uint64_t buffers;
    uint64_t events_lost;  /* counted by the session */
    uint64_t buffers_lost;
    uint32_t processors;   /* of the machine; 0: unknown */
    uint32_t pointer_size; /* 4 or 8 */
    uint32_t is_finalized; /* not 0: the session ended properly */
} etl_trace_info;

#define ETL_TRACE_INFO_INIT                                                                        \
    { sizeof(etl_trace_info), {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Returns the number of traces; at least 1. */
ETL_API size_t etl_trace_count(const etl_trace *trace);

/* Fills `info`, whose texts are valid until the trace is rewound or freed. Errors: ETL_NOT_FOUND
 * (`index`), ETL_INVALID_ARGUMENT (`struct_size`). */
ETL_API etl_status etl_trace_info_of(etl_trace *trace, size_t index, etl_trace_info *info,
                                     etl_error **error);

/* Messages about a trace: inputs that could not be opened or only in part (problems); schemas that
 * were rejected and, after the last event, names in `where` that no event has (remarks); damage
 * (findings: the first 1000 of this walk). The count functions update the list; its texts are valid
 * until the next call of the same count function. */
ETL_API size_t etl_trace_problem_count(etl_trace *trace);
ETL_API etl_text etl_trace_problem(const etl_trace *trace, size_t index);
ETL_API size_t etl_trace_remark_count(etl_trace *trace);
ETL_API etl_text etl_trace_remark(const etl_trace *trace, size_t index);
ETL_API size_t etl_trace_finding_count(etl_trace *trace);
ETL_API etl_text etl_trace_finding(const etl_trace *trace, size_t index);

/* Returns the number of all findings of this walk, including those that were not kept. */
ETL_API uint64_t etl_trace_all_findings(const etl_trace *trace);

/* Events: header, names, message, JSON, payload, and stack. docs/c.md#events
 *
 * An event is valid until its trace moves. The first call that needs the schema looks it up; the
 * first call that needs fields walks the payload. */

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

/* Fields: values, arrays, and structures of an event. docs/c.md#fields
 *
 *     for (etl_field field = etl_event_fields(event); field.node != NULL;
 *          field = etl_field_next(field)) {
 *         etl_text name = etl_field_name(field), text = etl_field_text(field);
 *     }
 *
 * A field is a position that is copied freely and valid as long as its event. A missing field has
 * node NULL; it has no name, text, or members, so that calls can be chained. */

/* Only `node` may be used, to compare it with NULL. */
typedef struct etl_field {
    etl_event *event;
    const void *node;
    const void *end;
} etl_field;

/* Types of fields. Later versions may add types; treat unknown ones as ETL_TYPE_TEXT. */
enum {
    ETL_TYPE_MISSING = 0, /* the event has no such field */
    ETL_TYPE_NULL = 1,    /* a field without a value */
    ETL_TYPE_BOOL = 2,
    ETL_TYPE_UNSIGNED = 3,
    ETL_TYPE_SIGNED = 4,
    ETL_TYPE_DOUBLE = 5,
    ETL_TYPE_TEXT = 6,
    ETL_TYPE_GUID = 7,
    ETL_TYPE_TIME = 8, /* FILETIME */
    ETL_TYPE_BYTES = 9,
    ETL_TYPE_ADDRESS = 10, /* IPv4, IPv6, socket, or MAC address, as text */
    ETL_TYPE_SID = 11,     /* as text */
    ETL_TYPE_ARRAY = 12,
    ETL_TYPE_STRUCT = 13
};

/* A value. `type` selects the member of `as`. */
typedef struct etl_value {
    uint32_t type;
    union {
        bool boolean;
        uint64_t number;    /* ETL_TYPE_UNSIGNED */
        int64_t integer;    /* ETL_TYPE_SIGNED */
        double floating;    /* ETL_TYPE_DOUBLE */
        int64_t time;       /* ETL_TYPE_TIME */
        etl_text text;      /* ETL_TYPE_TEXT, ETL_TYPE_ADDRESS, ETL_TYPE_SID */
        etl_bytes bytes;    /* ETL_TYPE_BYTES */
        etl_guid guid;      /* ETL_TYPE_GUID */
        size_t count;       /* ETL_TYPE_ARRAY, ETL_TYPE_STRUCT: elements or members */
    } as;
} etl_value;

/* Returns the first field of an event, in payload order; missing if there is none. */
ETL_API etl_field etl_event_fields(etl_event *event);

/* Returns the first top-level field with this name. */
ETL_API etl_field etl_event_field(etl_event *event, const char *name);

/* Returns the field, element, or member after this one; missing after the last. */
ETL_API etl_field etl_field_next(etl_field field);

/* Returns the first element of an array or member of a structure; missing if there is none. */
ETL_API etl_field etl_field_first(etl_field field);

/* Returns an element or member by its index. Constant time in arrays of values. */
ETL_API etl_field etl_field_at(etl_field field, size_t index);

/* Returns the first member of a structure with this name. */
ETL_API etl_field etl_field_member(etl_field field, const char *name);

/* Returns the number of elements or members; 0 for a value. */
ETL_API size_t etl_field_size(etl_field field);

/* Returns the name in the schema. An element has the name of its array. */
ETL_API etl_text etl_field_name(etl_field field);

/* Returns ETL_TYPE_... */
ETL_API uint32_t etl_field_type(etl_field field);

/* Returns the value as Windows displays it, with names of enumerations; arrays as `[a, b]`,
 * structures as `{name=a, name=b}`. */
ETL_API etl_text etl_field_text(etl_field field);

/* Returns the value. Errors: ETL_NOT_FOUND (missing). */
ETL_API etl_status etl_field_value(etl_field field, etl_value *value, etl_error **error);

/* Convert the value. Integers, Booleans, ports, and characters convert to integers; floating-point
 * numbers and all of these to double. Errors: ETL_NOT_FOUND (missing), ETL_WRONG_TYPE (the message
 * is `Drink: expected an integer, found text`), ETL_LIMIT (out of range). */
ETL_API etl_status etl_field_unsigned(etl_field field, uint64_t *value, etl_error **error);
ETL_API etl_status etl_field_signed(etl_field field, int64_t *value, etl_error **error);
ETL_API etl_status etl_field_double(etl_field field, double *value, etl_error **error);
ETL_API etl_status etl_field_guid(etl_field field, etl_guid *value, etl_error **error);
/* FILETIME, from FILETIME, SYSTEMTIME, and ticks of the session's clock. */
ETL_API etl_status etl_field_time(etl_field field, int64_t *value, etl_error **error);
/* The bytes of a value, as stored. */
ETL_API etl_status etl_field_bytes(etl_field field, etl_bytes *value, etl_error **error);

/* Columns: events as batches of typed columns in the C data interface of Apache Arrow.
 * docs/c.md#columns
 *
 * The three structures are those of the specification "The Arrow C data interface" and "The Arrow C
 * stream interface" (arrow.apache.org), which many libraries consume. They need no library. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

typedef struct etl_columns_options {
    size_t struct_size;
    const char *provider; /* name, glob, or GUID of the provider; NULL: all */
    const char *event;    /* name, glob, or number of the event; NULL: all */
    uint64_t rows;        /* of a batch; 0: 65536; a batch of large values may have fewer */
    uint32_t details;     /* not 0: more of the header than time, IDs, and names, see below */
    uint32_t required;    /* not 0: names that no event has are an error, see below */
    uint32_t messages;    /* not 0: a column `message`, null without one */
    uint32_t structures;  /* not 0: arrays of structures are lists of structures, see below */
} etl_columns_options;

#define ETL_COLUMNS_OPTIONS_INIT                                                                   \
    { sizeof(etl_columns_options), NULL, NULL, 0, 0, 0, 0, 0 }

/* Reads the events of a trace that match its options and these as a stream of batches. Reads the
 * trace once to find the columns; each batch reads further. The columns are the origin of each
 * event (time, pid, tid, cpu, provider, event) and its fields, also of several kinds of events: a
 * row has null where its event has no such field. With `details`, further columns follow the first
 * six: file, provider_guid, id, version, channel, level, opcode, task, keyword, activity_id,
 * related_activity_id, source, decode_error, decode_note, and payload (of an event without a
 * schema, or that contradicts it); names of columns then differ even if case is ignored. With
 * `messages`, the column `message` follows these: the text of etl_event_message.
 *
 * | value | Arrow format |
 * |---|---|
 * | integers | c C s S i I l L, by width and sign |
 * | Boolean; float, double | b; f, g |
 * | time | tsn:UTC; null if nanoseconds cannot represent it |
 * | GUID | w:16, in the order of its text, as extension arrow.uuid |
 * | text, address, SID | u |
 * | binary | z |
 * | array | +l of these; members of an array of structures are a list each |
 * | structure | its members, as `Block.From` |
 * | array in an array | u: the text of etl_field_text |
 * | provider, event, file, source, decode_error, decode_note | i with a dictionary of u |
 *
 * With `structures`, an array of structures is one column, +l of +s, whose members are the columns
 * above; members that an element lacks are null.
 *
 * Fields of one name and different types get the narrowest type that holds both, otherwise text.
 *
 * The stream must not be released after the trace is freed; arrays and schemas live on their own.
 * If another function reads the trace before the end of the stream, the next batch is an error.
 * `options` may be NULL.
 * Errors: ETL_UNSUPPORTED (a live session), ETL_INVALID_ARGUMENT (an option), ETL_NOT_FOUND
 * (`required`, and no event has the name `provider` or `event`; only if the trace was opened without
 * `where`, a time window, or `part`), those of reading. */
ETL_API etl_status etl_trace_columns(etl_trace *trace, const etl_columns_options *options,
                                     struct ArrowArrayStream *stream, etl_error **error);

/* Writing: trace files with events of the program's own. docs/c.md#write
 *
 *     etl_builder_add_text(builder, "Drink", "espresso");
 *     etl_writer_add_event(writer, builder, NULL, &error);
 */

/* ---- TraceLogging events, which describe their own fields ---- */

typedef struct etl_builder etl_builder;

/* Properties of an event other than its fields. */
typedef struct etl_builder_options {
    size_t struct_size;
    const etl_guid *guid;  /* of the provider; NULL: derived from its name */
    const etl_guid *group; /* provider group; NULL: none */
    uint64_t keyword;
    uint16_t id;
    uint16_t task;
    uint8_t version;
    uint8_t level; /* 0: 5, verbose */
    uint8_t opcode;
    uint8_t reserved;
} etl_builder_options;

#define ETL_BUILDER_OPTIONS_INIT                                                                   \
    { sizeof(etl_builder_options), NULL, NULL, 0, 0, 0, 0, 0, 0, 0 }

/* Creates an event without fields. `options` may be NULL. Errors: ETL_INVALID_ARGUMENT (no name). */
ETL_API etl_status etl_builder_create(const char *provider, const char *event,
                                      const etl_builder_options *options, etl_builder **builder,
                                      etl_error **error);
ETL_API void etl_builder_free(etl_builder *builder);

/* Removes all fields. */
ETL_API void etl_builder_clear(etl_builder *builder);

/* Append a field. Values are copied. `bytes` is the size of the stored integer: 1, 2, 4, or 8; an
 * integer out of its range is an error. What went wrong (memory, a size, more than 127 members) is
 * reported when the event is written. */
ETL_API void etl_builder_add_bool(etl_builder *builder, const char *name, bool value);
ETL_API void etl_builder_add_signed(etl_builder *builder, const char *name, int64_t value,
                                    unsigned bytes);
ETL_API void etl_builder_add_unsigned(etl_builder *builder, const char *name, uint64_t value,
                                      unsigned bytes);
ETL_API void etl_builder_add_double(etl_builder *builder, const char *name, double value);
ETL_API void etl_builder_add_text(etl_builder *builder, const char *name, const char *value);
ETL_API void etl_builder_add_bytes(etl_builder *builder, const char *name, const void *data,
                                   size_t size);
ETL_API void etl_builder_add_guid(etl_builder *builder, const char *name, const etl_guid *value);
/* FILETIME. */
ETL_API void etl_builder_add_time(etl_builder *builder, const char *name, int64_t value);
ETL_API void etl_builder_add_pointer(etl_builder *builder, const char *name, uint64_t value);

/* Append an array. */
ETL_API void etl_builder_add_signed_array(etl_builder *builder, const char *name,
                                          const int64_t *values, size_t count, unsigned bytes);
ETL_API void etl_builder_add_unsigned_array(etl_builder *builder, const char *name,
                                            const uint64_t *values, size_t count, unsigned bytes);
ETL_API void etl_builder_add_double_array(etl_builder *builder, const char *name,
                                          const double *values, size_t count);
ETL_API void etl_builder_add_text_array(etl_builder *builder, const char *name,
                                        const char *const *values, size_t count);
ETL_API void etl_builder_add_bool_array(etl_builder *builder, const char *name, const bool *values,
                                        size_t count);
ETL_API void etl_builder_add_guid_array(etl_builder *builder, const char *name,
                                        const etl_guid *values, size_t count);
/* FILETIMEs. */
ETL_API void etl_builder_add_time_array(etl_builder *builder, const char *name,
                                        const int64_t *values, size_t count);

/* Fields added between these two calls are members of a structure. */
ETL_API void etl_builder_begin_struct(etl_builder *builder, const char *name);
ETL_API void etl_builder_end_struct(etl_builder *builder);

/* The structures added between this call and an etl_builder_end_struct of its own are the elements
 * of an array, 1 to 65,535. Their names are not used; all have the same members with the same types,
 * which is checked when the event is written. */
ETL_API void etl_builder_begin_struct_array(etl_builder *builder, const char *name);

/* ---- Records ---- */

/* An event as a record. For self-describing events, only `time`, the IDs, the processor, and the
 * activity are used. */
typedef struct etl_record {
    size_t struct_size;
    int64_t time; /* FILETIME; 0: now */
    uint64_t keyword;
    etl_guid provider;
    etl_guid activity;
    const void *payload;
    size_t payload_size;
    uint32_t process_id;
    uint32_t thread_id;
    uint16_t id;
    uint16_t task;
    uint16_t processor;
    uint8_t version;
    uint8_t channel;
    uint8_t level;
    uint8_t opcode;
    uint16_t reserved;
} etl_record;

#define ETL_RECORD_INIT                                                                            \
    {                                                                                              \
        sizeof(etl_record), 0, 0, {{0}}, {{0}}, NULL, 0, ETL_NO_ID, ETL_NO_ID, 0, 0, 0, 0, 0, 0,    \
            0, 0                                                                                   \
    }

/* ---- Files ---- */

typedef struct etl_writer etl_writer;

/* Compression of buffers in the format of Windows. */
enum {
    ETL_COMPRESSION_NONE = 0,
    ETL_COMPRESSION_XPRESS = 1,
    ETL_COMPRESSION_XPRESS_HUFFMAN = 2,
    ETL_COMPRESSION_LZNT1 = 3
};

typedef struct etl_writer_options {
    size_t struct_size;
    int64_t start_time;   /* FILETIME at which the trace begins; 0: now */
    uint32_t processors;  /* of the machine; 0: 1 */
    uint32_t buffer_size; /* bytes, a multiple of 512, 1 KB to 16 MB; 0: 64 KB */
    uint32_t compression; /* ETL_COMPRESSION_... */
    uint32_t replace;     /* not 0: replace an existing file */
} etl_writer_options;

#define ETL_WRITER_OPTIONS_INIT                                                                    \
    { sizeof(etl_writer_options), 0, 0, 0, 0, 0 }

/* Creates a trace file, whose timestamps are system time. It is readable at any time, also if the
 * program ends early. `options` may be NULL. Errors: ETL_INVALID_ARGUMENT (an option, or the file
 * exists), ETL_NOT_FOUND (the directory), ETL_IO_FAILURE. */
ETL_API etl_status etl_writer_create(const char *path, const etl_writer_options *options,
                                     etl_writer **writer, etl_error **error);

/* Appends a record. Errors: ETL_LIMIT (larger than a buffer, or an invalid processor),
 * ETL_INVALID_ARGUMENT. A buffer that cannot be written is an error of etl_writer_close. */
ETL_API etl_status etl_writer_add(etl_writer *writer, const etl_record *record, etl_error **error);

/* Appends a self-describing event; the builder is unchanged. `context` may be NULL. Errors: as
 * above, and those of building the event. */
ETL_API etl_status etl_writer_add_event(etl_writer *writer, etl_builder *builder,
                                        const etl_record *context, etl_error **error);

/* Writes all buffers to the file. Errors: ETL_IO_FAILURE. */
ETL_API etl_status etl_writer_flush(etl_writer *writer, etl_error **error);

/* Completes the file; further records are lost. Errors: what could not be written. */
ETL_API etl_status etl_writer_close(etl_writer *writer, etl_error **error);

/* Returns the number of records written so far. */
ETL_API uint64_t etl_writer_count(const etl_writer *writer);

/* Without etl_writer_close before, the file is left as after a crash: not finalized, yet readable. */
ETL_API void etl_writer_free(etl_writer *writer);

/* Relogging: a trace rewritten, with a function that decides about each event. docs/c.md#relog */

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

/* Sessions: tracing of the program itself, and of the machine. docs/c.md#sessions */

/* The state of tracing in a process. Usually one, which exists as long as the program writes
 * events. All functions of this section that take a runtime, session, or registration are
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

/* Sessions of the machine, which record programs that are already running. docs/machine-sessions.md
 */

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

/* Tables computed from traces: processor time, waits, I/O, and others. docs/analysis.md */

typedef struct etl_table etl_table;

typedef struct etl_table_options {
    size_t struct_size;
    const char *by;               /* what rows are: "process", "module"; NULL: the default */
    const char *where;            /* expression that events must match */
    const char *from;             /* start of a time window */
    const char *to;               /* its end, exclusive */
    const char *const *processes; /* names, globs, and IDs, as for --process */
    size_t process_count;
    const char *const *schemas;
    size_t schema_count;
    const char *const *symbols;
    size_t symbol_count;
    uint32_t threads; /* that collect facts; 0: one per processor */
    uint32_t slices;  /* of a timeline; 0: 60 */
} etl_table_options;

#define ETL_TABLE_OPTIONS_INIT                                                                     \
    { sizeof(etl_table_options), NULL, NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, 0, 0 }

/* Computes the table `name` ("cpu", "disk", ...) of traces; those of several traces are added.
 * `options` may be NULL. Errors: ETL_NOT_FOUND (no such table or trace), ETL_INVALID_ARGUMENT (an
 * option), those of opening and reading. */
ETL_API etl_status etl_table_create(const char *name, const char *const *paths, size_t count,
                                    const etl_table_options *options, etl_table **table,
                                    etl_error **error);
ETL_API void etl_table_free(etl_table *table);

/* What the numbers of a column mean. */
enum {
    ETL_UNIT_TEXT = 0,
    ETL_UNIT_ID = 1, /* a process, thread, or processor: not summed */
    ETL_UNIT_COUNT = 2,
    ETL_UNIT_BYTES = 3,
    ETL_UNIT_NANOSECONDS = 4,
    ETL_UNIT_HUNDREDTHS = 5, /* 1234 is 12.34 */
    ETL_UNIT_SIGNED_HUNDREDTHS = 6,
    ETL_UNIT_TIME = 7, /* FILETIME */
    ETL_UNIT_ADDRESS = 8,
    ETL_UNIT_HISTOGRAM = 9 /* list of counts */
};

typedef struct etl_column {
    size_t struct_size;
    etl_text name;
    uint32_t unit;      /* ETL_UNIT_... */
    uint32_t is_key;    /* not 0: identifies the row */
    uint32_t is_hidden; /* not 0: part of the total only */
    uint32_t reserved;
} etl_column;

#define ETL_COLUMN_INIT                                                                            \
    { sizeof(etl_column), {NULL, 0}, 0, 0, 0, 0 }

enum { ETL_CELL_NULL = 0, ETL_CELL_NUMBER = 1, ETL_CELL_TEXT = 2, ETL_CELL_LIST = 3 };

/* A value of a table. Views are valid as long as the table. */
typedef struct etl_cell {
    uint32_t type;         /* ETL_CELL_...; null: not recorded */
    uint32_t reserved;
    uint64_t number;       /* ETL_UNIT_SIGNED_HUNDREDTHS: an int64_t */
    etl_text text;
    const uint64_t *list;
    size_t list_size;
} etl_cell;

ETL_API size_t etl_table_column_count(const etl_table *table);
ETL_API size_t etl_table_row_count(const etl_table *table);

/* Errors: ETL_NOT_FOUND (`index`), ETL_INVALID_ARGUMENT (`struct_size`). */
ETL_API etl_status etl_table_column(const etl_table *table, size_t index, etl_column *column,
                                    etl_error **error);

/* Return a cell of a row, or of the total; null beyond the table. */
ETL_API etl_cell etl_table_cell(const etl_table *table, size_t row, size_t column);
ETL_API etl_cell etl_table_total(const etl_table *table, size_t column);

/* Lines about what is missing: events that the trace does not contain and how to record them, lost
 * events, rejected schemas, damage of traces and event logs (of more than 1000 findings the first,
 * and their number). */
ETL_API size_t etl_table_remark_count(const etl_table *table);
ETL_API etl_text etl_table_remark(const etl_table *table, size_t index);

/* Return the names of all tables and what their rows can be (empty: one form); the first `by` of a
 * name is its default. Static texts; empty beyond the last. Thread-safe. */
ETL_API size_t etl_table_kind_count(void);
ETL_API etl_text etl_table_kind_name(size_t index);
ETL_API etl_text etl_table_kind_by(size_t index);

/* Questions about moments of traces, which stay open, and of which what was found out is kept.
 * docs/explore.md */

/* Opened traces. Several threads may ask at a time. */
typedef struct etl_explorer etl_explorer;

typedef struct etl_explorer_options {
    size_t struct_size;
    const char *const *schemas;
    size_t schema_count;
    const char *const *symbols;
    size_t symbol_count;
    uint32_t threads;   /* of each question; 0: one per processor */
    uint32_t recursive; /* not 0: include subdirectories */
} etl_explorer_options;

#define ETL_EXPLORER_OPTIONS_INIT                                                                  \
    { sizeof(etl_explorer_options), NULL, 0, NULL, 0, 0, 0 }

/* Opens traces. `options` may be NULL. Errors: those of opening, if none can be opened;
 * ETL_INVALID_ARGUMENT (an option). */
ETL_API etl_status etl_explorer_open(const char *const *paths, size_t count,
                                     const etl_explorer_options *options, etl_explorer **explorer,
                                     etl_error **error);
/* No question may be under way. */
ETL_API void etl_explorer_free(etl_explorer *explorer);

/* Not 0: all traces have an index (`etl index`): questions about moments cost their share. */
ETL_API int etl_explorer_is_indexed(const etl_explorer *explorer);

/* What is asked of which events. Each question says which members it has, besides those of all. */
typedef struct etl_question {
    size_t struct_size;
    uint64_t number; /* for etl_explorer_stop */
    /* Which events. */
    const char *from;  /* start of a time window */
    const char *to;    /* its end, exclusive */
    const char *where; /* expression that events must match */
    const char *const *processes;
    size_t process_count;
    /* Which rows of the answer. */
    uint64_t first_row;
    uint64_t row_count; /* at most 100000; 0: 100 */
    /* Of tables. */
    const char *by;              /* what rows are; NULL: the default */
    const char *sort;            /* a column; NULL: the order of the verb */
    const char *source;          /* of hardware counters; NULL: all */
    uint32_t reverse;            /* not 0: in the other order than that of `sort` */
    uint32_t slices;             /* 0: 60 */
    uint32_t per_kind;           /* of "slowest"; 0: 20 */
    uint32_t without_interrupts; /* not 0: not part of running time */
    /* Of flame graphs. */
    double smallest_share;  /* of the weight, 0 to 1: smaller frames are merged */
    uint32_t largest_depth; /* 0: no limit */
    uint32_t frames;        /* at most; 0: 100000 */
    /* Of tracks. */
    uint32_t columns;                /* of the picture; 0: 1000 */
    const char *const *track_kinds; /* "thread", "disk", ... */
    size_t track_kind_count;        /* 0: all */
    /* Of flame graphs: patterns of frames (docs/flame.md#patterns). */
    const char *grouping;
    const char *folding;
    const char *include;
    const char *exclude;
    const char *focus;   /* a frame: what it called; with `inverted`, who called it */
    double fold_percent; /* of the weight, 0 to 100: smaller frames become part of their callers */
    uint32_t inverted;   /* not 0: functions first, then who called them */
} etl_question;

#define ETL_QUESTION_INIT                                                                          \
    { sizeof(etl_question), 0, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0, 0.0, \
      0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0.0, 0 }

#define ETL_UNKNOWN_ROWS UINT64_MAX

/* Which rows a table has, of how many. */
typedef struct etl_page {
    size_t struct_size;
    uint64_t first_row;
    uint64_t rows;     /* of all pages; ETL_UNKNOWN_ROWS: not known yet */
    uint64_t next_row; /* of events: the one that follows; ETL_UNKNOWN_ROWS: there is none */
} etl_page;

#define ETL_PAGE_INIT                                                                              \
    { sizeof(etl_page), 0, 0, 0 }

/* In all of these, `question` and `page` may be NULL; the table belongs to the caller. Errors:
 * ETL_INVALID_ARGUMENT (a member, which the message names), those of reading, ETL_CANCELED
 * (etl_explorer_stop). */

/* The table `name`. Errors: ETL_NOT_FOUND (the table, or `sort`). */
ETL_API etl_status etl_explorer_table(etl_explorer *explorer, const char *name,
                                      const etl_question *question, etl_table **table,
                                      etl_page *page, etl_error **error);

/* The tree of `etl flame --kind KIND`; NULL: "cpu". Each row is a frame, after those that called
 * it, with its depth (from 0), module, function, kind, weight (with what it called), own weight,
 * count of events, of `(smaller ones)`, the number of frames that it stands for, and, of its own
 * weight, that of frames that were folded. */
ETL_API etl_status etl_explorer_flame(etl_explorer *explorer, const char *kind,
                                      const etl_question *question, etl_table **table,
                                      etl_page *page, etl_error **error);

/* What tracks did over time, for a picture: all rows of `etl tracks`, whatever `first_row` and
 * `row_count` are, without a total. With levels of detail in the index, any window costs about the
 * same. Of `question`, the members that choose events, and those of tracks count. */
ETL_API etl_status etl_explorer_lod(etl_explorer *explorer, const etl_question *question,
                                    etl_table **table, etl_page *page, etl_error **error);

/* Events in the order of `etl dump`: row, time, cpu, pid, tid, process, provider, event, level,
 * text, input, buffer, offset. */
ETL_API etl_status etl_explorer_events(etl_explorer *explorer, const etl_question *question,
                                       etl_table **table, etl_page *page, etl_error **error);

/* Events whose names, values, or message contain a text, without regard to case, from the row
 * `first_row` of etl_explorer_events on. */
ETL_API etl_status etl_explorer_search(etl_explorer *explorer, const char *text,
                                       const etl_question *question, etl_table **table,
                                       etl_page *page, etl_error **error);

/* Why a thread waited at a time (NULL: from the start): the wait, what the thread that ended it did
 * meanwhile, and so on. With `from` or `to` of the question instead of `at`: what the thread did in
 * this window, and instead of each wait what the thread that ended it did, without gaps. A row for
 * each step: process, pid, tid, state (running, ready, waiting, unknown, cycle), begin, end,
 * duration_ns, reason, waker (thread, idle, DPC, timer, disk, network, interrupt, unknown),
 * waker_pid, waker_tid, what (the routine, or the file). Other members of `question` but `number`
 * do not count. Errors: ETL_UNSUPPORTED (a trace of several machines or boots). */
ETL_API etl_status etl_explorer_follow(etl_explorer *explorer, uint32_t input, uint32_t tid,
                                       const char *at, const etl_question *question,
                                       etl_table **table, etl_page *page, etl_error **error);

/* One event, with all that is known of it. */
typedef struct etl_event_detail etl_event_detail;

/* The event with this input, buffer, and offset, the columns of etl_explorer_events. `number` is
 * that of the question. Errors: ETL_NOT_FOUND (no event is there). */
ETL_API etl_status etl_explorer_event(etl_explorer *explorer, uint32_t input, uint64_t buffer,
                                      uint32_t offset, uint64_t number, etl_event_detail **detail,
                                      etl_error **error);
ETL_API void etl_event_detail_free(etl_event_detail *detail);

/* Views that are valid as long as `detail`: the line of `etl dump --format jsonl --enrich`; a table
 * of fields (field, value, and the offset and size of its bytes in the payload) and one of the
 * stack (address, frame; innermost first); and the bytes of the record. */
ETL_API etl_text etl_event_detail_json(const etl_event_detail *detail);
ETL_API const etl_table *etl_event_detail_fields(const etl_event_detail *detail);
ETL_API const etl_table *etl_event_detail_stack(const etl_event_detail *detail);
ETL_API etl_bytes etl_event_detail_header(const etl_event_detail *detail);
ETL_API etl_bytes etl_event_detail_payload(const etl_event_detail *detail);

/* Returns the offset of the record in the decompressed trace. */
ETL_API uint64_t etl_event_detail_file_offset(const etl_event_detail *detail);

/* Ends the questions with this number that are under way, soon, with ETL_CANCELED; 0: all of them.
 * Any thread. */
ETL_API void etl_explorer_stop(etl_explorer *explorer, uint64_t number);

/* Packets of captures. docs/packets.md */

/* Which packets of traces are read; the defaults are all. */
enum { ETL_DROPS_WITH = 0, ETL_DROPS_ONLY = 1, ETL_DROPS_WITHOUT = 2 };

typedef struct etl_packet_options {
    size_t struct_size;
    const char *where;             /* expression that the events of packets must match */
    const char *from;              /* start of a time window */
    const char *to;                /* its end, exclusive */
    const char *const *components; /* IDs, names, or globs of components and interfaces */
    size_t component_count;        /* 0: all */
    const char *const *schemas;
    size_t schema_count;
    uint64_t skip;          /* of the packets that are chosen otherwise */
    uint64_t limit;         /* of them; 0: none */
    uint32_t drops;         /* ETL_DROPS_... */
    uint32_t adapters_only; /* not 0: seen at network adapters, each packet once */
    uint32_t threads;       /* 0: one per processor */
    uint32_t replace;       /* not 0: etl_write_capture replaces a file, but never an input */
} etl_packet_options;

#define ETL_PACKET_OPTIONS_INIT                                                                    \
    { sizeof(etl_packet_options), NULL, NULL, NULL, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0 }

/* Return the packets, or the conversations, of traces as a table, whose columns are those of
 * `etl packets` and `etl flows`. `options` may be NULL. Errors: as etl_table_create. */
ETL_API etl_status etl_packets_create(const char *const *paths, size_t count,
                                      const etl_packet_options *options, etl_table **table,
                                      etl_error **error);
ETL_API etl_status etl_flows_create(const char *const *paths, size_t count,
                                    const etl_packet_options *options, etl_table **table,
                                    etl_error **error);

/* Trace files made of others, in one call each. docs/c.md#rewrite
 *
 * Outputs appear when they are complete; after an error there is none. They never replace an input.
 * New files are not readable by more users than the inputs.
 * Inputs are files, archives, directories, or patterns. `options` and `report` may be NULL. */

/* How inputs are read, and outputs written. */
typedef struct etl_file_options {
    size_t struct_size;
    const char *const *schemas;
    size_t schema_count;
    uint32_t threads;     /* 0: one per processor */
    uint32_t recursive;   /* not 0: include subdirectories of directories */
    uint32_t replace;     /* not 0: replace outputs that exist */
    uint32_t buffer_size; /* bytes; 0: that of the inputs */
    uint32_t compression; /* ETL_COMPRESSION_..., of buffers; `.etl.zst` and `.etl.lz4` are
                             compressed as files */
    uint32_t reserved;
} etl_file_options;

#define ETL_FILE_OPTIONS_INIT                                                                      \
    { sizeof(etl_file_options), NULL, 0, 0, 0, 0, 0, 0, 0 }

/* What was written. Belongs to the caller. */
typedef struct etl_report etl_report;

typedef struct etl_report_counts {
    size_t struct_size;
    uint64_t events;             /* written, in all outputs */
    uint64_t bytes;              /* of all outputs */
    uint64_t events_lost;        /* too large for a buffer */
    uint64_t findings;           /* damage in the inputs */
    uint64_t repeated_context;   /* merge: duplicate context events that were omitted */
    uint64_t embedded_schemas;   /* merge */
    uint64_t losses;             /* repair: places where something is missing or damaged */
    uint64_t missing_buffers;    /* repair */
    uint64_t session_events_lost;  /* repair: during recording */
    uint64_t session_buffers_lost; /* repair */
    uint64_t changed_events;     /* anonymize */
    uint64_t changed_values;     /* anonymize */
    uint64_t undecodable_events; /* anonymize: dropped, kept, or cleared */
    uint32_t are_losses_known;   /* repair: 0: the session can have lost more */
    uint32_t is_complete;        /* repair: not 0: nothing is missing or damaged */
    uint64_t packets;            /* etl_write_capture */
} etl_report_counts;

#define ETL_REPORT_COUNTS_INIT                                                                     \
    { sizeof(etl_report_counts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* A part of a trace that was split. Texts are valid as long as the report. */
typedef struct etl_split_part {
    size_t struct_size;
    etl_text path;
    etl_text key;     /* what its events have in common, as `etl split` prints it; empty: context */
    uint64_t events;  /* without context */
    uint64_t context; /* events that other parts contain or need as well */
    uint64_t bytes;
} etl_split_part;

#define ETL_SPLIT_PART_INIT                                                                        \
    { sizeof(etl_split_part), {NULL, 0}, {NULL, 0}, 0, 0, 0 }

ETL_API void etl_report_free(etl_report *report);

/* Errors: ETL_INVALID_ARGUMENT (`struct_size`). */
ETL_API etl_status etl_report_get_counts(const etl_report *report, etl_report_counts *counts,
                                         etl_error **error);

/* One line for each problem: inputs read in part, rejected schemas, damage (the first 1000), what
 * was lost, filters that match nothing, corrections to the header. Empty beyond the last. */
ETL_API size_t etl_report_remark_count(const etl_report *report);
ETL_API etl_text etl_report_remark(const etl_report *report, size_t index);

/* Parts of a split, in the order of their numbers; 0 after other calls. Errors: ETL_NOT_FOUND
 * (`index`), ETL_INVALID_ARGUMENT (`struct_size`). */
ETL_API size_t etl_report_part_count(const etl_report *report);
ETL_API etl_status etl_report_part(const etl_report *report, size_t index, etl_split_part *part,
                                   etl_error **error);

enum { ETL_ALIGN_NONE = 0, ETL_ALIGN_START = 1, ETL_ALIGN_FIRST_EVENT = 2 };

typedef struct etl_merge_options {
    size_t struct_size;
    const etl_file_options *files;    /* NULL: the defaults */
    const char *const *offset_inputs; /* paths or file names of inputs that are shifted */
    const int64_t *offsets;           /* by as much, in units of 100 ns */
    size_t offset_count;
    uint32_t restamp;       /* not 0: convert timestamps to system time, for traces of different
                               boots, machines, or clocks; implied by `align` and offsets */
    uint32_t align;         /* ETL_ALIGN_...: of each trace with the first one */
    uint32_t tag_sources;   /* not 0: record the origin of events (docs/merge.md) */
    uint32_t embed_schemas; /* not 0: as a merge on Windows does */
} etl_merge_options;

#define ETL_MERGE_OPTIONS_INIT                                                                     \
    { sizeof(etl_merge_options), NULL, NULL, NULL, 0, 0, 0, 0, 0 }

/* Merges traces by time, as `etl merge` does. Every input must be readable, be it in part. Errors:
 * ETL_UNSUPPORTED (traces of different boots, machines, or clocks without `restamp`),
 * ETL_INVALID_ARGUMENT (`output`, an option), ETL_NOT_FOUND (an input), those of reading and
 * writing. */
ETL_API etl_status etl_merge(const char *const *paths, size_t count, const char *output,
                             const etl_merge_options *options, etl_report **report,
                             etl_error **error);

enum {
    ETL_SPLIT_BY_SIZE = 0,
    ETL_SPLIT_BY_TIME = 1,
    ETL_SPLIT_BY_COUNT = 2,
    ETL_SPLIT_BY_PROVIDER = 3,
    ETL_SPLIT_BY_PROCESS = 4,
    ETL_SPLIT_BY_PROCESSOR = 5
};

/* Where context events, which the events of all parts need, are written. */
enum {
    ETL_SPLIT_CONTEXT_COPIED = 0, /* to every part */
    ETL_SPLIT_CONTEXT_SHARED = 1, /* to part 0 */
    ETL_SPLIT_CONTEXT_NONE = 2    /* to the part that they belong to */
};

typedef struct etl_split_options {
    size_t struct_size;
    const etl_file_options *files;
    const char *where; /* expression that events must match */
    const char *from;  /* start of a time window */
    const char *to;    /* its end, exclusive */
    uint64_t limit;    /* of a part: bytes of records, units of 100 ns, or events; required for
                          size, time, and count */
    uint32_t by;       /* ETL_SPLIT_BY_... */
    uint32_t context;  /* ETL_SPLIT_CONTEXT_... */
} etl_split_options;

#define ETL_SPLIT_OPTIONS_INIT                                                                     \
    { sizeof(etl_split_options), NULL, NULL, NULL, NULL, 0, 0, 0 }

/* Splits a trace, as `etl split` does. `pattern` is a path with `%d` for the number of the part.
 * Errors: ETL_INVALID_ARGUMENT (`pattern`, a part, an option), ETL_UNSUPPORTED (several traces),
 * ETL_LIMIT (too many parts), those of reading and writing. */
ETL_API etl_status etl_split(const char *path, const char *pattern,
                             const etl_split_options *options, etl_report **report,
                             etl_error **error);

typedef struct etl_repair_options {
    size_t struct_size;
    const etl_file_options *files; /* buffers keep their size */
    const char *header_from;       /* another trace of the same session, whose header is used */
    const char *live_buffers;      /* of a killed session; NULL: `path`.buffers, if it exists */
    uint32_t accept_any_header;    /* not 0: also that of another boot or clock */
    uint32_t reserved;
} etl_repair_options;

#define ETL_REPAIR_OPTIONS_INIT                                                                    \
    { sizeof(etl_repair_options), NULL, NULL, NULL, 0, 0 }

/* Recovers the intact records of a trace into a valid one, as `etl repair` does. Remarks list the
 * losses. Errors: ETL_INVALID_ARGUMENT (`output`; a header of another session), ETL_UNSUPPORTED
 * (several traces), those of reading and writing. */
ETL_API etl_status etl_repair(const char *path, const char *output,
                              const etl_repair_options *options, etl_report **report,
                              etl_error **error);

/* What happens to events that cannot be decoded, and can contain any data. */
enum {
    ETL_UNDECODABLE_REFUSE = 0,
    ETL_UNDECODABLE_DROP = 1,
    ETL_UNDECODABLE_KEEP = 2,
    ETL_UNDECODABLE_CLEAR = 3 /* zeros of the same size */
};

typedef struct etl_anonymize_options {
    size_t struct_size;
    const etl_file_options *files;
    const char *key;               /* a file or a text: the same key yields the same pseudonyms;
                                      NULL: a random one */
    const char *const *redactions; /* PROVIDER/EVENT/FIELD, which are cleared; with * and ? */
    size_t redaction_count;
    uint32_t redact_only; /* not 0: everything else stays as it is */
    uint32_t undecodable; /* ETL_UNDECODABLE_... */
} etl_anonymize_options;

#define ETL_ANONYMIZE_OPTIONS_INIT                                                                 \
    { sizeof(etl_anonymize_options), NULL, NULL, NULL, 0, 0, 0 }

/* Replaces personal data with pseudonyms, as `etl relog --anonymize` does; several traces are
 * merged. Errors: ETL_UNSUPPORTED (undecodable events; traces of different boots, machines, or
 * clocks), ETL_INVALID_ARGUMENT (`output`, the key, a redaction), ETL_LIMIT (too many names), those
 * of reading and writing. */
ETL_API etl_status etl_anonymize(const char *const *paths, size_t count, const char *output,
                                 const etl_anonymize_options *options, etl_report **report,
                                 etl_error **error);

/* Capture files. docs/c.md#packets */

/* Writes the packets of traces to a capture file (pcapng), which appears when it is complete;
 * without packets, no file, and a remark says why. `options` and `report` may be NULL. Errors: as
 * etl_table_create; ETL_INVALID_ARGUMENT (`output` is an input, or exists), those of writing. */
ETL_API etl_status etl_write_capture(const char *const *paths, size_t count, const char *output,
                                     const etl_packet_options *options, etl_report **report,
                                     etl_error **error);

#ifdef __cplusplus
}
#endif

#endif
