// Any bytes as a trace that a C program reads. Properties: all calls end with a status, texts and
// bytes are readable, a walk over fields visits as many as their sizes say, and the second walk is
// like the first.
#include <etl/etl.h>

#include "fuzz/require.hpp"

#include <string_view>

namespace {

using etl::fuzz::require;

std::uint64_t sum_of(etl_text text) {
    require(text.data != nullptr);
    std::uint64_t sum = text.size;
    for (const char c : std::string_view(text.data, text.size)) {
        sum = sum * 31 + static_cast<unsigned char>(c);
    }
    return sum;
}

std::uint64_t walk(etl_field field, unsigned depth) {
    std::uint64_t sum = 0;
    require(depth < 64);
    for (; field.node != nullptr; field = etl_field_next(field)) {
        etl_value value{};
        require(etl_field_value(field, &value, nullptr) == ETL_OK);
        require(value.type == etl_field_type(field) && value.type != ETL_TYPE_MISSING);
        sum += sum_of(etl_field_name(field)) + value.type;
        const std::size_t size = etl_field_size(field);
        if (size == 0) {
            sum += sum_of(etl_field_text(field));
            continue;
        }
        require(etl_field_at(field, size - 1).node != nullptr);
        require(etl_field_at(field, size).node == nullptr);
        sum += walk(etl_field_first(field), depth + 1);
    }
    return sum;
}

std::uint64_t walk(etl_trace* trace) {
    std::uint64_t sum = 0;
    etl_event* event = nullptr;
    while (etl_trace_next(trace, &event, nullptr) == ETL_OK) {
        etl_event_header header = ETL_EVENT_HEADER_INIT;
        require(etl_event_get_header(event, &header, nullptr) == ETL_OK);
        sum += sum_of(etl_event_provider(event)) + sum_of(etl_event_name(event));
        sum += sum_of(etl_event_message(event)) + sum_of(etl_event_problem(event));
        const etl_text json = etl_event_json(event);
        require(json.size > 1 && json.data[0] == '{' && json.data[json.size - 1] == '}');
        std::size_t frames = 0;
        require((etl_event_stack(event, &frames) != nullptr) == (frames > 0));
        sum += walk(etl_event_fields(event), 0) + etl_event_payload(event).size;
    }
    return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    options.threads = 1;
    etl_trace* trace = nullptr;
    etl_error* error = nullptr;
    if (size > (1U << 16U) ||
        etl_open_memory(data, size, nullptr, &options, &trace, &error) != ETL_OK) {
        require(size > (1U << 16U) || *etl_error_message(error) != '\0');
        etl_error_free(error);
        return 0;
    }
    const std::uint64_t first = walk(trace);
    require(etl_trace_rewind(trace, nullptr) == ETL_OK);
    require(walk(trace) == first);
    for (std::size_t i = etl_trace_finding_count(trace); i-- > 0;) {
        require(etl_trace_finding(trace, i).size > 0);
    }
    etl_trace_free(trace);
    return 0;
}
