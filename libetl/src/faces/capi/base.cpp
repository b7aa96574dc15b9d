#include <etl/time.hpp>

#include "capi/values.hpp"
#include "format/provider_identity.hpp"
#include "trace/recording.hpp"

#include <limits>

using namespace etl;
using namespace etl::capi;

namespace {

using Limits = std::numeric_limits<std::int64_t>;
constexpr std::int64_t ns_per_tick = 100;

} // namespace

etl_status etl_guid_parse(const char* text, etl_guid* guid, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto parsed = parse_guid(view_of(text));
        if (!parsed) {
            return failed(ETL_INVALID_ARGUMENT, "not a GUID: " + std::string(view_of(text)));
        }
        *guid = guid_of(*parsed);
        return ETL_OK;
    });
}

void etl_guid_format(const etl_guid* guid, char text[37]) {
    static constexpr std::uint8_t order[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    static constexpr char digits[] = "0123456789abcdef";
    char* to = text;
    for (std::size_t i = 0; i < sizeof order; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            *to++ = '-';
        }
        *to++ = digits[guid->bytes[order[i]] >> 4U];
        *to++ = digits[guid->bytes[order[i]] & 15U];
    }
    *to = '\0';
}

etl_guid etl_guid_of_name(const char* provider) {
    try {
        return guid_of(format::guid_of_provider_name(view_of(provider)));
    } catch (...) { // only memory
        return {};
    }
}

int64_t etl_unix_ns(int64_t filetime) {
    return unix_nanoseconds({filetime})
        .value_or(filetime < Filetime::unix_epoch ? Limits::min() : Limits::max());
}

int64_t etl_filetime(int64_t unix_ns) {
    const std::int64_t down = unix_ns % ns_per_tick < 0 ? 1 : 0; // toward minus infinity
    return unix_ns / ns_per_tick - down + Filetime::unix_epoch;
}

int64_t etl_now(void) {
    return now().ticks;
}

const char* etl_version(void) {
    return "0.1.0";
}
