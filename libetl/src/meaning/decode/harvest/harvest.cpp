#include "decode/harvest.hpp"

#include "base/text.hpp"
#include "decode/harvest/embedded_records.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "schema/limits.hpp"
#include "schema/manifest.hpp"
#include "schema/tracelogging.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>

namespace etl::decode {

namespace {

using format::EventIdentity;

constexpr std::uint16_t process_start_hook = 0x0301;
constexpr std::uint16_t process_start_id = 1;

/// Whether decoding by either gives the same: those of two versions of an EventSource mostly do.
bool are_alike(const schema::EventSchema& a, const schema::EventSchema& b) {
    const auto of_extent = [](const schema::Extent& extent) {
        return std::tuple(extent.kind, extent.value);
    };
    const auto fields = [&](const schema::Field& field) {
        return std::tuple(field.name, field.in_type, field.out_type, of_extent(field.count),
                          of_extent(field.length), field.map, field.members);
    };
    const auto of_map = [](const std::shared_ptr<const schema::ValueMap>& map) {
        return std::tuple(map->name, map->kind, map->entries);
    };
    const auto names = [](const schema::EventSchema& schema) {
        return std::tie(schema.event_name, schema.task_name, schema.opcode_name, schema.message,
                        schema.channel, schema.level, schema.opcode, schema.task, schema.keyword);
    };
    return a.id == b.id && a.version == b.version && names(a) == names(b) &&
           std::ranges::equal(a.fields, b.fields, {}, fields, fields) &&
           std::ranges::equal(a.maps, b.maps, {}, of_map, of_map);
}

constexpr std::size_t with_slack(std::size_t limit) {
    return limit + limit / 4;
}

} // namespace

Harvest::Position Harvest::position_of(const flow::Event& event) noexcept {
    return {event.trace().file, event.buffer->number, event.offset()};
}

void Harvest::add(std::span<const flow::Event> events) {
    for (const flow::Event& event : events) {
        const format::RecordTraits& traits = format::traits_of(event.kind);
        switch (traits.identity) {
        case EventIdentity::descriptor:
            add_event(event);
            break;
        case EventIdentity::event_class:
            add_classic(event);
            break;
        case EventIdentity::message:
            add_provider(flow::read_header(event).provider);
            break;
        case EventIdentity::hook:
            add_kernel(event);
            break;
        case EventIdentity::none:
            if (traits.at.provider != 0) {
                add_provider(flow::read_header(event).provider);
            }
            break;
        }
    }
}

void Harvest::add_event(const flow::Event& event) {
    const auto provider = flow::stored<format::event_record::provider_id>(event);
    Recent& recent = add_provider(provider);
    const auto id = flow::stored<format::event_record::id>(event);
    if (id == schema::manifest_chunk_id) [[unlikely]] {
        add_chunk(event);
    } else if (id == process_start_id && provider == format::kernel_process_guid) [[unlikely]] {
        add_process_start(event);
    }
    if ((flow::stored<format::event_record::flags>(event) & format::event_flag::extended_info) !=
        0) {
        const Position where = position_of(event);
        if (where < recent.named) {
            recent.named = add_traits(event, provider, where);
        }
    }
}

void Harvest::add_classic(const flow::Event& event) {
    const auto guid = flow::stored<format::full_record::guid>(event);
    if (guid != format::event_metadata_guid) {
        add_provider(guid);
        return;
    }
    if (format::is_full(event.kind)) {
        add_blob(event, flow::stored<format::full_record::type>(event),
                 event.bytes().subspan(format::full_record::size));
    }
}

// SYSTEM, COMPACT and PERFINFO headers have the hook at one place.
void Harvest::add_kernel(const flow::Event& event) {
    const auto hook = flow::stored<format::system_record::hook_id>(event);
    if (hook == process_start_hook) [[unlikely]] {
        add_process_start(event);
    }
    if (!hooks_[hook]) [[unlikely]] {
        hooks_[hook] = true;
        if (const Guid guid = format::class_of_hook(hook); !guid.is_zero()) {
            note_provider(guid);
        }
    }
}

// ProcessId is first, or behind a pointer: the page directory, later the key of the process.
// schemas/kernel/process.mof; Microsoft-Windows-Kernel-Process ProcessStart
void Harvest::add_process_start(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    const std::size_t at = header.is_kernel && header.version > 0 ? header.pointer_size : 0U;
    if (!event.has_time || header.payload.size() < at + sizeof(std::uint32_t)) {
        return;
    }
    if (process_starts_.size() < limits::harvested_process_starts) {
        process_starts_.emplace_back(load_le<std::uint32_t>(header.payload.data() + at),
                                     event.raw_time);
    }
}

void Harvest::note_provider(const Guid& guid) {
    found_ += providers_.insert(guid).second ? 1U : 0U;
}

Harvest::Recent& Harvest::add_provider(const Guid& guid) {
    Recent& recent =
        recent_[std::to_integer<std::size_t>(guid.bytes[0] ^ guid.bytes[5]) % recent_.size()];
    if (recent.guid != guid) [[unlikely]] {
        const auto name = names_.find(guid);
        recent = {guid, name != names_.end() ? name->second.where : nowhere};
        if (!guid.is_zero()) {
            note_provider(guid);
        }
    }
    return recent;
}

// Takes the name from an event that lies before all others which named the provider. Returns where
// it is named now.
Harvest::Position Harvest::add_traits(const flow::Event& event, const Guid& provider,
                                      Position where) {
    format::ExtendedItems items(event.bytes().subspan(format::event_record::size));
    format::ExtendedItem item;
    while (items.next(item)) {
        if (item.type != format::ItemType::provider_traits) {
            continue;
        }
        const auto traits = format::parse_provider_traits(item.data);
        if (!traits) {
            break;
        }
        Name& name = names_[provider];
        found_ += name.text.empty() ? 1U : 0U;
        name.where = where;
        name.text.clear();
        append_utf8(name.text, traits->name);
        if (traits->decode) {
            note_provider(*traits->decode);
        }
        return where;
    }
    const auto name = names_.find(provider);
    return name != names_.end() ? name->second.where : nowhere;
}

void Harvest::add_chunk(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    if (schema::is_manifest_chunk(header.id, header.opcode, header.payload)) {
        const std::uint64_t position = event.buffer->number << 32U | event.offset();
        ++found_;
        chunks_.add(header.provider, header.process_id, header.thread_id, event.raw_time, position,
                    header.payload);
    }
}

void Harvest::add_blob(const flow::Event& event, std::uint8_t type, Bytes blob) {
    if (type != event_info_type && type != map_info_type) {
        return;
    }
    const std::string_view content = as_text(blob);
    const Blob<std::string_view> key{std::hash<std::string_view>{}(content), type, content};
    const Position where = position_of(event);
    if (const auto known = blobs_.find(key); known != blobs_.end()) {
        known->second = std::min(known->second, where);
    } else if (where < blobs_end_) {
        blobs_.emplace(Blob<std::string>{key.hash, type, std::string(content)}, where);
        blob_bytes_ += content.size();
        ++found_;
        if (has_excess_blobs()) {
            thin_blobs();
        }
    }
}

bool Harvest::has_excess_blobs() const noexcept {
    return blobs_.size() > with_slack(limits::harvested_schemas) ||
           blob_bytes_ > with_slack(schema::limits::manifest_bytes);
}

// Keeps the first blobs by position, as many as the limits allow, and returns them so ordered. What
// a thread leaves out has so many others before it that it would not stay in the end either: the
// outcome does not depend on threads.
std::vector<Harvest::Blobs::const_iterator> Harvest::thin_blobs() {
    std::vector<Blobs::const_iterator> ordered;
    ordered.reserve(blobs_.size());
    for (auto blob = blobs_.cbegin(); blob != blobs_.cend(); ++blob) {
        ordered.push_back(blob);
    }
    std::ranges::sort(ordered, [](const auto& a, const auto& b) {
        return a->second != b->second ? a->second < b->second : a->first < b->first;
    });
    std::size_t kept = 0;
    std::size_t bytes = 0;
    for (; kept < std::min(ordered.size(), limits::harvested_schemas); ++kept) {
        const std::size_t size = ordered[kept]->first.content.size();
        if (ordered[kept]->second >= blobs_end_ || size > schema::limits::manifest_bytes - bytes) {
            break;
        }
        bytes += size;
    }
    if (kept < ordered.size()) {
        blobs_end_ = std::min(blobs_end_, ordered[kept]->second);
    }
    for (std::size_t i = kept; i < ordered.size(); ++i) {
        blobs_.erase(ordered[i]);
    }
    ordered.resize(kept);
    blob_bytes_ = bytes;
    return ordered;
}

void Harvest::combine(Harvest&& other) {
    providers_.merge(other.providers_);
    found_ += other.found_;
    for (auto& [guid, name] : other.names_) {
        const auto [known, is_new] = names_.try_emplace(guid, name);
        if (!is_new && name.where < known->second.where) {
            known->second = std::move(name);
        }
    }
    blobs_end_ = std::min(blobs_end_, other.blobs_end_);
    while (!other.blobs_.empty()) {
        auto blob = other.blobs_.extract(other.blobs_.begin());
        const std::size_t size = blob.key().content.size();
        const Position where = blob.mapped();
        const auto added = blobs_.insert(std::move(blob));
        if (added.inserted) {
            blob_bytes_ += size;
        } else {
            added.position->second = std::min(added.position->second, where);
        }
    }
    other.blob_bytes_ = 0;
    if (has_excess_blobs()) {
        thin_blobs();
    }
    chunks_.combine(std::move(other.chunks_));
    process_starts_.insert(process_starts_.end(), other.process_starts_.begin(),
                           other.process_starts_.end());
    other.process_starts_.clear();
}

HarvestReport Harvest::finish(schema::SchemaStore& store) {
    HarvestReport report;
    add_manifests(store, report);
    add_embedded(store, report);
    for (auto& [guid, name] : names_) {
        auto names = std::make_shared<schema::ProviderNames>();
        names->guid = guid;
        names->name = std::move(name.text);
        store.add_provider(std::move(names));
        ++report.names;
    }
    report.omitted = blobs_end_ != nowhere || chunks_.omitted() ||
                     process_starts_.size() >= limits::harvested_process_starts;
    return report;
}

/// Ends the lifetimes of processes whose IDs were used again; of one process, only the first and
/// the last log say more than the others. `process_starts_` is sorted.
void Harvest::limit_lives(schema::ManifestLogs& logs) const {
    schema::ManifestLogs kept;
    for (schema::ManifestLog& log : logs) {
        const auto next =
            std::ranges::upper_bound(process_starts_, std::pair(log.process, log.time));
        if (next != process_starts_.end() && next->first == log.process) {
            log.end = next->second;
        }
        if (next != process_starts_.begin() && (next - 1)->first == log.process) {
            log.begin = (next - 1)->second;
        }
        const bool is_third = kept.size() > 1 && kept.back().process == log.process &&
                              kept.back().begin == log.begin &&
                              (kept.end() - 2)->process == log.process &&
                              (kept.end() - 2)->begin == log.begin;
        if (is_third) {
            kept.back() = log;
        } else {
            kept.push_back(log);
        }
    }
    logs = std::move(kept);
}

// Two versions of an EventSource may describe one event differently: which of them counts is a
// matter of the process. The one that was logged last comes first. docs/schemas.md
void Harvest::add_manifests(schema::SchemaStore& store, HarvestReport& report) {
    std::ranges::sort(process_starts_);
    std::vector<schema::LoggedManifest> all = chunks_.logged_manifests();
    for (schema::LoggedManifest& manifest : all) {
        limit_lives(manifest.logs);
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, [](const auto& manifest) {
        return std::ranges::max(manifest.logs, {}, &schema::ManifestLog::time).time;
    });
    using Key = std::tuple<Guid, std::uint16_t, std::uint8_t>;
    std::map<Key, std::vector<std::pair<std::shared_ptr<const schema::EventSchema>,
                                        std::shared_ptr<schema::ManifestLogs>>>>
        known;
    for (const schema::LoggedManifest& logged : all) {
        const auto manifest = schema::parse_manifest(std::as_bytes(std::span(logged.text)),
                                                     {.origin = schema::Origin::eventsource});
        if (!manifest) {
            report.notes.push_back("manifest of provider " + to_string(logged.provider) + ": " +
                                   manifest.error().reason);
            continue;
        }
        ++report.manifests;
        for (const auto& names : manifest->providers) {
            store.add_provider(names);
        }
        for (const auto& event : manifest->events) {
            const Guid provider = event->provider ? event->provider->guid : Guid{};
            auto& layouts = known[{provider, event->id, event->version}];
            const auto same = std::ranges::find_if(
                layouts, [&](const auto& layout) { return are_alike(*layout.first, *event); });
            if (same != layouts.end()) {
                schema::ManifestLogs& logs = *same->second;
                logs.insert(logs.end(), logged.logs.begin(), logged.logs.end());
                std::ranges::sort(logs);
                continue;
            }
            auto logs = std::make_shared<schema::ManifestLogs>(logged.logs);
            auto described = std::make_shared<schema::EventSchema>(*event);
            described->logs = logs;
            layouts.emplace_back(described, std::move(logs));
            store.add(std::move(described));
            ++report.events;
        }
    }
}

void Harvest::add_embedded(schema::SchemaStore& store, HarvestReport& report) {
    std::vector<schema::EmbeddedEvent> events;
    std::vector<schema::EmbeddedMap> maps;
    const auto take = [&](auto parsed, auto& list) {
        if (parsed) {
            list.push_back(std::move(*parsed));
        } else {
            report.notes.push_back("embedded event information: " + describe(parsed.error()));
        }
    };
    for (const auto& blob : thin_blobs()) {
        const Bytes content = std::as_bytes(std::span(blob->first.content));
        if (blob->first.type == event_info_type) {
            take(schema::parse_event_info(content), events);
        } else {
            take(schema::parse_map_info(content), maps);
        }
    }
    for (auto& event : schema::bind_maps(std::move(events), maps)) {
        store.add(std::move(event));
        ++report.events;
    }
    report.maps = maps.size();
}

void TraceLoggingHarvest::add(flow::Run events) {
    for (const flow::Event& event : events) {
        const DecodedEvent& decoded = decoder_.decode(event);
        if (decoder_.generation() != generation_) {
            generation_ = decoder_.generation();
            seen_.clear();
        }
        const std::uint32_t number = decoded.kind->number;
        if (number >= seen_.size()) {
            seen_.resize(number + std::size_t{1});
        }
        if (!seen_[number]) {
            seen_[number] = true;
            add(decoded);
        }
    }
}

void TraceLoggingHarvest::add(const DecodedEvent& event) {
    if (!event.kind->is_self_describing()) {
        return;
    }
    const flow::EventHeader& header = event.header;
    auto schema = std::make_shared<schema::EventSchema>(*event.kind->schema);
    schema->id = header.id;
    schema->version = header.version;
    schema->channel = header.channel;
    schema->level = header.level;
    schema->opcode = header.opcode;
    schema->task = header.task;
    schema->keyword = header.keyword;
    Key key{header.provider,
            schema->event_name,
            {header.id, header.version, header.level, header.opcode, header.task, header.keyword},
            std::string(as_text(event.items.metadata))};
    schemas_.try_emplace(std::move(key), std::move(schema));
    thin();
}

// The first by key stay, so that the outcome does not depend on threads.
void TraceLoggingHarvest::thin() {
    while (schemas_.size() > limits::harvested_schemas) {
        schemas_.erase(std::prev(schemas_.end()));
        omitted_ = true;
    }
}

void TraceLoggingHarvest::combine(TraceLoggingHarvest&& other) {
    schemas_.merge(other.schemas_);
    omitted_ |= other.omitted_;
    thin();
}

schema::SchemaSet TraceLoggingHarvest::take() {
    schema::SchemaSet set;
    std::unordered_map<Guid, std::shared_ptr<const schema::ProviderNames>> providers;
    for (auto& [key, schema] : schemas_) {
        const auto [names, is_new] = providers.try_emplace(key.provider, schema->provider);
        if (is_new) {
            set.providers.push_back(names->second);
        }
        set.events.push_back(std::move(schema));
    }
    schemas_.clear();
    return set;
}

} // namespace etl::decode
