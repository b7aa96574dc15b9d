// etl info: what a trace says of itself, and what it holds.
#include <etl/base/text.hpp>
#include <etl/decode/hook_names.hpp>
#include <etl/decode/known_providers.hpp>
#include <etl/flow/clock.hpp>
#include <etl/format/kernel_group.hpp>
#include <etl/io/output_file.hpp>
#include <etl/trace/summary.hpp>

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/output_guard.hpp"
#include "cli/pointer_size.hpp"
#include "cli/schemas.hpp"
#include "cli/traces.hpp"
#include "cli/verbs.hpp"
#include "verbs/info/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

namespace log_mode = etl::format::log_mode;

struct InfoOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    bool json = false;
    bool decode = false;
    etl::decode::DecoderOptions decoder;
};

constexpr const char* footer = R"(Examples:
  etl info trace.etl
  etl info --json trace.etl | jq '.providers[0:5]'
  etl info --decode --schema manifests.zip trace.etl
  etl info --decode --json trace.etl | jq '.decoding.raw_because'
The JSON is described in docs/info-and-check.md.)";

std::string utf8(std::u16string_view text) {
    std::string result;
    etl::append_utf16le(result, std::as_bytes(std::span(text)));
    return result;
}

/// One provider's line, most events first.
struct ProviderRow {
    etl::Guid id;
    std::string guid; // as text
    std::string name; // empty: unknown
    std::uint64_t events;
    std::uint64_t payload_bytes;
};

/// A class that goes by the kernel's name; empty: it is none.
std::string_view kernel_class(const etl::Guid& guid) {
    const auto name = etl::format::class_name(guid);
    return name.empty() ? etl::decode::ungrouped_class_name(guid) : name;
}

std::string name_of(const etl::Guid& guid, const etl::schema::SchemaStore* store) {
    if (const auto name = kernel_class(guid); !name.empty()) {
        return fmt::format("{}/{}", etl::format::system_trace_name, name);
    }
    const auto* names = store != nullptr ? store->provider(guid) : nullptr;
    return names != nullptr ? names->name : std::string(etl::decode::known_provider_name(guid));
}

std::vector<ProviderRow> provider_rows(const etl::trace::Summary& summary,
                                       const etl::schema::SchemaStore* store) {
    std::vector<ProviderRow> rows;
    for (const auto& [guid, counts] : summary.by_provider) {
        rows.push_back({guid, etl::to_string(guid), name_of(guid, store), counts.events,
                        counts.payload_bytes});
    }
    std::ranges::sort(rows, [](const ProviderRow& a, const ProviderRow& b) {
        return a.events != b.events ? a.events > b.events : a.guid < b.guid;
    });
    return rows;
}

/// Everything that is shown of one trace.
struct Facts {
    const etl::flow::TraceInfo* info;
    const etl::trace::Summary* summary;
    std::vector<ProviderRow> providers;
    std::uint64_t damage;
    const etl::decode::Coverage* coverage; // null: not asked for

    std::optional<etl::Filetime> time(const std::optional<std::int64_t>& raw) const {
        return raw ? std::optional(info->clock.to_filetime(*raw)) : std::nullopt;
    }
};

std::optional<etl::Filetime> non_zero(std::int64_t filetime) {
    return filetime != 0 ? std::optional(etl::Filetime{filetime}) : std::nullopt;
}

void header_json(const Facts& facts, JsonObject& json) {
    const etl::format::LogfileHeader& h = facts.info->header;
    json.text("session", utf8(h.session_name));
    json.text("log_file_name", utf8(h.log_file_name));
    json.text("windows",
              fmt::format("{}.{}.{}", h.major_version, h.minor_version, h.provider_version));
    json.text("layout", fmt::format("{}.{}", h.sub_version, h.sub_minor_version));
    json.number("processors", h.number_of_processors);
    json.number("pointer_size", h.pointer_size);
    json.number("log_file_mode", h.log_file_mode);
    json.number("buffer_size", h.buffer_size);
    json.number("buffers_written", h.buffers_written);
    json.number("maximum_file_size", h.maximum_file_size);
    json.text("clock", name(h.clock_type()));
    json.number("clock_frequency", facts.info->clock.frequency());
    json.time("start_time", non_zero(h.start_time));
    json.time("end_time", non_zero(h.end_time));
    json.time("boot_time", non_zero(h.boot_time));
    json.number("utc_bias_minutes", h.time_zone.bias);
    json.number("events_lost", h.events_lost);
    json.number("buffers_lost", h.buffers_lost);
}

std::string set_backs_json(std::span<const etl::flow::SetBack> set_backs,
                           const etl::flow::Clock& clock) {
    std::string rows;
    for (const etl::flow::SetBack& set_back : set_backs) {
        JsonObject row;
        row.number("buffer", set_back.buffer);
        row.time("before", clock.to_filetime(set_back.before));
        row.time("after", clock.to_filetime(set_back.after));
        rows += (rows.empty() ? "" : ",") + row.take();
    }
    return "[" + rows + "]";
}

std::string as_json(const Facts& facts) {
    JsonObject json;
    json.text("file", utf8_text(facts.info->name));
    json.number("size", facts.info->file_size);
    if (const auto& packing = facts.info->packing; !packing.container.empty()) {
        JsonObject container;
        container.text("kind", packing.container);
        container.number("frames", packing.frames);
        container.number("packed_size", packing.size);
        json.raw("container", container.take());
    }
    json.boolean("has_header", facts.info->has_header);
    if (facts.info->has_header) {
        header_json(facts, json);
    }
    json.boolean("unfinished", facts.info->unfinished);
    json.number("buffers", facts.info->buffers);
    json.number("compressed_buffers", facts.info->compressed_buffers);
    json.number("events", facts.summary->events);
    json.time("first_event", facts.time(facts.summary->first_time));
    json.time("last_event", facts.time(facts.summary->last_time));
    if (const auto& set_backs = facts.info->set_backs; !set_backs.empty()) {
        json.raw("set_backs", set_backs_json(set_backs, facts.info->clock));
    }
    json.number("damage", facts.damage);
    JsonObject kinds;
    for (std::size_t i = 0; i < facts.summary->by_kind.size(); ++i) {
        if (facts.summary->by_kind[i] > 0) {
            kinds.number(etl::format::name(static_cast<etl::format::RecordKind>(i)),
                         facts.summary->by_kind[i]);
        }
    }
    json.raw("record_kinds", kinds.take());
    std::string rows;
    for (const ProviderRow& row : facts.providers) {
        JsonObject provider;
        provider.text("guid", row.guid);
        if (row.name.empty()) {
            provider.raw("name", "null");
        } else {
            provider.text("name", row.name);
        }
        provider.number("events", row.events);
        provider.number("payload_bytes", row.payload_bytes);
        if (facts.coverage != nullptr) {
            provider.raw("decoding", coverage_json(facts.coverage->providers().at(row.id)));
        }
        rows += (rows.empty() ? "" : ",") + provider.take();
    }
    json.raw("providers", "[" + rows + "]");
    if (facts.coverage != nullptr) {
        json.raw("decoding", coverage_json(facts.coverage->total()));
    }
    return json.take() + "\n";
}

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
    return fmt::format("0x{:X}{}", mode, text.empty() ? "" : " (" + text + ")");
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

void header_text(const Facts& facts, TextTable& table) {
    const etl::format::LogfileHeader& h = facts.info->header;
    table.row("session", utf8(h.session_name));
    table.row("written to", utf8(h.log_file_name));
    table.row("windows", fmt::format("{}.{} build {}, {} processors, {}-bit controller",
                                     h.major_version, h.minor_version, h.provider_version,
                                     h.number_of_processors, 8 * h.pointer_size));
    table.row("mode", mode_names(h.log_file_mode));
    table.row("layout", fmt::format("{}.{}", h.sub_version, h.sub_minor_version));
    table.row("clock",
              fmt::format("{}, {} Hz", name(h.clock_type()), facts.info->clock.frequency()));
    table.row("started", rfc3339({h.start_time}));
    table.row("stopped",
              facts.info->unfinished ? "never (unfinished file)" : rfc3339({h.end_time}));
    table.row("lost", fmt::format("{} events, {} buffers", h.events_lost, h.buffers_lost));
}

std::string decoding_text(const Facts& facts) {
    std::vector<LabelledProvider> providers;
    for (const ProviderRow& row : facts.providers) {
        providers.push_back({row.id, row.name.empty() ? row.guid : row.name});
    }
    return coverage_text(*facts.coverage, providers);
}

std::string as_text(const Facts& facts) {
    const etl::trace::Summary& summary = *facts.summary;
    TextTable table;
    table.line(printable(facts.info->name));
    if (facts.info->has_header) {
        header_text(facts, table);
    } else {
        table.row("header", "none that can be read");
    }
    table.row("size", fmt::format("{} bytes in {} buffers of {} bytes{}", facts.info->file_size,
                                  facts.info->buffers, facts.info->header.buffer_size,
                                  facts.info->compressed_buffers > 0
                                      ? fmt::format(", {} of them compressed",
                                                    facts.info->compressed_buffers)
                                      : ""));
    if (const auto& packing = facts.info->packing; !packing.container.empty()) {
        table.row("container", fmt::format("{}, {} frames, {} bytes ({:.1f} % of the trace)",
                                           packing.container, packing.frames, packing.size,
                                           100.0 * static_cast<double>(packing.size) /
                                               static_cast<double>(facts.info->file_size)));
    }
    table.row("events", fmt::format("{}", summary.events));
    if (const auto first = facts.time(summary.first_time)) {
        const auto last = *facts.time(summary.last_time);
        table.row("first", rfc3339(*first));
        table.row("last",
                  fmt::format(
                      "{} ({:.6f} s later)", rfc3339(last),
                      (static_cast<double>(last.ticks) - static_cast<double>(first->ticks)) / 1e7));
    }
    for (const etl::flow::SetBack& set_back : facts.info->set_backs) {
        const etl::Filetime before = facts.info->clock.to_filetime(set_back.before);
        const etl::Filetime after = facts.info->clock.to_filetime(set_back.after);
        table.row("clock set back",
                  fmt::format(
                      "by at least {:.6f} s, from {} to {} (buffer {})",
                      (static_cast<double>(before.ticks) - static_cast<double>(after.ticks)) / 1e7,
                      rfc3339(before), rfc3339(after), set_back.buffer));
    }
    table.row("damage", facts.damage == 0
                            ? "none"
                            : fmt::format("{} findings; see `etl check`", facts.damage));
    table.line("\n      records  kind");
    for (std::size_t i = 0; i < summary.by_kind.size(); ++i) {
        if (summary.by_kind[i] > 0) {
            table.line(fmt::format("{:>13}  {}", summary.by_kind[i],
                                   etl::format::name(static_cast<etl::format::RecordKind>(i))));
        }
    }
    table.line("\n       events  payload bytes  provider");
    for (const ProviderRow& row : facts.providers) {
        table.line(fmt::format("{:>13}  {:>13}  {}{}{}", row.events, row.payload_bytes,
                               printable(row.name), row.name.empty() ? "" : " ", row.guid));
    }
    return table.take() + (facts.coverage != nullptr ? decoding_text(facts) : "");
}

/// An object for each trace that cannot be opened; false if standard output fails, which is
/// printed.
bool write_unopened(const Traces& traces, etl::Output& output) {
    std::string text;
    for (const auto& problem : traces.problems()) {
        if (problem.extent == etl::trace::InputProblem::Extent::whole) {
            text += unopened_json(problem.name, problem.error);
        }
    }
    const auto written = output.write(text);
    if (!written) {
        say("standard output", written.error());
    }
    return written.has_value();
}

ExitCode run(const InfoOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits_standard_streams()) {
        return ExitCode::failed;
    }
    const Traces traces(options.traces);
    etl::io::StandardOutput output;
    if (options.json && !write_unopened(traces, output)) {
        return ExitCode::failed;
    }
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    const unsigned threads = options.traces.worker_threads();
    const auto schemas = gather_schemas(options.schemas, traces, threads);
    if (!schemas) {
        return ExitCode::failed;
    }
    bool first = true;
    ExitCode exit = traces.exit_code();
    for (const auto& reader : traces.readers()) {
        const etl::trace::Summary summary = etl::trace::summarize(*reader, threads);
        etl::decode::Coverage coverage;
        if (options.decode) {
            coverage = measure_coverage(*reader, *schemas, options.decoder, threads);
        }
        const Facts facts{&reader->info(), &summary,
                          provider_rows(summary, schemas->of(reader->info().file).get()),
                          reader->damage() + summary.damage, options.decode ? &coverage : nullptr};
        exit = worst(exit, facts.damage > 0 ? ExitCode::damaged : ExitCode::well);
        const std::string gap = options.json || first ? "" : "\n";
        first = false;
        if (auto written = output.write(gap + (options.json ? as_json(facts) : as_text(facts)));
            !written) {
            say("standard output", written.error());
            return ExitCode::failed;
        }
    }
    return exit;
}

} // namespace

void add_info(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb =
        *etl.add_subcommand("info", "Show what traces say of themselves and what they hold");
    auto options = std::make_shared<InfoOptions>();
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    verb.add_flag("--json", options->json, "one JSON object per file");
    verb.add_flag("--decode", options->decode,
                  "decode every event and count what was decoded, how well, and why not the rest");
    add_pointer_size(verb, options->decoder.pointer_size);
    verb.footer(footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
