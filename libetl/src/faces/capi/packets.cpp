#include <etl/etl.h>

#include "capi/table_work.hpp"
#include "capi/values.hpp"
#include "io/output_file.hpp"
#include "packets/capture.hpp"
#include "rewrite/output.hpp"

using namespace etl;
using namespace etl::capi;

namespace {

/// Packets of traces to read.
struct PacketRequest {
    std::vector<std::string> paths;
    dataset::Options opening{};
    packets::Choice choice{};
    bool replaces = false;
};

std::expected<PacketRequest, etl_error> request_of(const char* const* paths, std::size_t count,
                                                   const etl_packet_options* given) {
    const auto options = read_sized(given);
    if (!options) {
        return std::unexpected(options.error());
    }
    if (options->drops > ETL_DROPS_WITHOUT) {
        return failed(ETL_INVALID_ARGUMENT, "drops: unknown value");
    }
    PacketRequest request{
        .paths = list_of(paths, count),
        .opening = {.schemas = list_of(options->schemas, options->schema_count),
                    .where = std::string(view_of(options->where)),
                    .from = std::string(view_of(options->from)),
                    .to = std::string(view_of(options->to)),
                    .threads = options->threads},
        .choice = {.components = list_of(options->components, options->component_count),
                   .adapters_only = options->adapters_only != 0,
                   .drops = static_cast<packets::Drops>(options->drops),
                   .skip = options->skip},
        .replaces = options->replace != 0};
    if (options->limit != 0) {
        request.choice.limit = options->limit;
    }
    return request;
}

static_assert(ETL_DROPS_ONLY == static_cast<int>(packets::Drops::only));
static_assert(ETL_DROPS_WITHOUT == static_cast<int>(packets::Drops::without));

/// Opens the traces and makes a table of them.
template <typename Compute>
etl_status create(const char* const* paths, std::size_t count, const etl_packet_options* options,
                  etl_table** table, etl_error** error, Compute&& compute) noexcept {
    return guarded(error, [&]() -> Outcome {
        *table = nullptr;
        auto request = request_of(paths, count, options);
        if (!request) {
            return std::unexpected(std::move(request.error()));
        }
        dataset::Messages messages; // outlives the readers
        auto traces = open_traces(request->paths, request->opening, messages);
        if (!traces) {
            return std::unexpected(std::move(traces.error()));
        }
        auto computed = compute(*traces, request->choice);
        if (!computed) {
            return failed(computed.error());
        }
        *table = new etl_table{complete(*std::move(computed), messages)};
        return ETL_OK;
    });
}

/// Returns the number of packets.
std::expected<std::uint64_t, etl_error>
write_file(dataset::Dataset& traces, const std::string& path, const packets::Choice& choice) {
    auto file = io::AtomicFile::create(path);
    if (!file) {
        return failed(TraceError{file.error(), path});
    }
    const auto written = packets::write_capture(traces, **file, choice);
    if (!written) {
        return failed(written.error());
    }
    if (*written > 0) {
        if (const auto committed = (*file)->commit(); !committed) {
            return failed(TraceError{committed.error(), path});
        }
    }
    return *written;
}

} // namespace

etl_status etl_packets_create(const char* const* paths, size_t count,
                              const etl_packet_options* options, etl_table** table,
                              etl_error** error) {
    return create(paths, count, options, table, error, packets::packets_of);
}

etl_status etl_flows_create(const char* const* paths, size_t count,
                            const etl_packet_options* options, etl_table** table,
                            etl_error** error) {
    return create(paths, count, options, table, error, packets::flows_of);
}

etl_status etl_write_capture(const char* const* paths, size_t count, const char* output,
                             const etl_packet_options* options, uint64_t* packets,
                             etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        auto request = request_of(paths, count, options);
        if (!request) {
            return std::unexpected(std::move(request.error()));
        }
        const std::string path(view_of(output));
        if (const auto checked =
                rewrite::check_output(path, request->paths, false, request->replaces);
            !checked) {
            return failed(checked.error());
        }
        dataset::Messages messages; // outlives the readers
        auto traces = open_traces(request->paths, request->opening, messages);
        if (!traces) {
            return std::unexpected(std::move(traces.error()));
        }
        const auto written = write_file(*traces, path, request->choice);
        if (!written) {
            return std::unexpected(written.error());
        }
        if (packets != nullptr) {
            *packets = *written;
        }
        return ETL_OK;
    });
}
