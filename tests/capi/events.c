/* events CORPUS WORK [LOG]: names, messages, stacks, and conversions of fields through the C interface. LOG is an event log
 * of the computer SIGNALBOX. */
#include "traces.h"

static etl_trace *open_with_schemas(const char *corpus, const char *name) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    const char *schemas = path_in(corpus, "schemas");
    options.schemas = &schemas;
    options.schema_count = 1;
    return open_one(path_in(corpus, name), &options);
}

static void names_come_from_the_schema(const char *corpus) {
    etl_trace *trace = open_with_schemas(corpus, "good/compiled-manifest.etl");
    etl_event *event = find_event(trace, "Arrival/Start");
    CHECK(IS(etl_event_provider(event), "Example-SignalBox-Compiled"));
    CHECK(IS(etl_event_task(event), "Arrival") && IS(etl_event_opcode(event), "Start"));
    CHECK(IS(etl_event_level(event), "Information"));
    CHECK(IS(etl_event_channel(event), "Example-SignalBox/Operational"));
    CHECK(IS(etl_event_message(event), "Night Mail comes in on South"));
    CHECK(IS(etl_event_assumption(event), "") && IS(etl_event_problem(event), ""));
    event = find_event(trace, "Inspect");
    CHECK(IS(etl_event_level(event), "Failure") && IS(etl_event_task(event), ""));
    CHECK(IS(etl_event_message(event), "")); /* the schema has none */
    etl_trace_free(trace);
    trace = open_one(path_in(corpus, "good/compiled-manifest.etl"), NULL);
    event = find_event(trace, "EventID(1)"); /* without the schema */
    CHECK(IS(etl_event_channel(event), "") && IS(etl_event_opcode(event), ""));
    etl_trace_free(trace);
}

static void assumptions_are_named(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/kernel-events-64-under-32.etl"), NULL);
    etl_event *event = find_event(trace, "Process/Start");
    CHECK(IS(etl_event_assumption(event), "pointer size 8 under a 32-bit header"));
    etl_trace_free(trace);
}

static void kinds_identify_names(const char *corpus) {
    static struct {
        uint64_t kind;
        char name[64];
    } seen[64];
    etl_trace *trace = open_one(path_in(corpus, "good/first-steps.etl"), NULL);
    etl_event *event = NULL;
    unsigned count = 0, pairs = 0, i;
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        etl_text name = etl_event_name(event);
        CHECK(count < 64 && name.size < sizeof seen[0].name);
        seen[count].kind = etl_event_kind(event);
        CHECK(seen[count].kind == etl_event_kind(event));
        memcpy(seen[count].name, name.data, name.size);
        for (i = 0; i < count; ++i) {
            const bool same = seen[i].kind == seen[count].kind;
            CHECK(!same || strcmp(seen[i].name, seen[count].name) == 0);
            pairs += same ? 1 : 0;
        }
        ++count;
    }
    CHECK(count == 11 && pairs > 0);
    etl_trace_free(trace);
}

static etl_event *find_stack(etl_trace *trace, size_t *count) {
    etl_event *event = NULL;
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        if (IS(etl_event_name(event), "PerfInfo/SampleProf")) {
            *count = 99;
            return etl_event_stack(event, count) != NULL || *count == 0 ? event : NULL;
        }
    }
    return NULL;
}

static void stacks_need_a_pass_of_their_own(const char *corpus) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    const char *path = path_in(corpus, "good/machine-facts.etl");
    etl_trace *trace = open_one(path, &options);
    etl_event *event = NULL;
    size_t count = 0;
    event = find_stack(trace, &count);
    CHECK(event != NULL && count == 0 && etl_event_stack(event, &count) == NULL);
    CHECK(IS(etl_event_process(event), "") && IS(etl_event_frame(event, 0), ""));
    etl_trace_free(trace);
    options.enrich = 1;
    trace = open_one(path, &options);
    event = find_stack(trace, &count);
    CHECK(event != NULL && count == 4);
    CHECK(etl_event_stack(event, &count)[0] == UINT64_C(0xfffff80000001000));
    CHECK(etl_event_stack(event, &count)[2] == UINT64_C(0x7ff600001234));
    CHECK(IS(etl_event_process(event), "kettle.exe"));
    CHECK(IS(etl_event_frame(event, 0), "ntoskrnl.exe!0x1000"));
    CHECK(IS(etl_event_frame(event, 2), "tea.dll!0x1234"));
    CHECK(IS(etl_event_frame(event, count), "")); /* beyond the stack */
    etl_trace_free(trace);
}

static void fields_convert(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/tracelogging-types.etl"), NULL);
    etl_event *event = find_event(trace, "Scalars");
    etl_guid guid;
    etl_value value;
    int64_t time = 0;
    CHECK(etl_field_guid(etl_event_field(event, "guid"), &guid, NULL) == ETL_OK);
    CHECK(etl_field_value(etl_event_field(event, "guid"), &value, NULL) == ETL_OK);
    CHECK(value.type == ETL_TYPE_GUID && memcmp(&value.as.guid, &guid, sizeof guid) == 0);
    CHECK(etl_field_time(etl_event_field(event, "filetime"), &time, NULL) == ETL_OK);
    CHECK(etl_unix_ns(time) == INT64_C(1715918400123456700));
    CHECK(etl_field_guid(etl_event_field(event, "none"), &guid, NULL) == ETL_NOT_FOUND);
    CHECK(etl_field_time(etl_event_field(event, "none"), &time, NULL) == ETL_NOT_FOUND);
    CHECK(IS(etl_event_user(event), "") && IS(etl_event_computer(event), "")); /* not recorded */
    etl_trace_free(trace);
}

/* The message of the error must be this one. Frees it. */
static void expect(etl_status status, etl_error **error, const char *message) {
    if (status != ETL_WRONG_TYPE || strcmp(etl_error_message(*error), message) != 0) {
        printf("%s: %s; expected %s\n", etl_status_name(status), etl_error_message(*error), message);
        exit(1);
    }
    CHECK(etl_error_status(*error) == ETL_WRONG_TYPE);
    etl_error_free(*error);
}

static void wrong_types_are_named(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/tracelogging-types.etl"), NULL);
    etl_event *event = find_event(trace, "Scalars");
    etl_error *error = NULL;
    etl_guid guid;
    etl_bytes bytes;
    uint64_t number = 17;
    int64_t integer = 17;
    double floating = 17;
    expect(etl_field_unsigned(etl_event_field(event, "ansi"), &number, &error), &error,
           "ansi: expected an integer, found text");
    expect(etl_field_unsigned(etl_event_field(event, "f64"), &number, &error), &error,
           "f64: expected an integer, found a floating-point number");
    expect(etl_field_signed(etl_event_field(event, "sid"), &integer, &error), &error,
           "sid: expected an integer, found a SID");
    expect(etl_field_signed(etl_event_field(event, "null"), &integer, &error), &error,
           "null: expected an integer, found no value");
    expect(etl_field_double(etl_event_field(event, "guid"), &floating, &error), &error,
           "guid: expected a number, found a GUID");
    expect(etl_field_guid(etl_event_field(event, "binary"), &guid, &error), &error,
           "binary: expected a GUID, found bytes");
    expect(etl_field_time(etl_event_field(event, "u64"), &integer, &error), &error,
           "u64: expected a time, found an integer");
    expect(etl_field_time(etl_event_field(event, "bool32"), &integer, &error), &error,
           "bool32: expected a time, found a Boolean");
    CHECK(number == 17 && integer == 17 && floating == 17); /* as they were */
    CHECK(etl_field_unsigned(etl_event_field(event, "i8"), &number, &error) == ETL_LIMIT);
    CHECK(strcmp(etl_error_message(error), "i8: the value of the field exceeds this type") == 0);
    etl_error_free(error);
    event = find_event(trace, "ArraysAndStructs");
    expect(etl_field_bytes(etl_event_field(event, "pairs"), &bytes, &error), &error,
           "pairs: expected a single value, found an array");
    expect(etl_field_signed(etl_event_field(event, "outer"), &integer, &error), &error,
           "outer: expected an integer, found a structure");
    CHECK(etl_field_signed(etl_event_field(event, "outer"), &integer, NULL) == ETL_WRONG_TYPE);
    etl_trace_free(trace);
}

static void event_logs_name_their_computer(const char *path) {
    etl_trace *trace = open_one(path, NULL);
    etl_event *event = NULL;
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK); /* the log file header */
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK);
    CHECK(IS(etl_event_computer(event), "SIGNALBOX"));
    CHECK(IS(etl_event_channel(event), "Example-SignalBox/Operational"));
    etl_trace_free(trace);
}

int main(int count, char **arguments) {
    CHECK(count >= 3);
    names_come_from_the_schema(arguments[1]);
    assumptions_are_named(arguments[1]);
    kinds_identify_names(arguments[1]);
    stacks_need_a_pass_of_their_own(arguments[1]);
    fields_convert(arguments[1]);
    wrong_types_are_named(arguments[1]);
    if (count > 3) {
        event_logs_name_their_computer(arguments[3]);
    }
    puts("events: passed");
    return 0;
}
