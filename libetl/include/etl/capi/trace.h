/* Traces: files, memory, or live sessions, read event by event. docs/c.md#read */
#ifndef ETL_CAPI_TRACE_H
#define ETL_CAPI_TRACE_H

#include <etl/capi/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
