// The XML of a record as a sequence of nodes, templates expanded. Not thread-safe.
// docs/format/evtx.md#xml
#pragma once

#include <etl/base/result.hpp>
#include <etl/evtx/reader.hpp>
#include <etl/evtx/value.hpp>

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

/// A node; a view of the chunk.
struct Node {
    NodeKind kind{};
    Bytes name{};  // element, attribute: UTF-16LE units
    Value value{}; // attribute_value, value
};

/// Returns whether UTF-16LE units are these ASCII characters.
bool equals(Bytes units, std::string_view ascii) noexcept;

/// Expands the templates of a record. Reusable: keeps its memory.
class NodeReader {
public:
    /// Returns the nodes of a record. Valid until the next call, as long as the file. Errors:
    /// truncated, malformed, limit (event_xml_depth, event_template_depth, event_nodes),
    /// unsupported (a token or a type of text that no event has).
    Result<std::span<const Node>> read(const Record& record);

private:
    class Walk;

    std::vector<Node> nodes_;
    std::vector<Value> values_;
};

} // namespace etl::evtx
