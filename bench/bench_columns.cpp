// bench_columns FILE [PROVIDER EVENT]: the events of a selection as columns through the C
// interface, as a ratio to a walk over all their fields, measured in one run. Prints events per
// second.
#include "best_seconds.hpp"

#include <etl/etl.h>

#include <cstdint>
#include <cstdio>

namespace {

struct Sums {
    std::uint64_t events = 0;
    std::uint64_t values = 0;
};

std::uint64_t count_values(etl_field field) {
    std::uint64_t count = 0;
    for (; field.node != nullptr; field = etl_field_next(field)) {
        etl_value value{};
        etl_field_value(field, &value, nullptr);
        const bool has_members = value.type == ETL_TYPE_ARRAY || value.type == ETL_TYPE_STRUCT;
        count += has_members ? count_values(etl_field_first(field)) : 1;
    }
    return count;
}

Sums by_fields(etl_trace* trace) {
    Sums sums;
    etl_trace_rewind(trace, nullptr);
    for (etl_event* event = nullptr; etl_trace_next(trace, &event, nullptr) == ETL_OK;) {
        ++sums.events;
        sums.values += count_values(etl_event_fields(event));
    }
    return sums;
}

Sums by_columns(etl_trace* trace, const etl_columns_options& options) {
    Sums sums;
    ArrowArrayStream stream{};
    if (etl_trace_columns(trace, &options, &stream, nullptr) != ETL_OK) {
        return sums;
    }
    for (;;) {
        ArrowArray batch{};
        if (stream.get_next(&stream, &batch) != 0 || batch.release == nullptr) {
            break;
        }
        sums.events += static_cast<std::uint64_t>(batch.length);
        for (std::int64_t i = 0; i < batch.n_children; ++i) {
            sums.values += static_cast<std::uint64_t>(batch.length - batch.children[i]->null_count);
        }
        batch.release(&batch);
    }
    stream.release(&stream);
    return sums;
}

void print(const char* what, const Sums& sums, double seconds) {
    std::printf("%-8s %10llu events %12llu values %8.3f s %8.2f million events/s\n", what,
                static_cast<unsigned long long>(sums.events),
                static_cast<unsigned long long>(sums.values), seconds,
                static_cast<double>(sums.events) / seconds / 1e6);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2 && count != 4) {
        std::fprintf(stderr, "usage: bench_columns FILE [PROVIDER EVENT]\n");
        return 64;
    }
    etl_trace* trace = nullptr;
    etl_error* error = nullptr;
    const char* const path = arguments[1];
    if (etl_open(&path, 1, nullptr, &trace, &error) != ETL_OK) {
        std::fprintf(stderr, "%s\n", etl_error_message(error));
        return 2;
    }
    etl_columns_options options = ETL_COLUMNS_OPTIONS_INIT;
    options.provider = count == 4 ? arguments[2] : nullptr;
    options.event = count == 4 ? arguments[3] : nullptr;
    Sums fields, columns;
    const double field_seconds = etl::bench::best_seconds([&] { fields = by_fields(trace); });
    const double column_seconds =
        etl::bench::best_seconds([&] { columns = by_columns(trace, options); });
    print("fields", fields, field_seconds);
    print("columns", columns, column_seconds);
    std::printf("columns take %.2f of the time of a walk over all fields\n",
                column_seconds / field_seconds);
    etl_trace_free(trace);
    return 0;
}
