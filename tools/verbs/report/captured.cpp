// The packets of a report, and their conversations.
#include "cli/console.hpp"
#include "format/known_guids.hpp"
#include "packets/capture.hpp"
#include "packets/packet_tables.hpp"
#include "verbs/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cli::reports {

namespace {

using etl::analysis::Adding;
using etl::analysis::Cell;
using etl::analysis::Column;
using etl::analysis::Table;
using etl::analysis::Unit;
using etl::packets::Packet;

/// The tables of packets, as those of the analysis.
extern const etl::analysis::TableKind flows_kind, packets_kind;
constexpr etl::analysis::TableForm flows_form{
    .kind = &flows_kind, .title = "Conversations in captured packets", .places = {.brief = 85}};
constexpr etl::analysis::TableForm packets_form{.kind = &packets_kind,
                                                .title = "Captured packets",
                                                .events =
                                                    "buffer == {buffer} && offset == {offset}",
                                                .events_options = "--raw"};
constinit const etl::analysis::TableKind flows_kind{.name = "flows"};
constinit const etl::analysis::TableKind packets_kind{.name = "packets"};

/// Of `etl packets`, in the order of the report; the summary contains the others.
constexpr std::string_view shown_columns[] = {"time",           "interface",   "direction",
                                              "protocol",       "summary",     "bytes",
                                              "captured_bytes", "drop_reason", "drop_location"};

/// The first packets, and the number of all.
class PacketTable {
public:
    PacketTable(etl::packets::PacketRows rows, std::size_t most)
        : rows_(std::move(rows)), most_(most) {
        table_.name = "packets";
        table_.is_ordered = true;
        for (const std::string_view name : shown_columns) {
            const auto found =
                std::ranges::find(etl::packets::packet_columns(), name, &Column::name);
            shown_.push_back(
                static_cast<std::size_t>(found - etl::packets::packet_columns().begin()));
            table_.columns.push_back(*found);
        }
        constexpr auto place = [](std::string_view name, Unit unit) {
            return Column{.name = name, .unit = unit, .adding = Adding::key};
        };
        table_.columns.push_back(place("buffer", Unit::id));
        table_.columns.push_back(place("offset", Unit::id));
        table_.columns.push_back(place("buffer_at", Unit::address));
    }

    void add(const Packet& packet) {
        ++count_;
        incomplete_ += packet.is_incomplete ? 1U : 0U;
        if (table_.rows.size() < most_) {
            auto cells = rows_.cells_of(packet, etl::packets::dissect(packet));
            auto& row = table_.rows.emplace_back().cells;
            for (const std::size_t i : shown_) {
                row.push_back(std::move(cells[i]));
            }
            std::ranges::move(place_of(packet.event), std::back_inserter(row));
        }
    }

    std::uint64_t count() const noexcept { return count_; }

    std::uint64_t incomplete() const noexcept { return incomplete_; }

    Table take() {
        table_.coverage.events = table_.coverage.used_events = count_;
        return std::move(table_);
    }

private:
    static std::array<Cell, 3> place_of(const etl::flow::Event* event) {
        return event == nullptr ? std::array<Cell, 3>()
                                : std::array<Cell, 3>{Cell(std::uint64_t{event->buffer->number}),
                                                      Cell(std::uint64_t{event->offset()}),
                                                      Cell(event->buffer->where.value)};
    }

    etl::packets::PacketRows rows_;
    std::size_t most_;
    std::vector<std::size_t> shown_; // of etl::packets::packet_columns()
    Table table_;
    std::uint64_t count_ = 0, incomplete_ = 0;
};

void add_remarks(Report& report, const etl::packets::Extractor& extractor,
                 const etl::packets::FlowTable& flows, const PacketTable& packets) {
    const auto note = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) {
            report.notes.push_back(fmt::format("{} {}", plural(count, "packet"), what));
        }
    };
    note(packets.incomplete(), "with missing fragments: see `etl packets`");
    note(extractor.counts().unknown_layouts, "of a version whose layout is not known, omitted");
    note(extractor.counts().no_link, "without a link layer, in no table");
    note(flows.other(), "without an IP header, in no conversation");
    note(flows.beyond_limit(), "of further conversations omitted: too many conversations");
}

} // namespace

bool has_packets(const etl::trace::Summary& summary) {
    constexpr etl::Guid providers[] = {etl::format::ndis_capture_guid, etl::format::pktmon_guid,
                                       etl::format::ras_capture_guid};
    return std::ranges::any_of(
        providers, [&](const etl::Guid& guid) { return summary.by_provider.contains(guid); });
}

ExitCode add_packets(Report& report, const ReportOptions& options) {
    const AnalyzeOptions& read = options.analysis;
    auto rundown =
        etl::packets::survey_of(*report.traces->readers().front(), read.traces.worker_threads());
    if (rundown.survey.packets == 0) {
        return ExitCode::well;
    }
    auto filters = compile(read.filters, report.traces->dataset().bounds());
    if (!filters) {
        return ExitCode::usage;
    }
    const auto context = context_of(*report.traces, read.schemas, needs_of(read.filters));
    const auto again = report.traces->again(etl::packets::is_for_extractor);
    if (!context || !again) {
        return ExitCode::failed;
    }
    filters->inputs = {.schemas = context->schemas,
                       .decoder = {.pointer_size = read.pointer_size},
                       .facts = context->facts,
                       .origins = context->origins};
    FilterChain chain(*again->readers().front(), *filters, again->dataset().upstream());
    etl::packets::Rundowns rundowns(again->readers().front()->info().file);
    rundowns.push_back(
        std::make_shared<const etl::packets::Rundown>(std::move(rundown.survey.rundown)));
    etl::packets::Pass pass(rundowns);
    const etl::packets::Extractor& extractor = pass.extractor();
    etl::packets::FlowTable flows;
    PacketTable packets({extractor, {}, report.schemas}, options.rows);
    const auto take = [&](const Packet& packet) {
        flows.add(packet);
        packets.add(packet);
        return true;
    };
    static_cast<void>(pass.run(chain.end(), {.receive = take})); // its reader has the error
    add_remarks(report, extractor, flows, packets);
    const etl::flow::TraceInfo* const trace = &again->readers().front()->info();
    add_table(report, flows_form,
              etl::packets::flow_table(flows, {.extractor = &extractor, .traces = {&trace, 1}}));
    add_table(report, packets_form, packets.take(), packets.count());
    return ExitCode::well;
}

} // namespace cli::reports
