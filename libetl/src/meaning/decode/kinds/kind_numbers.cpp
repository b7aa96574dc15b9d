#include "decode/kind_numbers.hpp"

#include "base/text.hpp"
#include "decode/kinds/kind_table.hpp"
#include "decode/limits.hpp"
#include "format/record_kind.hpp"
#include "schema/eventsource_chunks.hpp"

#include <cstring>
#include <span>

namespace etl::decode {

namespace {

constexpr std::uint64_t word_at(const flow::Event& event, std::size_t offset) noexcept {
    return load_le<std::uint64_t>(event.record + offset);
}

/// What the record does not say.
std::uint64_t outside_of(const flow::Event& event) noexcept {
    return std::uint64_t{event.buffer->merged_input} << 16U |
           std::uint64_t{static_cast<std::uint8_t>(event.kind.family)} << 8U |
           static_cast<std::uint8_t>(event.kind.width);
}

} // namespace

std::size_t KindNumbers::Head::slot() const noexcept {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    }
    return static_cast<std::size_t>(hash >> 56U);
}

KindNumbers::Head KindNumbers::head_of(const flow::Event& event) noexcept {
    Head head;
    if (format::has_hook(event.kind)) [[likely]] {
        // Version, flags of counters, and the hook.
        constexpr std::uint64_t size = std::uint64_t{0xFFFF}
                                       << 8 * format::system_record::size_.offset;
        static_assert(format::system_record::size_.offset == format::perfinfo_record::size_.offset);
        head.words[0] = word_at(event, 0) & ~size;
        head.words[1] = outside_of(event);
        head.is_whole = true;
    } else if (format::is_event(event.kind)) {
        using namespace format::event_record;
        const auto how = flow::stored<flags>(event);
        head.words[0] = outside_of(event) << 16U | how;
        for (std::size_t i = 1; i < head.words.size(); ++i) { // the provider, and the descriptor
            head.words[i] = word_at(event, provider_id.offset + (i - 1) * sizeof(std::uint64_t));
        }
        static_assert(keyword.offset + sizeof(std::uint64_t) ==
                      provider_id.offset + 4 * sizeof(std::uint64_t));
        head.is_whole = (how & format::event_flag::extended_info) == 0 &&
                        flow::stored<id>(event) != schema::manifest_chunk_id;
    }
    return head;
}

std::uint32_t KindNumbers::find(const flow::Event& event, const Head& head) {
    const flow::EventHeader header = flow::read_header(event);
    const EventItems items = sort_items(header);
    const KindKey key = key_of(header, items, family_of(event, header), event.buffer->merged_input);
    identity_.assign(1, static_cast<char>(event.kind.family));
    for (const Bytes part :
         {std::as_bytes(std::span(&key.head, 1)), key.metadata, key.traits, key.control_guid}) {
        identity_ += as_text(part);
    }
    const std::uint32_t number = number_of(identity_);
    if (head.is_whole) {
        recent_[head.slot()] = {head, number};
    }
    return number;
}

std::uint32_t KindNumbers::of(const KindNumbers& other, std::uint32_t number) {
    return number < other.size() ? number_of(*other.identities_[number]) : none;
}

std::uint32_t KindNumbers::number_of(std::string_view identity) {
    if (const auto known = numbers_.find(identity); known != numbers_.end()) {
        return known->second;
    }
    if (size() == limits::numbered_kinds ||
        bytes_ + identity.size() > limits::numbered_kind_bytes) {
        return none;
    }
    bytes_ += identity.size();
    const auto added = numbers_.emplace(identity, static_cast<std::uint32_t>(size())).first;
    identities_.push_back(&added->first);
    return added->second;
}

} // namespace etl::decode
