// The XML of a record as a sequence of nodes, templates expanded. Not thread-safe.
// docs/format/evtx.md#xml
#pragma once

#include <etl/error.hpp>

#include "evtx/reader.hpp"
#include "evtx/value.hpp"

#include <string_view>
#include <vector>

namespace etl::evtx {

enum class NodeKind : std::uint8_t {
    element,         // start; its attributes follow
    attribute,       // its values follow
    attribute_value, // a part of the attribute's value
    value,           // a part of the element's content
    end,             // end of the element
};

/// Where a value comes from: a template is filled in with values.
struct Substitution {
    /// Number of the instance of the template in the record, from 1; 0: text of the template.
    std::uint32_t instance = 0;
    std::uint32_t values = 0;         // of the instance
    std::uint16_t index = 0;          // of the value
    ValueType type = ValueType::null; // that the template states
    bool is_array = false;            // likewise
    bool is_part = false;             // of a text of several parts: not set but for `instance`
};

/// A node; a view of the chunk.
struct Node {
    NodeKind kind{};
    Bytes name{};        // element, attribute: UTF-16LE units
    Value value{};       // attribute_value, value
    Substitution from{}; // attribute_value, value
};

/// What becomes of the parts of a template that Windows leaves out if their value is null.
enum class NullParts : bool { left_out, shown };

/// Returns whether UTF-16LE units are these ASCII characters.
bool equals(Bytes units, std::string_view ascii) noexcept;

/// Expands the templates of a record. Reusable: keeps its memory.
class NodeReader {
public:
    explicit NodeReader(NullParts null_parts = NullParts::left_out) : null_parts_(null_parts) {}

    /// Returns the nodes of a record. Valid until the next call, as long as the file. Errors:
    /// truncated, malformed, limit (event_xml_depth, event_template_depth, event_nodes),
    /// unsupported (a token or a type of text that no event has).
    Result<std::span<const Node>> read(const Record& record);

private:
    class Walk;

    NullParts null_parts_;
    std::vector<Node> nodes_;
    std::vector<Value> values_;
};

} // namespace etl::evtx
