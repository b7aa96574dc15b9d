#include <etl/base/limits.hpp>
#include <etl/base/text.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>
#include <etl/schema/manifest.hpp>
#include <etl/schema/tracelogging.hpp>

#include <algorithm>
#include <functional>
#include <iterator>

namespace etl::decode {

namespace {

using format::RecordKind;

constexpr std::uint16_t manifest_id = 0xFFFE;
constexpr std::uint8_t event_info_type = 32;
constexpr std::uint8_t map_info_type = 33;

template <auto field>
auto get(const flow::Event& event) noexcept {
    return load_le<typename decltype(field)::type>(event.record + field.offset);
}

template <typename List>
void move_behind(List& to, List& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from.clear();
}

} // namespace

Harvest::Position Harvest::position_of(const flow::Event& event) noexcept {
    return {event.trace().file, event.buffer->number, event.offset()};
}

// Ascending by position, one of each blob.
template <typename T>
void Harvest::sort_and_thin(std::vector<Found<T>>& list) const {
    std::unordered_set<std::uint64_t> seen;
    std::erase_if(list, [&](const auto& found) { return !seen.insert(found.hash).second; });
    for (auto& found : list) {
        found.where = blobs_.at(found.hash);
    }
    std::ranges::sort(list, {}, [](const auto& found) { return found.where; });
}

void Harvest::add(std::span<const flow::Event> events) {
    for (const flow::Event& event : events) {
        switch (event.kind) {
        case RecordKind::event32:
        case RecordKind::event64:
            add_event(event);
            break;
        case RecordKind::full32:
        case RecordKind::full64:
        case RecordKind::instance32:
        case RecordKind::instance64:
            add_classic(event);
            break;
        case RecordKind::message:
            add_provider(flow::read_header(event).provider);
            break;
        case RecordKind::wnode:
            add_provider(get<format::wnode_record::guid>(event));
            break;
        case RecordKind::system32:
        case RecordKind::system64:
        case RecordKind::compact32:
        case RecordKind::compact64:
        case RecordKind::perfinfo32:
        case RecordKind::perfinfo64:
            add_kernel(event);
            break;
        case RecordKind::timed:
        case RecordKind::error:
        case RecordKind::ulong32:
        case RecordKind::none:
            break;
        }
    }
}

void Harvest::add_event(const flow::Event& event) {
    const auto provider = get<format::event_record::provider_id>(event);
    Recent& recent = add_provider(provider);
    if (get<format::event_record::id>(event) == manifest_id) [[unlikely]] {
        add_chunk(event);
    }
    if ((get<format::event_record::flags>(event) & format::event_flag::extended_info) != 0) {
        const Position where = position_of(event);
        if (where < recent.named) {
            recent.named = add_traits(event, provider, where);
        }
    }
}

void Harvest::add_classic(const flow::Event& event) {
    const auto guid = get<format::full_record::guid>(event);
    if (guid != format::event_metadata_guid) {
        add_provider(guid);
        return;
    }
    if (event.kind == RecordKind::full32 || event.kind == RecordKind::full64) {
        add_blob(event, get<format::full_record::type>(event),
                 event.bytes().subspan(format::full_record::size));
    }
}

// SYSTEM, COMPACT and PERFINFO headers have the hook at one place.
void Harvest::add_kernel(const flow::Event& event) {
    static_assert(format::system_record::hook_id.offset == format::perfinfo_record::hook_id.offset);
    const auto hook = get<format::system_record::hook_id>(event);
    if (!hooks_[hook]) [[unlikely]] {
        hooks_[hook] = true;
        if (const Guid guid = format::class_of_hook(hook); !guid.is_zero()) {
            providers_.insert(guid);
        }
    }
}

Harvest::Recent& Harvest::add_provider(const Guid& guid) {
    Recent& recent =
        recent_[std::to_integer<std::size_t>(guid.bytes[0] ^ guid.bytes[5]) % recent_.size()];
    if (recent.guid != guid) [[unlikely]] {
        const auto name = names_.find(guid);
        recent = {guid, name != names_.end() ? name->second.where : nowhere};
        if (!guid.is_zero()) {
            providers_.insert(guid);
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
        const auto traits = schema::parse_provider_traits(item.data);
        if (!traits) {
            break;
        }
        Name& name = names_[provider];
        name.where = where;
        name.text.clear();
        append_utf8(name.text, traits->name);
        if (traits->decode) {
            providers_.insert(*traits->decode);
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
        chunks_.add(header.provider, header.process_id, header.thread_id, event.raw_time, position,
                    header.payload);
    }
}

void Harvest::add_blob(const flow::Event& event, std::uint8_t type, Bytes blob) {
    if (type != event_info_type && type != map_info_type) {
        return;
    }
    const std::uint64_t hash = std::hash<std::string_view>{}(as_text(blob)) + type;
    const Position where = position_of(event);
    const auto [known, is_new] = blobs_.try_emplace(hash, where);
    if (!is_new) {
        known->second = std::min(known->second, where);
        return;
    }
    if (blobs_.size() > limits::harvested_schemas ||
        blob_bytes_ + blob.size() > limits::manifest_bytes) {
        ++dropped_;
        return;
    }
    blob_bytes_ += blob.size();
    const auto refuse = [&](const Error& error) {
        refused_.push_back({where, hash, "embedded event information: " + describe(error)});
    };
    if (type == event_info_type) {
        if (auto parsed = schema::parse_event_info(blob)) {
            events_.push_back({where, hash, std::move(*parsed)});
        } else {
            refuse(parsed.error());
        }
    } else if (auto parsed = schema::parse_map_info(blob)) {
        maps_.push_back({where, hash, std::move(*parsed)});
    } else {
        refuse(parsed.error());
    }
}

void Harvest::combine(Harvest&& other) {
    providers_.merge(other.providers_);
    for (auto& [guid, name] : other.names_) {
        const auto [known, is_new] = names_.try_emplace(guid, name);
        if (!is_new && name.where < known->second.where) {
            known->second = std::move(name);
        }
    }
    for (const auto& [hash, where] : other.blobs_) {
        const auto [known, is_new] = blobs_.try_emplace(hash, where);
        known->second = std::min(known->second, where);
    }
    move_behind(events_, other.events_);
    move_behind(maps_, other.maps_);
    move_behind(refused_, other.refused_);
    chunks_.combine(std::move(other.chunks_));
    blob_bytes_ += other.blob_bytes_;
    dropped_ += other.dropped_;
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
    report.dropped = dropped_ + chunks_.dropped();
    return report;
}

void Harvest::add_manifests(schema::SchemaStore& store, HarvestReport& report) {
    for (const auto& [provider, text] : chunks_.manifests()) {
        const auto manifest = schema::parse_manifest(std::as_bytes(std::span(text)),
                                                     {.origin = schema::Origin::eventsource});
        if (!manifest) {
            report.notes.push_back("manifest of provider " + to_string(provider) + ": " +
                                   manifest.error().reason);
            continue;
        }
        ++report.manifests;
        for (const auto& names : manifest->providers) {
            store.add_provider(names);
        }
        for (const auto& event : manifest->events) {
            store.add(event);
            ++report.events;
        }
    }
}

void Harvest::add_embedded(schema::SchemaStore& store, HarvestReport& report) {
    sort_and_thin(events_);
    sort_and_thin(maps_);
    sort_and_thin(refused_);
    std::vector<schema::EmbeddedEvent> events;
    std::vector<schema::EmbeddedMap> maps;
    std::ranges::transform(events_, std::back_inserter(events),
                           [](auto& found) { return std::move(found.what); });
    std::ranges::transform(maps_, std::back_inserter(maps),
                           [](auto& found) { return std::move(found.what); });
    for (auto& event : schema::bind_maps(std::move(events), maps)) {
        store.add(std::move(event));
        ++report.events;
    }
    report.maps = maps.size();
    for (auto& refused : refused_) {
        report.notes.push_back(std::move(refused.what));
    }
}

} // namespace etl::decode
