/* columns CORPUS WORK: a consumer of the Arrow C stream interface, written from its specification. */
#include "check.h"

#include <etl/etl.h>

struct table {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
};

static void next_batch(struct table *table) {
    if (table->batch.release != NULL) {
        table->batch.release(&table->batch);
        CHECK(table->batch.release == NULL);
    }
    CHECK(table->stream.get_next(&table->stream, &table->batch) == 0);
}

/* Whether a value is not null. */
static int is_valid(const struct ArrowArray *array, int64_t row) {
    const uint8_t *bits = (const uint8_t *)array->buffers[0];
    return bits == NULL || ((bits[row / 8] >> (row % 8)) & 1) != 0;
}

/* What holds for each array, by its schema. */
static void check_array(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    int64_t i, nulls = 0;
    CHECK(array->offset == 0 && array->length >= 0 && array->release != NULL);
    CHECK(array->n_children == schema->n_children);
    CHECK((array->dictionary != NULL) == (schema->dictionary != NULL));
    for (i = 0; i < array->length; ++i) {
        nulls += is_valid(array, i) ? 0 : 1;
    }
    CHECK(nulls == array->null_count);
    if (strcmp(schema->format, "u") == 0 || strcmp(schema->format, "z") == 0 ||
        strcmp(schema->format, "+l") == 0) {
        const int32_t *offsets = (const int32_t *)array->buffers[1];
        CHECK(array->n_buffers == (schema->format[0] == '+' ? 2 : 3) && offsets[0] == 0);
        for (i = 0; i < array->length; ++i) {
            CHECK(offsets[i] <= offsets[i + 1]);
        }
        CHECK(schema->format[0] != '+' || offsets[array->length] == array->children[0]->length);
    } else {
        CHECK(array->n_buffers == (strcmp(schema->format, "+s") == 0 ? 1 : 2));
    }
    for (i = 0; i < array->n_children; ++i) {
        check_array(schema->children[i], array->children[i]);
        CHECK(strcmp(schema->format, "+s") != 0 || array->children[i]->length == array->length);
    }
    if (array->dictionary != NULL) {
        const int32_t *labels = (const int32_t *)array->buffers[1];
        check_array(schema->dictionary, array->dictionary);
        for (i = 0; i < array->length; ++i) {
            CHECK(!is_valid(array, i) || (labels[i] >= 0 && labels[i] < array->dictionary->length));
        }
    }
}

static struct table open_table_as(etl_trace *trace, const etl_columns_options *options) {
    struct table table;
    etl_error *error = NULL;
    memset(&table, 0, sizeof table);
    if (etl_trace_columns(trace, options, &table.stream, &error) != ETL_OK) {
        printf("%s\n", etl_error_message(error));
        exit(1);
    }
    CHECK(table.stream.get_schema(&table.stream, &table.schema) == 0);
    CHECK(strcmp(table.schema.format, "+s") == 0);
    next_batch(&table);
    return table;
}

static struct table open_table(etl_trace *trace, const char *provider, const char *event,
                               uint64_t rows) {
    etl_columns_options options = ETL_COLUMNS_OPTIONS_INIT;
    options.provider = provider;
    options.event = event;
    options.rows = rows;
    return open_table_as(trace, &options);
}

static void close_table(struct table *table) {
    if (table->batch.release != NULL) {
        table->batch.release(&table->batch);
    }
    table->schema.release(&table->schema);
    table->stream.release(&table->stream);
    CHECK(table->stream.release == NULL && table->schema.release == NULL);
}

/* The index of a column. */
static int64_t find(const struct table *table, const char *name) {
    int64_t i = 0;
    while (i < table->schema.n_children && strcmp(table->schema.children[i]->name, name) != 0) {
        ++i;
    }
    if (i == table->schema.n_children) {
        printf("no column %s\n", name);
        exit(1);
    }
    return i;
}

static const struct ArrowArray *column(const struct table *table, const char *name,
                                       const char *format) {
    int64_t i = find(table, name);
    CHECK(strcmp(table->schema.children[i]->format, format) == 0);
    return table->batch.children[i];
}

static int text_is(const struct ArrowArray *array, int64_t row, const char *text) {
    const int32_t *offsets = (const int32_t *)array->buffers[1];
    const char *bytes = (const char *)array->buffers[2];
    size_t size = (size_t)(offsets[row + 1] - offsets[row]);
    return is_valid(array, row) && size == strlen(text) &&
           memcmp(bytes + offsets[row], text, size) == 0;
}

static void reads_scalars(const char *corpus) {
    const char *path = path_in(corpus, "good/tracelogging-types.etl");
    etl_trace *trace = NULL;
    struct table table;
    const struct ArrowArray *array = NULL;
    static const uint8_t guid[16] = {0x8e, 0xad, 0xb5, 0x13, 0xe8, 0x68, 0x51, 0xa0,
                                     0x9a, 0x2b, 0x0b, 0x39, 0x6a, 0xf6, 0x74, 0x6b};
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    table = open_table(trace, "Example.EveryType", "Scalars", 0);
    check_array(&table.schema, &table.batch);
    CHECK(table.batch.length == 2);
    CHECK(((const int64_t *)column(&table, "time", "tsn:UTC")->buffers[1])[0] ==
          INT64_C(1715918401000000000));
    CHECK(((const uint32_t *)column(&table, "pid", "I")->buffers[1])[1] == 77);
    array = column(&table, "event", "i");
    CHECK(((const int32_t *)array->buffers[1])[1] == 0 && text_is(array->dictionary, 0, "Scalars"));
    CHECK(((const int8_t *)column(&table, "i8", "c")->buffers[1])[0] == -128);
    CHECK(((const uint64_t *)column(&table, "u64", "L")->buffers[1])[0] == UINT64_MAX);
    CHECK(((const double *)column(&table, "f64", "g")->buffers[1])[0] == -2.5e-300);
    CHECK((((const uint8_t *)column(&table, "bool32", "b")->buffers[1])[0] & 1) == 1);
    CHECK(memcmp(column(&table, "guid", "w:16")->buffers[1], guid, 16) == 0);
    CHECK(strstr(table.schema.children[find(&table, "guid")]->metadata + 8, "ARROW") != NULL);
    CHECK(((const int64_t *)column(&table, "filetime", "tsn:UTC")->buffers[1])[0] ==
          INT64_C(1715918400123456700));
    CHECK(text_is(column(&table, "sid", "u"), 0, "S-1-5-32-544"));
    CHECK(text_is(column(&table, "ansi", "u"), 1, "plain"));
    CHECK(text_is(column(&table, "binary", "z"), 0, "\xde\xad\xbe\xef"));
    next_batch(&table);
    CHECK(table.batch.release == NULL); /* the end */
    close_table(&table);
    etl_trace_free(trace);
}

/* A trace has one reader at a time: no rows are lost without a word. */
static void ends_with_another_reading(const char *corpus) {
    const char *path = path_in(corpus, "good/first-steps.etl");
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    struct table table;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    table = open_table(trace, NULL, NULL, 2);
    CHECK(table.batch.length == 2);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK && event != NULL);
    table.batch.release(&table.batch);
    CHECK(table.stream.get_next(&table.stream, &table.batch) != 0);
    CHECK(strstr(table.stream.get_last_error(&table.stream), "read otherwise") != NULL);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK); /* goes on */
    close_table(&table);
    etl_trace_free(trace);
}

static void reads_lists(const char *corpus) {
    const char *path = path_in(corpus, "good/tracelogging-types.etl");
    etl_trace *trace = NULL;
    struct table table;
    const struct ArrowArray *array = NULL;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    table = open_table(trace, NULL, "ArraysAndStructs", 1);
    check_array(&table.schema, &table.batch);
    CHECK(table.batch.length == 1); /* of two */
    array = column(&table, "strings", "+l");
    CHECK(((const int32_t *)array->buffers[1])[1] == 2);
    CHECK(text_is(array->children[0], 0, "one") && text_is(array->children[0], 1, ""));
    array = column(&table, "empty", "+l");
    CHECK(array->null_count == 0 && ((const int32_t *)array->buffers[1])[1] == 0);
    array = column(&table, "pairs.value", "+l"); /* members of structures in an array */
    CHECK(((const int32_t *)array->buffers[1])[1] == 2 && array->children[0]->length == 2);
    CHECK(text_is(column(&table, "pairs.key", "+l")->children[0], 1, "b"));
    CHECK(column(&table, "outer.inner.deep", table.schema.children[find(&table, "outer.inner.deep")]
                                                 ->format)->length == 1);
    next_batch(&table);
    CHECK(table.batch.length == 1);
    next_batch(&table);
    CHECK(table.batch.release == NULL);
    close_table(&table);
    etl_trace_free(trace);
}

/* The same array as a list of structures. */
static void reads_structures(const char *corpus) {
    const char *path = path_in(corpus, "good/tracelogging-types.etl");
    etl_columns_options options = ETL_COLUMNS_OPTIONS_INIT;
    etl_trace *trace = NULL;
    struct table table;
    const struct ArrowArray *array = NULL;
    const struct ArrowSchema *schema = NULL;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    options.event = "ArraysAndStructs";
    options.structures = 1;
    table = open_table_as(trace, &options);
    check_array(&table.schema, &table.batch);
    CHECK(table.batch.length == 2);
    array = column(&table, "pairs", "+l");
    schema = table.schema.children[find(&table, "pairs")]->children[0];
    CHECK(array->null_count == 0 && ((const int32_t *)array->buffers[1])[1] == 2);
    CHECK(strcmp(schema->format, "+s") == 0 && schema->n_children == 2);
    CHECK(strcmp(schema->children[0]->name, "key") == 0);
    CHECK(text_is(array->children[0]->children[0], 1, "b"));
    CHECK(column(&table, "outer.inner.deep",
                 table.schema.children[find(&table, "outer.inner.deep")]->format)->length == 2);
    close_table(&table);
    etl_trace_free(trace);
}

/* A trace whose events have messages, and others. */
static void has_messages(const char *corpus) {
    const char *path = path_in(corpus, "good/first-steps.etl");
    etl_columns_options options = ETL_COLUMNS_OPTIONS_INIT;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    struct table table;
    const struct ArrowArray *array = NULL;
    int64_t row = 0;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    options.messages = 1;
    table = open_table_as(trace, &options);
    check_array(&table.schema, &table.batch);
    array = column(&table, "message", "u");
    CHECK(array->null_count > 0 && array->null_count < array->length);
    CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
    for (; etl_trace_next(trace, &event, NULL) == ETL_OK; ++row) {
        etl_text message = etl_event_message(event);
        const int32_t *offsets = (const int32_t *)array->buffers[1];
        CHECK(is_valid(array, row) == (message.size > 0));
        CHECK((size_t)(offsets[row + 1] - offsets[row]) == message.size);
        CHECK(memcmp((const char *)array->buffers[2] + offsets[row], message.data, message.size) == 0);
    }
    CHECK(row == array->length);
    close_table(&table);
    etl_trace_free(trace);
}

static void joins_kinds(const char *corpus) {
    const char *path = path_in(corpus, "good/first-steps.etl");
    etl_columns_options options = ETL_COLUMNS_OPTIONS_INIT;
    struct ArrowArrayStream unopened;
    etl_error *error = NULL;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    struct table table;
    struct ArrowArray moved;
    const struct ArrowArray *array = NULL;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    table = open_table(trace, "Example.SignalBox", NULL, 0);
    check_array(&table.schema, &table.batch);
    CHECK(table.batch.length == 6);
    array = column(&table, "Colour", "u");
    CHECK(array->null_count == 5 && text_is(array, 2, "brown"));
    moved = *table.batch.children[0]; /* a consumer may take one column */
    table.batch.children[0]->release = NULL;
    close_table(&table);
    CHECK(moved.length == 6 && ((const int64_t *)moved.buffers[1])[0] != 0);
    moved.release(&moved);
    CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK); /* events as before */
    table = open_table(trace, "NoSuchProvider", NULL, 0);
    CHECK(table.batch.release == NULL && table.schema.n_children == 6);
    close_table(&table);
    options.provider = "NoSuchProvider";
    options.required = 1;
    CHECK(etl_trace_columns(trace, &options, &unopened, &error) == ETL_NOT_FOUND);
    CHECK(strcmp(etl_error_message(error), "no event is from provider 'NoSuchProvider'") == 0);
    etl_error_free(error);
    etl_trace_free(trace);
}

static void has_details(const char *corpus) {
    const char *path = path_in(corpus, "good/first-steps.etl");
    etl_columns_options options = ETL_COLUMNS_OPTIONS_INIT;
    etl_trace *trace = NULL;
    struct table table;
    const struct ArrowArray *labels = NULL;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    options.event = "CowOnTheLine";
    options.details = 1;
    table = open_table_as(trace, &options);
    check_array(&table.schema, &table.batch);
    CHECK(table.batch.length == 1);
    CHECK(((const uint8_t *)column(&table, "level", "C")->buffers[1])[0] == 3);
    CHECK(((const uint64_t *)column(&table, "keyword", "L")->buffers[1])[0] == 1);
    CHECK(column(&table, "decode_error", "i")->null_count == 1);
    labels = column(&table, "file", "i");
    CHECK(strstr((const char *)labels->dictionary->buffers[2], "first-steps.etl") != NULL);
    close_table(&table);
    options.struct_size = offsetof(etl_columns_options, details); /* of an older program */
    table = open_table_as(trace, &options);
    CHECK(find(&table, "event") == 5 && find(&table, "Colour") == 6);
    close_table(&table);
    etl_trace_free(trace);
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    reads_scalars(arguments[1]);
    ends_with_another_reading(arguments[1]);
    reads_lists(arguments[1]);
    reads_structures(arguments[1]);
    has_messages(arguments[1]);
    joins_kinds(arguments[1]);
    has_details(arguments[1]);
    puts("columns: passed");
    return 0;
}
