/* errors CORPUS WORK: errors, problems, findings, and structures of other versions through the C interface. */
#include "traces.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static void the_library_has_a_version_and_a_clock(void) {
    const int64_t now = etl_unix_ns(etl_now()) / INT64_C(1000000000);
    CHECK(strcmp(etl_version(), VERSION) == 0);
    CHECK(now - (int64_t)time(NULL) <= 1 && (int64_t)time(NULL) - now <= 1);
    CHECK(etl_filetime(INT64_MAX) > etl_now() && etl_unix_ns(INT64_MAX) == INT64_MAX);
}

static void errors_keep_the_code_of_the_system(const char *work) {
    const char *inside_a_file = path_in(work, "file/never.etl");
    etl_writer *writer = NULL;
    etl_error *error = NULL;
    FILE *file = fopen(path_in(work, "file"), "wb");
    CHECK(file != NULL);
    fclose(file);
    CHECK(etl_writer_create(inside_a_file, NULL, &writer, &error) == ETL_NOT_FOUND);
    CHECK(writer == NULL && etl_error_status(error) == ETL_NOT_FOUND);
    CHECK(has(etl_error_message(error), "never.etl") && etl_error_os_code(error) == ENOTDIR);
    CHECK(etl_error_offset(error) == 0); /* not of a place in the file */
    etl_error_free(error);
    CHECK(etl_error_offset(NULL) == 0 && etl_error_os_code(NULL) == 0);
}

static void inputs_that_cannot_be_opened_are_problems(const char *corpus, const char *work) {
    const char *paths[2];
    etl_trace *trace = NULL;
    paths[0] = path_in(corpus, "good/first-steps.etl");
    paths[1] = path_in(work, "missing.etl");
    CHECK(etl_open(paths, 2, NULL, &trace, NULL) == ETL_OK);
    CHECK(etl_trace_count(trace) == 1 && etl_trace_problem_count(trace) == 1);
    CHECK(etl_trace_problem(trace, 0).size > 0 && etl_trace_problem(trace, 1).size == 0);
    CHECK(has(etl_trace_problem(trace, 0).data, "missing.etl"));
    etl_trace_free(trace);
}

static void damage_is_a_finding(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "damaged/bad-record.etl"), NULL);
    CHECK(count_events(trace) > 0);
    CHECK(etl_trace_finding_count(trace) == 1 && etl_trace_all_findings(trace) == 1);
    CHECK(has(etl_trace_finding(trace, 0).data, "exceeds the valid bytes"));
    CHECK(etl_trace_finding(trace, 1).size == 0);
    CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
    CHECK(count_events(trace) > 0 && etl_trace_all_findings(trace) == 1); /* of this walk */
    etl_trace_free(trace);
}

/* As a program compiled with an older header, and with a newer one. */
static void structures_may_have_other_sizes(const char *corpus) {
    struct {
        etl_open_options known;
        uint64_t added;
    } newer = {ETL_OPEN_OPTIONS_INIT, 0};
    etl_open_options older = ETL_OPEN_OPTIONS_INIT;
    etl_event_header header = ETL_EVENT_HEADER_INIT;
    const char *path = path_in(corpus, "good/first-steps.etl");
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    etl_error *error = NULL;
    older.struct_size = offsetof(etl_open_options, part);
    older.part = 9; /* beyond what the program knows: not read */
    trace = open_one(path, &older);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK);
    header.struct_size = offsetof(etl_event_header, process_id);
    header.process_id = 12345; /* not written */
    CHECK(etl_event_get_header(event, &header, NULL) == ETL_OK);
    CHECK(header.process_id == 12345 && header.time == etl_event_time(event));
    CHECK(header.struct_size == offsetof(etl_event_header, process_id));
    header.struct_size = 0;
    CHECK(etl_event_get_header(event, &header, &error) == ETL_INVALID_ARGUMENT);
    CHECK(has(etl_error_message(error), "struct_size"));
    etl_error_free(error);
    etl_trace_free(trace);
    newer.known.struct_size = sizeof newer;
    trace = open_one(path, &newer.known); /* what the library does not know is zero */
    etl_trace_free(trace);
    newer.added = 1;
    CHECK(etl_open(&path, 1, &newer.known, &trace, &error) == ETL_UNSUPPORTED && trace == NULL);
    CHECK(has(etl_error_message(error), "version"));
    etl_error_free(error);
    older.struct_size = 0;
    CHECK(etl_open(&path, 1, &older, &trace, NULL) == ETL_INVALID_ARGUMENT);
}

static void a_file_does_not_wait(const char *corpus) {
    etl_trace *trace = open_one(path_in(corpus, "good/first-steps.etl"), NULL);
    etl_trace_stop(trace); /* has no effect */
    CHECK(count_events(trace) == 11);
    etl_trace_free(trace);
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    the_library_has_a_version_and_a_clock();
    errors_keep_the_code_of_the_system(arguments[2]);
    inputs_that_cannot_be_opened_are_problems(arguments[1], arguments[2]);
    damage_is_a_finding(arguments[1]);
    structures_may_have_other_sizes(arguments[1]);
    a_file_does_not_wait(arguments[1]);
    puts("errors: passed");
    return 0;
}
