#include "verbs/info/shown.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/needs.hpp"
#include "cli/provider_spec.hpp"
#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "flow/losses.hpp"
#include "flow/trace_info.hpp"
#include "format/known_guids.hpp"
#include "format/own_events.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace cli {

namespace {

using etl::decode::FieldWalker;
using etl::decode::Step;

constexpr std::uint16_t provider_enabled = 14;

/// Providers that a runtime can have, as on Windows; a damaged trace may name more.
constexpr std::size_t max_providers = 0x8000;

/// The enablement that an event records, and the session that it is of.
struct Recorded {
    EnabledProvider provider;
    std::string session;
};

void take(Recorded& to, std::string_view name, const etl::decode::Value& value,
          const etl::decode::DecodedEvent& event) {
    if (name == "ProviderName" && value.bytes.size() == to.provider.id.bytes.size()) {
        std::ranges::copy(value.bytes, to.provider.id.bytes.begin());
    } else if (name == "SessionName") {
        etl::decode::append_display(to.session, value, etl::decode::options_for({}, event));
    } else if (name == "MatchAnyKeyword") {
        to.provider.match_any = etl::decode::bits_of(value);
    } else if (name == "MatchAllKeyword") {
        to.provider.match_all = etl::decode::bits_of(value);
    } else if (name == "EnableProperty") {
        to.provider.property = static_cast<std::uint32_t>(etl::decode::bits_of(value));
    } else if (name == "Level") {
        to.provider.level = static_cast<std::uint8_t>(etl::decode::bits_of(value));
    }
}

Recorded recorded_in(const etl::decode::DecodedEvent& event) {
    Recorded result;
    result.provider.time = event.event->raw_time;
    FieldWalker walker;
    walker.start(event.kind->plan, event.body);
    for (Step step = walker.next(); step != Step::end; step = walker.next()) {
        if (step == Step::value) {
            take(result, event.kind->schema->fields[walker.field()].name, walker.value(), event);
        }
    }
    return result;
}

/// Of one thread.
class Collector {
public:
    /// `session`: null: all.
    Collector(etl::schema::SchemasByTrace schemas, const std::string* session)
        : decoder_(std::move(schemas)), session_(session) {}

    void add(const etl::flow::Event& event) {
        const etl::flow::EventHeader header = etl::flow::read_header(event);
        if (header.provider != etl::format::kernel_event_tracing_guid ||
            header.id != provider_enabled) {
            return;
        }
        const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
        if (decoded.kind->schema == nullptr) {
            return;
        }
        Recorded recorded = recorded_in(decoded);
        if (session_ == nullptr || recorded.session == *session_) {
            add(std::move(recorded.provider));
        }
    }

    void combine(const Collector& other) {
        for (const auto& [id, provider] : other.latest_) {
            add(provider);
        }
    }

    const std::map<etl::Guid, EnabledProvider>& latest() const { return latest_; }

private:
    void add(EnabledProvider provider) {
        if (latest_.size() >= max_providers && !latest_.contains(provider.id)) {
            return;
        }
        const auto [at, is_new] = latest_.try_emplace(provider.id, provider);
        if (!is_new && at->second.time <= provider.time) {
            at->second = std::move(provider);
        }
    }

    etl::decode::Decoder decoder_;
    const std::string* session_;
    std::map<etl::Guid, EnabledProvider> latest_;
};

} // namespace

std::vector<EnabledProvider> find_enabled(etl::trace::Reader& reader,
                                          const etl::trace::Summary& summary,
                                          const etl::schema::SchemasByTrace& schemas,
                                          unsigned threads) {
    if (!summary.by_provider.contains(etl::format::kernel_event_tracing_guid)) {
        return {};
    }
    // A relogged trace has another name, and may be of several sessions.
    const etl::format::LogfileHeader& header = reader.info().header;
    const bool is_relogged = (header.log_file_mode & etl::format::log_mode::relog) != 0;
    const std::string session = utf8(header.session_name);
    std::vector<Collector> parts;
    for (unsigned i = 0; i < threads; ++i) {
        parts.emplace_back(schemas, is_relogged ? nullptr : &session);
    }
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            for (const etl::flow::Event& event : events) {
                parts[worker].add(event);
            }
        });
    for (const Collector& part : std::span(parts).subspan(1)) {
        parts.front().combine(part);
    }
    const auto& store = schemas.store_for(reader.info().file);
    std::vector<EnabledProvider> list;
    for (const auto& [id, provider] : parts.front().latest()) {
        list.push_back(provider);
        list.back().name = label_of(id, store.get());
        if (list.back().name == etl::to_string(id)) {
            list.back().name.clear();
        }
    }
    std::ranges::sort(list, {},
                      [](const EnabledProvider& one) { return std::pair(one.name, one.id); });
    return list;
}

namespace {

using etl::decode::NeededSchema;
using etl::decode::Undecoded;

/// The key of a PDB file on a symbol server.
std::string symbol_key(const etl::facts::PdbFile& pdb) {
    std::string key = etl::to_string(pdb.guid);
    std::erase(key, '-');
    for (char& digit : key) {
        digit = digit >= 'a' && digit <= 'f' ? static_cast<char>(digit - 'a' + 'A') : digit;
    }
    return fmt::format("{}{:X}", key, pdb.age);
}

std::string tmf_name(const etl::Guid& message) {
    return etl::to_string(message) + ".tmf";
}

const std::set<std::string>& executables_of(const Need& need, const TraceNeeds& needs) {
    static const std::set<std::string> none;
    const auto found = needs.files.executables().find(need.provider);
    return found == needs.files.executables().end() ? none : found->second;
}

std::string kinds_json(const Need& need) {
    JsonList kinds;
    for (const auto* kind : need.kinds) {
        JsonObject one;
        one.number("id", kind->first.id).number("version", kind->first.version);
        kind->second.event.empty() ? one.raw("event", "null")
                                   : one.text("event", utf8_text(kind->second.event));
        one.number("events", kind->second.events);
        one.text("reason", etl::decode::name(kind->first.reason));
        kinds.raw(one.take());
    }
    return kinds.take();
}

std::string schema_json(const Need& need, const TraceNeeds& needs) {
    JsonObject json;
    json.text("type", etl::decode::name(need.needed));
    json.text("guid", etl::to_string(need.provider));
    need.name.empty() ? json.raw("name", "null") : json.text("name", utf8_text(need.name));
    if (need.needed == NeededSchema::tmf) {
        json.text("tmf", tmf_name(need.provider));
    }
    if (const auto& paths = executables_of(need, needs); !paths.empty()) {
        JsonList list;
        for (const std::string& path : paths) {
            list.text(path);
        }
        json.raw("executables", list.take());
    }
    json.number("events", need.events);
    json.raw("kinds", kinds_json(need));
    return json.take();
}

/// `events 1, 2 version 3, 7`
std::string kinds_text(const Need& need) {
    constexpr std::size_t shown = 12;
    std::vector<std::string> numbers;
    for (const auto* kind : need.kinds) {
        if (numbers.size() == shown) {
            numbers.push_back(fmt::format("and {} more", need.kinds.size() - shown));
            break;
        }
        const auto& [identity, events] = *kind;
        numbers.push_back(identity.version == 0
                              ? fmt::format("{}", identity.id)
                              : fmt::format("{} version {}", identity.id, identity.version));
    }
    const std::string_view what = need.needed == NeededSchema::tmf   ? "message"
                                  : need.needed == NeededSchema::mof ? "event type"
                                                                     : "event";
    return fmt::format("{}{} {}", what, need.kinds.size() == 1 ? "" : "s",
                       fmt::join(numbers, ", "));
}

std::string wanted_text(const Need& need, const TraceNeeds& needs) {
    const std::string guid = etl::to_string(need.provider);
    const std::string name = need.name.empty() ? guid : need.name + " " + guid;
    switch (need.needed) {
    case NeededSchema::manifest: {
        const auto& paths = executables_of(need, needs);
        return fmt::format("manifest of {}{}{}", name, paths.empty() ? "" : ", or the executable ",
                           fmt::join(paths, ", "));
    }
    case NeededSchema::mof:
        return "MOF class " + name;
    case NeededSchema::tmf:
        return fmt::format("TMF file {}, or PDB file of the program", tmf_name(need.provider));
    case NeededSchema::nothing:
        break;
    }
    return "no schema exists for these records" +
           (need.provider == etl::Guid{} ? std::string() : " of " + name);
}

std::string pdbs_text(const std::set<etl::facts::PdbFile>& pdbs) {
    std::string text = "\n  PDB files named in the trace, with symbol server keys\n";
    for (const etl::facts::PdbFile& pdb : pdbs) {
        text += fmt::format("  {}  {}\n", symbol_key(pdb), printable(pdb.name));
    }
    return text;
}

} // namespace

TraceNeeds find_needs(etl::trace::Reader& reader, const etl::schema::SchemasByTrace& schemas,
                      etl::decode::DecoderOptions options, unsigned threads,
                      PassProgress& progress) {
    struct Worker {
        etl::decode::Decoder decoder;
        TraceNeeds needs;
    };

    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) {
        workers.push_back({etl::decode::Decoder(schemas, options), {}});
    }
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            auto& [decoder, needs] = workers[worker];
            for (const etl::flow::Event& event : events) {
                const etl::decode::DecodedEvent& decoded = decoder.decode(event);
                needs.undecoded.add(decoded, decoder.generation());
                needs.files.add(decoded.header);
            }
            progress.add(events.size());
        });
    TraceNeeds whole;
    for (const Worker& worker : workers) {
        whole.undecoded.combine(worker.needs.undecoded);
        whole.files.combine(worker.needs.files);
    }
    return whole;
}

std::string needs_json(const TraceNeeds& needs) {
    JsonList schemas;
    for (const Need& need : needs_of(needs.undecoded)) {
        schemas.raw(schema_json(need, needs));
    }
    JsonList pdbs;
    for (const etl::facts::PdbFile& pdb : needs.files.pdbs()) {
        JsonObject one;
        one.text("name", pdb.name).text("guid", etl::to_string(pdb.guid)).number("age", pdb.age);
        pdbs.raw(one.text("key", symbol_key(pdb)).take());
    }
    JsonObject json;
    json.number("events", needs.undecoded.total());
    json.raw("schemas", schemas.take());
    json.number("unlisted_events", needs.undecoded.others());
    json.raw("pdbs", pdbs.take());
    return json.take();
}

std::string needs_text(const TraceNeeds& needs) {
    const std::uint64_t total = needs.undecoded.total();
    if (total == 0) {
        return "\n  no schemas are missing: every event is decoded\n";
    }
    std::string text =
        fmt::format("\n  {} not decoded for lack of a schema; use --schema with the files below\n\n"
                    "       events  missing\n",
                    plural(total, "event was", "events were"));
    bool has_messages = false;
    for (const Need& need : needs_of(needs.undecoded)) {
        text += fmt::format("{:>13}  {}: {}\n", need.events, printable(wanted_text(need, needs)),
                            kinds_text(need));
        has_messages = has_messages || need.needed == NeededSchema::tmf;
    }
    if (needs.undecoded.others() > 0) {
        text += fmt::format("{:>13}  of other kinds\n", needs.undecoded.others());
    }
    return has_messages && !needs.files.pdbs().empty() ? text + pdbs_text(needs.files.pdbs())
                                                       : text;
}

std::string utf8(std::u16string_view text) {
    std::string result;
    etl::append_utf16le(result, std::as_bytes(std::span(text)));
    return result;
}

bool ShownTrace::are_losses_known() const noexcept {
    const bool has_unknown = summary->by_provider.contains(etl::format::losses_event::provider);
    return etl::flow::counts_losses(*info) && !has_unknown;
}

bool ShownTrace::is_event_log() const noexcept {
    return etl::flow::is_of_event_log(*info);
}

std::uint32_t ShownTrace::processors() const noexcept {
    return info->header.number_of_processors > 0 ? info->header.number_of_processors
                                                 : machine.processors;
}

std::uint32_t ShownTrace::processor_mhz() const noexcept {
    return info->header.cpu_speed_mhz > 0 ? info->header.cpu_speed_mhz : machine.mhz;
}

std::string ShownTrace::time_zone() const {
    return utf8(info->header.time_zone.standard_name);
}

std::string utc_offset(std::int32_t bias_minutes) {
    const std::int64_t minutes = -std::int64_t{bias_minutes};
    return fmt::format("UTC{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                       std::abs(minutes) % 60);
}

namespace {

std::vector<ProviderRow> provider_rows(const etl::trace::Summary& summary,
                                       const etl::schema::SchemaStore* store) {
    std::vector<ProviderRow> rows;
    for (const auto& [guid, counts] : summary.by_provider) {
        rows.push_back({guid, etl::to_string(guid), label_of(guid, store), counts.events,
                        counts.payload_bytes});
    }
    std::ranges::sort(rows, [](const ProviderRow& a, const ProviderRow& b) {
        return a.events != b.events ? a.events > b.events : a.guid < b.guid;
    });
    return rows;
}

} // namespace

OverviewWalk::OverviewWalk(etl::trace::Reader& reader, unsigned threads, PassProgress& progress)
    : reader_(&reader), threads_(threads), parts_(std::make_shared<Parts>()) {
    parts_->by_thread.resize(threads);
    reader.join_next_walk(threads, [parts = parts_, &progress](unsigned worker,
                                                               const etl::trace::BufferEntry&,
                                                               etl::flow::Run events) {
        Overview& mine = parts->by_thread[worker];
        mine.summary.add(events);
        for (const etl::flow::Event& event : events) {
            mine.machine.add(event);
        }
        parts->is_shown = true;
        progress.add(events.size());
    });
}

Overview OverviewWalk::finish() {
    if (!parts_->is_shown) {
        reader_->for_each_buffer(threads_, [](unsigned, const auto&, etl::flow::Run) {});
    }
    Overview all;
    for (const Overview& part : parts_->by_thread) {
        all.summary.combine(part.summary);
        all.machine.combine(part.machine);
    }
    all.summary.damage = reader_->damage_in_buffers();
    return all;
}

Overview look_over(etl::trace::Reader& reader, unsigned threads, PassProgress& progress) {
    return OverviewWalk(reader, threads, progress).finish();
}

ShownTrace shown_of(const etl::trace::Reader& reader, const Overview& overview,
                    const etl::schema::SchemasByTrace& schemas) {
    return {.info = &reader.info(),
            .summary = &overview.summary,
            .machine = overview.machine.get(),
            .providers =
                provider_rows(overview.summary, schemas.store_for(reader.info().file).get()),
            .enabled = {},
            .damage = reader.damage() + overview.summary.damage + overview.summary.invalid_items,
            .missing = etl::trace::find_missing_buffers(reader.info(), reader.buffers()),
            .coverage = nullptr,
            .needs = nullptr};
}

} // namespace cli
