// A record before it is bytes.
// Views; valid until the next line.
#pragma once

#include <etl/byte_writer.hpp>

#include "encode/payload.hpp"
#include "format/encode.hpp"
#include "format/extended_data.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/line_trace.hpp"

#include <expected>
#include <optional>
#include <span>
#include <vector>

namespace etl::fromjson {

struct Draft : etl::format::EventHeader {
    etl::format::RecordKind kind = etl::format::wide(etl::format::RecordFamily::event);
    std::optional<std::int64_t> time; // raw; none: the record has no room for one
    etl::Bytes header_bytes;          // kinds whose header nobody describes; empty: zeros
};

/// Puts the record in place of what `to` holds.
LineResult<void> encode(const Draft& draft, etl::ByteWriter& to);

// The keys of a line that become extended items, counters and the like. docs/output.md#ext

/// Extended items under way. Keeps its memory. One thread.
class ItemList {
public:
    void clear() noexcept {
        bytes_.clear();
        places_.clear();
    }

    /// Adds an item; its data are what is written to the result until the next call.
    etl::ByteWriter& begin(etl::format::ItemType type) {
        end();
        places_.push_back({type, bytes_.size(), 0});
        return bytes_;
    }

    /// All items. Valid until the next change.
    std::span<const etl::format::ExtendedItem> view() {
        end();
        items_.clear();
        for (const Place& place : places_) {
            items_.push_back({place.type, bytes_.view().subspan(place.begin, place.size)});
        }
        return items_;
    }

    std::size_t size() const noexcept { return places_.size(); }

private:
    struct Place {
        etl::format::ItemType type;
        std::size_t begin, size;
    };

    void end() noexcept {
        if (!places_.empty() && places_.back().size == 0) {
            places_.back().size = bytes_.size() - places_.back().begin;
        }
    }

    etl::ByteWriter bytes_;
    std::vector<Place> places_;
    std::vector<etl::format::ExtendedItem> items_;
};

/// Reads `items`, `ext`, `stack` and `traits`. Keeps its memory. One thread.
class ExtReader {
public:
    /// `[[type, hex], ...]`, as they are.
    LineResult<void> append_items(std::span<const etl::encode::InputValue> items, ItemList& to);

    /// Members of `ext` of an EVENT record.
    LineResult<void> append_ext(std::span<const etl::encode::InputValue> ext,
                                etl::format::Width width, ItemList& to);

    LineResult<void> append_stack(std::span<const etl::encode::InputValue> stack,
                                  etl::format::Width width, ItemList& to);

    /// Members of `ext` of other records: performance counters, instances, what WPP knows.
    LineResult<void> read(std::span<const etl::encode::InputValue> ext, Draft& draft);

private:
    LineResult<void> append_stack_key(std::span<const etl::encode::InputValue> ext,
                                      etl::format::Width width, ItemList& to);
    LineResult<void> append_member(std::span<const etl::encode::InputValue> member, ItemList& to);
    bool append_sid(std::span<const etl::encode::InputValue> member, ItemList& to);
    bool append_unknown(std::span<const etl::encode::InputValue> member, ItemList& to);

    std::vector<std::uint64_t> numbers_;
    std::vector<std::byte> bytes_;
    etl::ByteWriter sid_, pebs_, counters_;
    etl::encode::PayloadEncoder encoder_;
};

} // namespace etl::fromjson
