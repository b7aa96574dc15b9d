#include "verbs/info/needs.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/needs.hpp"
#include "cli/plural.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace cli {

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

} // namespace cli
