// Extended data items between the header and the payload of an EVENT record.
// docs/format/record.md#extended
#pragma once

#include <etl/error.hpp>
#include <etl/record.hpp>

#include "base/layout.hpp"
#include "format/limits.hpp"

namespace etl::format {

/// Iterates over items that start at the front of `rest`, which extends to the end of the record.
/// Stops after the item whose linkage bit is clear; the payload follows. A value.
class ExtendedItems {
public:
    explicit ExtendedItems(Bytes rest) noexcept : rest_(rest) {}

    /// Gets the next item. Returns false at the end or at a malformed item (is_malformed()).
    bool next(ExtendedItem& item) noexcept {
        if (!more_) {
            return false;
        }
        if (rest_.size() < at_ + 8 || count_ == limits::extended_items) {
            return stop();
        }
        const std::byte* head = rest_.data() + at_;
        const std::uint32_t total = load_le<std::uint16_t>(head);
        const std::uint32_t size = load_le<std::uint16_t>(head + 6);
        if (total < 8 || size > total - 8 || total > rest_.size() - at_) {
            return stop();
        }
        item = {static_cast<ItemType>(load_le<std::uint16_t>(head + 2)),
                rest_.subspan(at_ + 8, size)};
        more_ = (load_le<std::uint16_t>(head + 4) & 1U) != 0;
        at_ += total;
        ++count_;
        return true;
    }

    bool is_malformed() const noexcept { return malformed_; }

    /// Returns the bytes used by the items so far; after the last item, the offset of the payload.
    std::size_t position() const noexcept { return at_; }

private:
    bool stop() noexcept {
        more_ = false;
        malformed_ = true;
        return false;
    }

    Bytes rest_;
    std::size_t at_ = 0;
    std::uint32_t count_ = 0;
    bool more_ = true;
    bool malformed_ = false;
};

enum class ItemLayout : std::uint8_t {
    unknown,         // unknown type, or data that its type cannot have
    numbers,         // keys, counters, addresses, and GUIDs
    sid,             // one SID, without bytes after it
    event_schema,    // begins with a valid size of TraceLogging metadata
    provider_traits, // begins with a valid size of traits
};

/// Returns the layout of an item, judged by type, exact size, and content. Numbers and SIDs have
/// exactly the size of their type; bytes after metadata and traits are permitted.
ItemLayout layout_of(const ExtendedItem& item) noexcept;

/// Size of the meaningful data of a STACK_KEY32 item; the rest is padding.
inline constexpr std::size_t stack_key32_size = 12;

} // namespace etl::format
