/* Writing: trace files with events of the program's own. docs/c.md#write
 *
 *     etl_builder_add_text(builder, "Drink", "espresso");
 *     etl_writer_add_event(writer, builder, NULL, &error);
 */
#ifndef ETL_CAPI_WRITE_H
#define ETL_CAPI_WRITE_H

#include <etl/capi/event.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
