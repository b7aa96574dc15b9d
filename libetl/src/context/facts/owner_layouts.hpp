// Where the payloads of kernel events name processes and threads, found once for all events with
// the same header and payload size. Private to facts. Not thread-safe. docs/processes.md
#pragma once

#include "facts/attribution.hpp"
#include "flow/kernel_record.hpp"

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

namespace etl::facts {

/// The places of OwnerFields in payloads that need not be decoded: most kernel events, which are
/// most events of most traces.
class OwnerLayouts {
public:
    static constexpr std::size_t owners = 3; // process, thread, switched_out

    struct Layout {
        bool must_decode = false; // the rest is not valid
        OwnerFields fields;
        std::array<std::uint16_t, owners> offsets{}; // of those in `fields`

        bool operator==(const Layout&) const = default;
    };

    OwnerLayouts(const schema::SchemasByTrace& schemas, decode::DecoderOptions options)
        : schemas_(schemas), decoder_(schemas, options) {}

    /// Returns the layout of an event with this record. Null: the event must be decoded.
    const Layout* find(const flow::Event& event, const flow::KernelRecord& record);

    static OwnerIds ids(const Layout& layout, Bytes payload) noexcept;

private:
    using Key = std::uint64_t;

    struct Known {
        Key key = 0;
        const Layout* layout = nullptr; // of layouts_
    };

    Layout layout_of(const flow::Event& event);

    schema::SchemasByTrace schemas_;
    decode::Decoder decoder_;
    std::array<Known, 256> recent_{}; // by key
    std::unordered_map<Key, Layout> layouts_;
};

} // namespace etl::facts
