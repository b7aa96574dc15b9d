// What the parts of the manifest parser share: access to the XML by local names, notes, the memory
// budget. One thread.
#pragma once

#include "base/text.hpp"
#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/manifest.hpp"

#include <pugixml.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::schema {

/// The part of a qualified name behind its prefix.
std::string_view local_name(std::string_view qualified) noexcept;
std::string_view local_name(const pugi::xml_node& node) noexcept;

/// The value of an attribute, or empty. Lives as long as the document.
std::string_view attribute(const pugi::xml_node& node, const char* name) noexcept;

/// Decimal, or hexadecimal behind 0x; blanks around it are ignored. Empty: no such number, or
/// beyond 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text) noexcept;

/// Calls `visit(child)` for the child elements with this local name.
template <typename Visit>
void for_each_child(const pugi::xml_node& parent, std::string_view local, Visit visit) {
    for (const pugi::xml_node& child : parent.children()) {
        if (child.type() == pugi::node_element && local_name(child) == local) {
            visit(child);
        }
    }
}

/// All elements with this local name, however deep, in document order; none inside of another.
std::vector<pugi::xml_node> descendants(const pugi::xml_node& root, std::string_view local);

/// One manifest under way.
class ManifestReading {
public:
    explicit ManifestReading(std::string_view text) : lines_(text) {}

    /// Keeps a finding about an element; beyond limits::manifest_notes only their existence.
    void note(const pugi::xml_node& node, std::string text);
    void note_at(std::size_t offset, std::string text);

    std::size_t line_of(std::size_t offset) const noexcept { return lines_.line_of(offset); }

    /// Books memory that the schemas take. False: limits::manifest_schema_bytes is reached, stop.
    bool charge(std::size_t bytes) noexcept { return budget_.charge(bytes); }

    /// A copy that is booked; empty when the budget is used up.
    std::string copy(std::string_view text);

    bool exhausted() const noexcept { return budget_.exhausted(); }

    SchemaSet result;

private:
    LineIndex lines_;
    SchemaBudget budget_;
};

} // namespace etl::schema
