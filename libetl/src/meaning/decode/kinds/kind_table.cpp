#include "decode/kinds/kind_table.hpp"

#include "base/layout.hpp"
#include "decode/fields/laid_out_payloads.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "schema/eventsource_chunks.hpp"

#include <algorithm>
#include <cstring>

namespace etl::decode {

namespace {

constexpr std::size_t first_slots = 512; // most traces stay below it
static_assert(std::has_single_bit(first_slots) && std::has_single_bit(limits::cached_schemas));

// A search that long means that somebody chose the keys to collide.
constexpr std::size_t max_search = 64;

Bytes head_bytes(const KindKey& key) noexcept {
    return std::as_bytes(std::span(&key.head, 1));
}

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) noexcept {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32U);
}

std::uint64_t mix_bytes(std::uint64_t hash, Bytes bytes) noexcept {
    std::size_t at = 0;
    for (; bytes.size() - at >= 8; at += 8) {
        hash = mix(hash, load_le<std::uint64_t>(bytes.data() + at));
    }
    std::uint64_t last = bytes.size();
    for (; at < bytes.size(); ++at) {
        last = last << 8U | std::to_integer<std::uint64_t>(bytes[at]);
    }
    return mix(hash, last);
}

bool take_equal(Bytes& key, Bytes part) noexcept {
    if (key.size() < part.size() ||
        (!part.empty() && std::memcmp(key.data(), part.data(), part.size()) != 0)) {
        return false;
    }
    key = key.subspan(part.size());
    return true;
}

bool is_same(Bytes known, const KindKey& key) noexcept {
    return take_equal(known, head_bytes(key)) && take_equal(known, key.metadata) &&
           take_equal(known, key.traits) && take_equal(known, key.control_guid) && known.empty();
}

// Roughly what a kind occupies, here and in the caches that go by its number.
std::size_t weight(const EventKind& kind) noexcept {
    constexpr std::size_t per_kind = 1024;
    constexpr std::size_t per_field = 192;
    return per_kind + per_field * kind.plan.fields().size();
}

} // namespace

std::uint64_t hash_of(const KindKey& key) noexcept {
    std::uint64_t hash = mix_bytes(0, head_bytes(key));
    for (const Bytes part : {key.metadata, key.traits, key.control_guid}) {
        if (!part.empty()) {
            hash = mix_bytes(hash, part);
        }
    }
    return hash;
}

KindTable::KindTable() : slots_(first_slots) {}

const Variants* KindTable::find(const KindKey& key, std::uint64_t hash) const noexcept {
    for (std::size_t i = 0; i < max_search; ++i) {
        const Slot& slot = slots_[(hash + i) & (slots_.size() - 1)];
        if (slot.entry == no_entry) {
            return nullptr;
        }
        if (slot.hash == hash && is_same(entries_[slot.entry].key, key)) {
            return &entries_[slot.entry].variants;
        }
    }
    return nullptr;
}

const Variants& KindTable::add(const KindKey& key, std::uint64_t hash, Variants variants) {
    std::size_t more = key.metadata.size() + key.traits.size();
    for (const auto& kind : variants) {
        more += weight(*kind);
    }
    // Everything that needs memory comes first: without it, the table stays as it is.
    Entry entry;
    for (const Bytes part : {head_bytes(key), key.metadata, key.traits, key.control_guid}) {
        entry.key.insert(entry.key.end(), part.begin(), part.end());
    }
    entry.variants = std::move(variants);
    if (entries_.size() == entries_.capacity()) {
        entries_.reserve(std::max<std::size_t>(16, 2 * entries_.size()));
    }
    if (2 * entries_.size() == slots_.size()) {
        grow();
    }
    if (entries_.size() == limits::cached_schemas || bytes_ + more > limits::cached_schema_bytes ||
        !place(hash, static_cast<std::uint32_t>(entries_.size()))) {
        forget();
        place(hash, 0);
    }
    for (const auto& kind : entry.variants) {
        kind->number = next_number_++;
    }
    bytes_ += more;
    return entries_.emplace_back(std::move(entry)).variants;
}

bool KindTable::place(std::uint64_t hash, std::uint32_t entry) noexcept {
    for (std::size_t i = 0; i < max_search; ++i) {
        Slot& slot = slots_[(hash + i) & (slots_.size() - 1)];
        if (slot.entry == no_entry) {
            slot = {hash, entry};
            return true;
        }
    }
    return false;
}

// Half full at most. An entry that finds no place any more is found no more, and added again when
// it is wanted.
void KindTable::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
        if (slot.entry != no_entry) {
            place(slot.hash, slot.entry);
        }
    }
}

void KindTable::forget() {
    std::ranges::fill(slots_, Slot{});
    entries_.clear();
    bytes_ = 0;
    next_number_ = 0;
    ++generation_;
}

namespace {

using format::EventIdentity;

Family family_of_event(const flow::EventHeader& header) noexcept {
    if (header.id == schema::manifest_chunk_id &&
        schema::is_manifest_chunk(header.id, header.opcode, header.payload)) {
        return Family::manifest_chunk;
    }
    return (header.flags & format::event_flag::string_only) != 0 ? Family::string : Family::event;
}

} // namespace

Family family_of(const flow::Event& event, const flow::EventHeader& header) noexcept {
    switch (format::traits_of(event.kind).identity) {
    case EventIdentity::descriptor:
        return family_of_event(header);
    case EventIdentity::hook:
        return header.hook_id == format::logfile_header_hook &&
                       event.kind.family == format::RecordFamily::system
                   ? Family::logfile_header
                   : Family::kernel;
    case EventIdentity::event_class:
        return format::is_full(event.kind) && is_packed_text(header.provider, header.opcode)
                   ? Family::packed_text
                   : Family::classic;
    case EventIdentity::message:
        return Family::message;
    case EventIdentity::none:
        break;
    }
    return Family::other;
}

EventItems sort_items(const flow::EventHeader& header) noexcept {
    using format::ItemType;
    EventItems sorted;
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (!header.items.empty() && items.next(item)) {
        if (item.type == ItemType::related_activity_id && item.data.size() == sizeof(Guid)) {
            sorted.related_activity = item.data;
        } else if (item.type == ItemType::event_schema_tl) {
            sorted.metadata = item.data;
        } else if (item.type == ItemType::provider_traits) {
            sorted.traits = item.data;
        } else if (item.type == ItemType::stack_trace32 || item.type == ItemType::stack_trace64) {
            sorted.has_stack = true;
        } else {
            sorted.has_others = true;
            if (item.type == ItemType::control_guid && item.data.size() == sizeof(Guid)) {
                sorted.control_guid = item.data;
            }
        }
    }
    return sorted;
}

KindKey key_of(const flow::EventHeader& header, const EventItems& items, Family family,
               std::uint16_t schemas) noexcept {
    constexpr std::uint8_t has_control_guid = 0x80;
    const auto kind = static_cast<std::uint8_t>(family);
    KindKey key{.head = {.provider = header.provider,
                         .keyword = header.keyword,
                         .id = header.id,
                         .task = header.task,
                         .hook_id = header.hook_id,
                         .version = header.version,
                         .channel = header.channel,
                         .level = header.level,
                         .opcode = header.opcode,
                         .family = items.control_guid.empty()
                                       ? kind
                                       : static_cast<std::uint8_t>(kind | has_control_guid),
                         .pointer_size = header.pointer_size,
                         .metadata_size = static_cast<std::uint16_t>(items.metadata.size()),
                         .schemas = schemas},
                .metadata = items.metadata,
                .traits = items.traits,
                .control_guid = items.control_guid};
    return key;
}

} // namespace etl::decode
