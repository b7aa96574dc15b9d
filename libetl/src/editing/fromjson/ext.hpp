// The keys of a line that become extended items, counters and the like. docs/output.md#ext
#pragma once

#include "encode/payload.hpp"
#include "fromjson/draft.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/item_list.hpp"

#include <vector>

namespace etl::fromjson {

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
