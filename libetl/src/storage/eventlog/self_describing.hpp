// An event of a log as the metadata and payload of a TraceLogging event. Private to eventlog.
// docs/format/evtx.md#as-a-trace
#pragma once

#include "base/byte_writer.hpp"
#include "evtx/event.hpp"

#include <string>
#include <vector>

namespace etl::eventlog {

/// Reusable: keeps its memory.
class SelfDescribing {
public:
    void describe(const evtx::Event& event);

    /// The content of the extended data item EVENT_SCHEMA_TL.
    Bytes metadata() const noexcept { return metadata_.view(); }

    /// The content of the extended data item PROV_TRAITS.
    Bytes traits() const noexcept { return traits_.view(); }

    Bytes payload() const noexcept { return payload_.view(); }

private:
    void add_namespace(const evtx::Field& field);
    void count_members(std::span<const evtx::Field> fields);
    void fields(std::span<const evtx::Field> fields);
    void value(const evtx::Field& field);
    void array(const evtx::Field& field, std::span<const evtx::Value> items);
    void traits(const evtx::Event& event);
    void name(const evtx::Field& field, std::uint8_t type);

    ByteWriter metadata_, traits_, payload_;
    std::vector<evtx::Value> items_;
    std::vector<std::uint8_t> members_;
    std::vector<std::size_t> open_;
    std::size_t unnamed_ = 0;
    std::uint32_t names_ = 0;             // so far
    std::vector<std::uint32_t> elements_; // by depth of their members, as in format::LogOrigin
    std::string namespaces_;
};

} // namespace etl::eventlog
