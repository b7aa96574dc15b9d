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

#include <etl/capi/base.h>
#include <etl/capi/columns.h>
#include <etl/capi/event.h>
#include <etl/capi/field.h>
#include <etl/capi/machine.h>
#include <etl/capi/relog.h>
#include <etl/capi/session.h>
#include <etl/capi/table.h>
#include <etl/capi/trace.h>
#include <etl/capi/write.h>

#endif
