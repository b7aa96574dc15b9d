/* Columns: events as batches of typed columns in the C data interface of Apache Arrow.
 * docs/c.md#columns
 *
 * The three structures are those of the specification "The Arrow C data interface" and "The Arrow C
 * stream interface" (arrow.apache.org), which many libraries consume. They need no library. */
#ifndef ETL_CAPI_COLUMNS_H
#define ETL_CAPI_COLUMNS_H

#include <etl/capi/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
