/* The one tracepoint of the comparison: 32 bytes that nobody looks at. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER etl_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./tracepoints.h"

#if !defined(ETL_BENCH_TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define ETL_BENCH_TRACEPOINTS_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(etl_bench, payload32, LTTNG_UST_TP_ARGS(const uint8_t*, bytes),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_array(uint8_t, bytes, bytes, 32)))

#endif

#include <lttng/tracepoint-event.h>
