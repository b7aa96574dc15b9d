// The text output of etl info.
#include "catalog/catalog.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "flow/clock.hpp"
#include "flow/trace_info.hpp"
#include "verbs/info/coverage.hpp"
#include "verbs/info/shown.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

namespace log_mode = etl::format::log_mode;

std::string mode_names(std::uint32_t mode) {
    std::string text;
    const auto add = [&](std::uint32_t bit, std::string_view name) {
        if ((mode & bit) != 0) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
        }
    };
    add(log_mode::sequential, "sequential");
    add(log_mode::circular, "circular");
    add(log_mode::append, "append");
    add(log_mode::new_file, "new file");
    add(log_mode::preallocate, "preallocate");
    add(log_mode::relog, "relog");
    add(log_mode::compressed, "compressed");
    add(log_mode::no_per_processor_buffering, "no per-processor buffering");
    return fmt::format("0x{:x}{}", mode, text.empty() ? "" : " (" + text + ")");
}

double seconds(etl::Filetime from, etl::Filetime to) {
    return (static_cast<double>(to.ticks) - static_cast<double>(from.ticks)) / 1e7;
}

class TextTable {
public:
    void row(std::string_view key, std::string_view value) {
        text_ += fmt::format("  {:<14} {}\n", key, printable(value));
    }

    void line(std::string_view text) { text_ += fmt::format("{}\n", text); }

    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

void header_text(const ShownTrace& trace, TextTable& table) {
    const etl::format::LogfileHeader& h = trace.info->header;
    table.row("session", utf8(h.session_name));
    table.row("log file", utf8(h.log_file_name));
    if (h.provider_version > 0) {
        table.row("windows", fmt::format("{}.{} build {}, {}-bit controller", h.major_version,
                                         h.minor_version, h.provider_version, 8 * h.pointer_size));
        table.row("schemas", fmt::format("built-in ones of build {}",
                                         etl::catalog::built_in_generation(h.provider_version)));
    }
    table.row("processors", fmt::format("{}{}", trace.processors(),
                                        trace.processor_mhz() > 0
                                            ? fmt::format(" at {} MHz", trace.processor_mhz())
                                            : ""));
    table.row("mode", mode_names(h.log_file_mode));
    table.row("layout", fmt::format("{}.{}", h.sub_version, h.sub_minor_version));
    table.row("clock",
              fmt::format("{}, {} Hz", name(h.clock_type()), trace.info->clock.frequency()));
    table.row("time zone", fmt::format("{}{}{}", trace.time_zone(),
                                       trace.time_zone().empty() ? "" : ", standard time ",
                                       utc_offset(h.time_zone.bias)));
    if (h.boot_time != 0) {
        table.row("booted", rfc3339({h.boot_time}));
    }
    const auto recorded = [](std::int64_t time) {
        return time != 0 ? rfc3339({time}) : "not recorded";
    };
    table.row("started", recorded(h.start_time));
    table.row("stopped",
              trace.info->is_unfinalized ? "never (not finalized)" : recorded(h.end_time));
    const auto buffers_lost = etl::trace::buffers_lost_by_session(*trace.info);
    table.row("lost",
              fmt::format(
                  "{}, {}{}", plural(h.events_lost, "event"), plural(buffers_lost, "buffer"),
                  trace.are_losses_known() ? "" : ", or more: the trace does not state the total"));
}

/// Rows for recorded values only.
void machine_text(const etl::facts::Machine& machine, TextTable& table) {
    const auto row = [&](std::string_view key, const std::string& value) {
        if (!value.empty()) {
            table.row(key, value);
        }
    };
    row("computer", machine.domain_name.empty()
                        ? machine.computer_name
                        : fmt::format("{}, domain {}", machine.computer_name, machine.domain_name));
    row("build", machine.product_name.empty()
                     ? machine.build_lab
                     : fmt::format("{}, {}", machine.product_name, machine.build_lab));
    if (machine.memory_mb > 0) {
        table.row("memory", fmt::format("{} MB", machine.memory_mb));
    }
}

void span_text(std::string_view from, std::string_view to, std::optional<etl::Filetime> first,
               std::optional<etl::Filetime> last, TextTable& table) {
    if (first && last) {
        table.row(from, rfc3339(*first));
        table.row(to, fmt::format("{} ({:.6f} s later)", rfc3339(*last), seconds(*first, *last)));
    }
}

std::string decoding_text(const ShownTrace& trace) {
    std::vector<LabelledProvider> providers;
    for (const ProviderRow& row : trace.providers) {
        providers.push_back({row.id, row.name.empty() ? row.guid : row.name});
    }
    return coverage_text(*trace.coverage, providers);
}

} // namespace

std::string info_text(const ShownTrace& trace) {
    const etl::trace::Summary& summary = *trace.summary;
    TextTable table;
    table.line(printable(trace.info->name));
    if (etl::flow::is_header_stated(*trace.info)) {
        header_text(trace, table);
    } else if (trace.is_event_log()) {
        table.row("header", "none: the events are those of an event log");
        if (const auto missing = trace.info->header.events_lost; missing > 0) {
            table.row("missing", fmt::format("{}; see `etl check`", plural(missing, "record")));
        } else if (!trace.are_losses_known()) {
            table.row("missing", "unknown: the event log was not closed");
        }
    } else {
        table.row("header", "missing or unreadable");
    }
    machine_text(trace.machine, table);
    table.row(
        "size",
        fmt::format("{} bytes in {} of {} bytes{}", trace.info->file_size,
                    plural(trace.info->buffers, "buffer"), trace.info->header.buffer_size,
                    trace.info->compressed_buffers > 0
                        ? fmt::format(", {} of them compressed", trace.info->compressed_buffers)
                        : ""));
    if (const auto& container = trace.info->container; !container.name.empty()) {
        table.row("container",
                  fmt::format("{}, {}, {} bytes ({:.1f}% of the trace)", container.name,
                              plural(container.frames, "frame"), container.size,
                              100.0 * static_cast<double>(container.size) /
                                  static_cast<double>(trace.info->file_size)));
    }
    table.row("events", fmt::format("{}", summary.events));
    if (summary.without_timestamp > 0) {
        table.row("without time", fmt::format("{}", summary.without_timestamp));
    }
    span_text("first", "last", trace.time(summary.first_time), trace.time(summary.last_time),
              table);
    if (summary.first_own_time != summary.first_time ||
        summary.last_own_time != summary.last_time) {
        span_text("first own", "last own", trace.time(summary.first_own_time),
                  trace.time(summary.last_own_time), table);
    }
    for (const etl::flow::ClockRollback& set_back : trace.info->clock_rollbacks) {
        const etl::Filetime before = trace.info->clock.to_filetime(set_back.before);
        const etl::Filetime after = trace.info->clock.to_filetime(set_back.after);
        table.row("clock set back", fmt::format("by at least {:.6f} s, from {} to {} (buffer {})",
                                                seconds(after, before), rfc3339(before),
                                                rfc3339(after), set_back.buffer));
    }
    if (!trace.missing.gaps.empty()) {
        table.row("missing",
                  fmt::format("{}{}; see `etl check`", plural(trace.missing.count(), "buffer"),
                              trace.missing.is_loss() ? "" : " (not a loss)"));
    }
    table.row("damage", trace.damage == 0
                            ? "none"
                            : fmt::format("{}; see `etl check`", plural(trace.damage, "finding")));
    table.line("\n      records  kind");
    for (std::size_t i = 0; i < summary.by_kind.size(); ++i) {
        if (summary.by_kind[i] > 0) {
            table.line(fmt::format("{:>13}  {}", summary.by_kind[i],
                                   etl::format::name(etl::format::record_kind_of(i))));
        }
    }
    table.line("\n       events  payload bytes  provider");
    for (const ProviderRow& row : trace.providers) {
        table.line(fmt::format("{:>13}  {:>13}  {}{}{}", row.events, row.payload_bytes,
                               printable(row.name), row.name.empty() ? "" : " ", row.guid));
    }
    if (!trace.enabled.empty()) {
        table.line("\n           keywords  level  enabled provider");
    }
    for (const EnabledProvider& provider : trace.enabled) {
        const std::string keywords =
            provider.match_any ? fmt::format("{:#x}", *provider.match_any) : "-";
        const std::string level = provider.level ? fmt::format("{}", *provider.level) : "-";
        table.line(fmt::format("{:>19}  {:>5}  {}{}{}", keywords, level, printable(provider.name),
                               provider.name.empty() ? "" : " ", etl::to_string(provider.id)));
    }
    return table.take() + (trace.coverage != nullptr ? decoding_text(trace) : "") +
           (trace.needs != nullptr ? needs_text(*trace.needs) : "");
}

} // namespace cli
