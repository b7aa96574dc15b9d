/* Traces that the tests read. */
#ifndef ETL_TESTS_CAPI_TRACES_H
#define ETL_TESTS_CAPI_TRACES_H

#include "check.h"

#include <etl/etl.h>

static inline etl_trace *open_one(const char *path, const etl_open_options *options) {
    etl_trace *trace = NULL;
    etl_error *error = NULL;
    etl_status status = etl_open(&path, 1, options, &trace, &error);
    if (status != ETL_OK) {
        printf("%s: %s\n", path, etl_error_message(error));
    }
    CHECK(status == ETL_OK && error == NULL && trace != NULL);
    return trace;
}

static inline unsigned count_events(etl_trace *trace) {
    unsigned count = 0;
    etl_event *event = NULL;
    etl_error *error = NULL;
    etl_status status = ETL_OK;
    while ((status = etl_trace_next(trace, &event, &error)) == ETL_OK) {
        ++count;
    }
    CHECK(status == ETL_END && event == NULL && error == NULL);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_END);
    return count;
}

/* Moves to the first event with a name. */
static inline etl_event *find_event(etl_trace *trace, const char *name) {
    etl_event *event = NULL;
    CHECK(etl_trace_rewind(trace, NULL) == ETL_OK);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        if (IS(etl_event_name(event), name)) {
            return event;
        }
    }
    CHECK(!"the event exists");
    return NULL;
}

#endif
