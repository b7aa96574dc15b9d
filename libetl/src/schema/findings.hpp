// What a validation under way has found. One thread. Private to schema.
#pragma once

#include <etl/schema/validate.hpp>

#include "schema/manifest_text.hpp"

#include <pugixml.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace etl::schema {

class Findings {
public:
    /// `text` is what the offsets of nodes count in; it must live on.
    explicit Findings(std::string_view text) : text_(text), lines_(text) {}

    void error(const pugi::xml_node& node, std::string text);
    void warning(const pugi::xml_node& node, std::string text);
    void error_at(std::size_t offset, std::string text);
    void warning_at(std::size_t offset, std::string text);

    /// An error for each of the attributes that the element has not.
    void require(const pugi::xml_node& node, std::initializer_list<const char*> attributes);
    /// A warning for each attribute without a prefix that is none of these.
    void expect_only(const pugi::xml_node& node, std::initializer_list<std::string_view> known);

    Validation take();

private:
    void add(ManifestFinding::Severity severity, std::size_t offset, std::string text);

    std::string_view text_;
    LineIndex lines_;
    Validation result_;
};

/// True for an identifier of C.
bool is_c_symbol(std::string_view text) noexcept;

/// The symbol of a node must be one of C; nothing when it has none.
void check_symbol(const pugi::xml_node& node, Findings& findings);

} // namespace etl::schema
