/* Tables computed from traces: processor time, waits, I/O, and others. docs/analysis.md */
#ifndef ETL_CAPI_TABLE_H
#define ETL_CAPI_TABLE_H

#include <etl/capi/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
