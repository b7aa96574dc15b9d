/* reading CORPUS WORK: traces, events, and fields through the C interface. */
#include "traces.h"

static void reads_headers_and_names(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/first-steps.etl"), NULL);
    etl_event *event = find_event(trace, "CowOnTheLine");
    etl_event_header header = ETL_EVENT_HEADER_INIT;
    etl_guid expected;
    char guid[37];
    CHECK(etl_event_get_header(event, &header, NULL) == ETL_OK);
    CHECK(header.process_id == 1200 && header.thread_id == 1208 && header.processor == 1);
    CHECK(header.level == 3 && header.channel == 11 && header.keyword == 1 && header.is_decoded);
    CHECK(header.time == etl_event_time(event));
    CHECK(etl_unix_ns(header.time) == INT64_C(1715918407000000000));
    CHECK(etl_filetime(etl_unix_ns(header.time)) == header.time);
    etl_guid_format(&header.provider, guid);
    CHECK(strcmp(guid, "2dbb6b84-efe0-5f9b-7aa3-ecbb9205c226") == 0);
    expected = etl_guid_of_name("Example.SignalBox");
    CHECK(memcmp(&expected, &header.provider, sizeof expected) == 0);
    CHECK(IS(etl_event_provider(event), "Example.SignalBox"));
    CHECK(IS(etl_event_problem(event), ""));
    CHECK(etl_event_payload(event).size > 0);
    CHECK(etl_event_json(event).data[0] == '{');
    CHECK(count_events(trace) == 7); /* from here on */
    CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
    CHECK(count_events(trace) == 11);
    etl_trace_free(trace);
}

static void reads_values(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/tracelogging-types.etl"), NULL);
    etl_event *event = find_event(trace, "Scalars");
    etl_error *error = NULL;
    etl_value value;
    uint64_t number = 0;
    int64_t integer = 0;
    double floating = 0;
    etl_bytes bytes;
    CHECK(IS(etl_field_text(etl_event_field(event, "ansi")), "plain"));
    CHECK(etl_field_signed(etl_event_field(event, "i64"), &integer, NULL) == ETL_OK);
    CHECK(integer == INT64_MIN);
    CHECK(etl_field_unsigned(etl_event_field(event, "u64"), &number, NULL) == ETL_OK);
    CHECK(number == UINT64_MAX);
    CHECK(etl_field_signed(etl_event_field(event, "u64"), &integer, &error) == ETL_LIMIT);
    CHECK(etl_error_status(error) == ETL_LIMIT && etl_error_message(error)[0] != '\0');
    etl_error_free(error);
    CHECK(etl_field_double(etl_event_field(event, "f64"), &floating, NULL) == ETL_OK);
    CHECK(floating == -2.5e-300);
    CHECK(etl_field_bytes(etl_event_field(event, "binary"), &bytes, NULL) == ETL_OK);
    CHECK(bytes.size == 4 && memcmp(bytes.data, "\xde\xad\xbe\xef", 4) == 0);
    CHECK(etl_field_unsigned(etl_event_field(event, "none"), &number, NULL) == ETL_NOT_FOUND);
    CHECK(etl_field_double(etl_event_field(event, "guid"), &floating, NULL) == ETL_WRONG_TYPE);
    CHECK(etl_field_value(etl_event_field(event, "filetime"), &value, NULL) == ETL_OK);
    CHECK(value.type == ETL_TYPE_TIME && etl_unix_ns(value.as.time) == INT64_C(1715918400123456700));
    CHECK(etl_field_value(etl_event_field(event, "sid"), &value, NULL) == ETL_OK);
    CHECK(value.type == ETL_TYPE_SID && IS(value.as.text, "S-1-5-32-544"));
    CHECK(etl_field_type(etl_event_field(event, "bool32")) == ETL_TYPE_BOOL);
    CHECK(etl_field_type(etl_event_field(event, "guid")) == ETL_TYPE_GUID);
    CHECK(etl_field_type(etl_event_field(event, "null")) == ETL_TYPE_NULL);
    etl_trace_free(trace);
}

static void walks_structures(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/tracelogging-types.etl"), NULL);
    etl_event *event = find_event(trace, "ArraysAndStructs");
    etl_field field;
    int64_t integer = 0;
    unsigned count = 0;
    etl_field pairs = etl_event_field(event, "pairs");
    CHECK(etl_field_type(pairs) == ETL_TYPE_ARRAY && etl_field_size(pairs) == 2);
    field = etl_field_member(etl_field_at(pairs, 1), "value");
    CHECK(etl_field_signed(field, &integer, NULL) == ETL_OK && integer == -2);
    CHECK(IS(etl_field_text(etl_field_at(etl_event_field(event, "fixed"), 2)), "3"));
    CHECK(etl_field_at(etl_event_field(event, "fixed"), 3).node == NULL);
    CHECK(etl_field_first(etl_event_field(event, "empty")).node == NULL);
    field = etl_field_member(etl_event_field(event, "outer"), "inner");
    CHECK(IS(etl_field_text(etl_field_member(field, "deep")), "2"));
    field = etl_field_member(etl_field_member(field, "none"), "further"); /* chains */
    CHECK(field.node == NULL && IS(etl_field_name(field), "") && IS(etl_field_text(field), ""));
    for (field = etl_event_fields(event); field.node != NULL; field = etl_field_next(field)) {
        CHECK(etl_field_name(field).size > 0);
        ++count;
    }
    CHECK(count == 8);
    etl_trace_free(trace);
}

static void filters_and_saves(const char *corpus, const char *work) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    etl_trace_info info = ETL_TRACE_INFO_INIT;
    etl_error *error = NULL;
    const char *saved = path_in(work, "saved.etl");
    uint64_t count = 0;
    etl_trace *trace = NULL;
    remove(saved);
    options.where = "provider == Example.SignalBox && level == 4";
    trace = open_one(path_in(corpus, "good/first-steps.etl"), &options);
    CHECK(count_events(trace) == 5);
    CHECK(etl_trace_save(trace, saved, false, &count, NULL) == ETL_OK && count >= 5);
    CHECK(etl_trace_save(trace, saved, false, &count, &error) == ETL_INVALID_ARGUMENT);
    CHECK(strstr(etl_error_message(error), "existing") != NULL);
    etl_error_free(error);
    CHECK(etl_trace_save(trace, saved, true, NULL, NULL) == ETL_OK);
    etl_trace_free(trace);
    trace = open_one(saved, &options);
    CHECK(count_events(trace) == 5);
    CHECK(etl_trace_count(trace) == 1 && etl_trace_info_of(trace, 0, &info, NULL) == ETL_OK);
    CHECK(info.name.size == strlen(saved) && info.is_finalized && info.pointer_size == 8);
    CHECK(etl_trace_info_of(trace, 1, &info, NULL) == ETL_NOT_FOUND);
    CHECK(etl_trace_finding_count(trace) == 0 && etl_trace_problem_count(trace) == 0);
    etl_trace_free(trace);
    options.where = "event == NoSuchEvent";
    trace = open_one(saved, &options);
    CHECK(count_events(trace) == 0);
    CHECK(etl_trace_remark_count(trace) == 1 && etl_trace_remark(trace, 0).size > 0);
    etl_trace_free(trace);
}

/* Appends the name and the time of each event. */
static void append_events(etl_trace *trace, char *to, size_t size) {
    etl_event *event = NULL;
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        etl_text name = etl_event_name(event);
        size_t used = strlen(to);
        CHECK(used + name.size + 32 < size);
        snprintf(to + used, size - used, "%.*s %lld\n", (int)name.size, name.data,
                 (long long)etl_event_time(event));
    }
}

static void reads_parts(const char *corpus) {
    static char complete[1 << 16], joined[1 << 16];
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    const char *path = path_in(corpus, "good/written-sequential.etl");
    etl_trace *trace = open_one(path, NULL);
    etl_error *error = NULL;
    unsigned filled = 0;
    append_events(trace, complete, sizeof complete);
    etl_trace_free(trace);
    options.parts = 5;
    for (options.part = 1; options.part <= options.parts; ++options.part) {
        size_t before = strlen(joined);
        trace = open_one(path, &options);
        append_events(trace, joined, sizeof joined);
        filled += strlen(joined) > before ? 1 : 0;
        CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
        joined[before] = '\0';
        append_events(trace, joined, sizeof joined);
        CHECK(etl_trace_save(trace, "never", true, NULL, NULL) == ETL_UNSUPPORTED);
        etl_trace_free(trace);
    }
    CHECK(filled > 1 && strcmp(complete, joined) == 0);
    CHECK(etl_open(&path, 1, &options, &trace, &error) == ETL_INVALID_ARGUMENT); /* 6 of 5 */
    CHECK(strstr(etl_error_message(error), "6 of 5") != NULL);
    etl_error_free(error);
    options.part = 0; /* of 5 */
    CHECK(etl_open(&path, 1, &options, &trace, NULL) == ETL_INVALID_ARGUMENT);
    options.part = 1;
    options.parts = 0;
    CHECK(etl_open(&path, 1, &options, &trace, NULL) == ETL_INVALID_ARGUMENT);
    options.parts = 2;
    options.order = ETL_ORDER_FILE;
    CHECK(etl_open(&path, 1, &options, &trace, NULL) == ETL_INVALID_ARGUMENT);
}

static void reads_memory(const char *corpus) {
    static char bytes[1 << 20];
    etl_trace *trace = NULL;
    etl_error *error = NULL;
    size_t size = 0;
    FILE *file = fopen(path_in(corpus, "good/first-steps.etl"), "rb");
    CHECK(file != NULL);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(etl_open_memory(bytes, size, "copy", NULL, &trace, NULL) == ETL_OK);
    memset(bytes, 0, sizeof bytes); /* it was copied */
    CHECK(count_events(trace) == 11);
    etl_trace_free(trace);
    CHECK(etl_open_memory("no trace", 8, NULL, NULL, &trace, &error) == ETL_NOT_A_TRACE);
    CHECK(trace == NULL && strstr(etl_error_message(error), "memory") != NULL);
    etl_error_free(error);
    CHECK(etl_open_memory(NULL, 0, NULL, NULL, &trace, NULL) == ETL_EMPTY_FILE);
}

static void reports_errors(const char *work) {
    etl_trace *trace = NULL;
    etl_error *error = NULL;
    etl_guid guid;
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    const char *path = path_in(work, "missing.etl");
    CHECK(etl_open(&path, 1, NULL, &trace, &error) == ETL_NOT_FOUND);
    CHECK(trace == NULL && strstr(etl_error_message(error), "missing.etl") != NULL);
    etl_error_free(error);
    CHECK(etl_open(NULL, 0, NULL, &trace, NULL) == ETL_NOT_FOUND);
    options.where = "level ==";
    CHECK(etl_open(&path, 1, &options, &trace, &error) == ETL_INVALID_ARGUMENT);
    CHECK(strchr(etl_error_message(error), '^') != NULL);
    etl_error_free(error);
    options.where = NULL;
    options.order = 99;
    CHECK(etl_open(&path, 1, &options, &trace, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(etl_guid_parse("not a GUID", &guid, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(strcmp(etl_status_name(ETL_NOT_FOUND), "not found") == 0);
    CHECK(strcmp(etl_status_name(-1), "unknown") == 0);
    CHECK(strcmp(etl_error_message(NULL), "") == 0 && etl_error_status(NULL) == ETL_OK);
    etl_error_free(NULL);
    etl_trace_free(NULL);
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    reads_headers_and_names(arguments[1]);
    reads_values(arguments[1]);
    walks_structures(arguments[1]);
    filters_and_saves(arguments[1], arguments[2]);
    reads_parts(arguments[1]);
    reads_memory(arguments[1]);
    reports_errors(arguments[2]);
    puts("reading: passed");
    return 0;
}
