// An event of a log as the metadata and payload of a TraceLogging event. Private to eventlog.
// docs/format/evtx.md#as-a-trace
#pragma once

#include <etl/base/byte_writer.hpp>
#include <etl/evtx/event.hpp>

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
    std::size_t count_members(std::span<const evtx::Field> fields, std::size_t at) const noexcept;
    void fields(std::span<const evtx::Field> fields);
    std::size_t field(std::span<const evtx::Field> fields, std::size_t at);
    void value(std::string_view name, const evtx::Value& value);
    void array(std::string_view name, std::span<const evtx::Value> items);
    void origin(const evtx::Event& event);
    void text(std::string_view name, std::string_view utf8);
    void name(std::string_view name, std::uint8_t type);

    ByteWriter metadata_, traits_, payload_;
    std::vector<evtx::Value> items_;
    std::size_t unnamed_ = 0;
};

} // namespace etl::eventlog
