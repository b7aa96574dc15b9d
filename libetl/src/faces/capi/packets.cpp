// Packets, flows, and capture files.
#include <etl/etl.h>
#include <etl/table.hpp>

#include "capi/results.hpp"
#include "capi/values.hpp"

#include <utility>

using namespace etl;
using namespace etl::capi;

namespace {

std::expected<PacketOptions, etl_error> options_of(const etl_packet_options& from) {
    if (from.drops > ETL_DROPS_WITHOUT) {
        return failed(ETL_INVALID_ARGUMENT, "drops: unknown value");
    }
    PacketOptions options{.where = std::string(view_of(from.where)),
                          .from = std::string(view_of(from.from)),
                          .to = std::string(view_of(from.to)),
                          .schemas = list_of(from.schemas, from.schema_count),
                          .components = list_of(from.components, from.component_count),
                          .adapters_only = from.adapters_only != 0,
                          .drops = static_cast<PacketDrops>(from.drops),
                          .skip = from.skip,
                          .threads = from.threads};
    if (from.limit != 0) {
        options.limit = from.limit;
    }
    return options;
}

static_assert(ETL_DROPS_ONLY == static_cast<int>(PacketDrops::only));
static_assert(ETL_DROPS_WITHOUT == static_cast<int>(PacketDrops::without));

/// Reads the options, and makes a call with them and with those of C.
template <typename Call>
etl_status with_options(const etl_packet_options* given, etl_error** error, Call&& call) noexcept {
    return guarded(error, [&]() -> Outcome {
        const auto read = read_sized(given);
        if (!read) {
            return std::unexpected(read.error());
        }
        const auto options = options_of(*read);
        if (!options) {
            return std::unexpected(options.error());
        }
        return call(*options, *read);
    });
}

Outcome hand_over(std::expected<Table, TraceError> made, etl_table** table) {
    if (!made) {
        return failed(made.error());
    }
    *table = new etl_table{*std::move(made)};
    return ETL_OK;
}

} // namespace

etl_status etl_packets_create(const char* const* paths, size_t count,
                              const etl_packet_options* options, etl_table** table,
                              etl_error** error) {
    *table = nullptr;
    return with_options(options, error, [&](const PacketOptions& how, const auto&) {
        return hand_over(Table::packets(list_of(paths, count), how), table);
    });
}

etl_status etl_flows_create(const char* const* paths, size_t count,
                            const etl_packet_options* options, etl_table** table,
                            etl_error** error) {
    *table = nullptr;
    return with_options(options, error, [&](const PacketOptions& how, const auto&) {
        return hand_over(Table::flows(list_of(paths, count), how), table);
    });
}

etl_status etl_write_capture(const char* const* paths, size_t count, const char* output,
                             const etl_packet_options* options, etl_report** report,
                             etl_error** error) {
    if (report != nullptr) {
        *report = nullptr;
    }
    return with_options(
        options, error, [&](const PacketOptions& how, const etl_packet_options& of) -> Outcome {
            auto written = write_capture(list_of(paths, count), std::string(view_of(output)), how,
                                         of.replace != 0 ? Existing::replace : Existing::keep);
            if (!written) {
                return failed(written.error());
            }
            if (report != nullptr) {
                *report = new etl_report{.remarks = std::move(written->remarks)};
                (*report)->counts.packets = written->packets;
            }
            return ETL_OK;
        });
}
