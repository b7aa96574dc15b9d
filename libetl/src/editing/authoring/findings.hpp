// What a validation under way has found. One thread. Private to authoring.
#pragma once

#include "authoring/validate.hpp"
#include "base/text.hpp"
#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/manifest_reading.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etl::authoring {

using schema::attribute;
using schema::clipped;
using schema::for_each_child;
using schema::local_name;

/// Returns as much of a text as a finding may quote, and other values unchanged.
template <typename Value>
constexpr auto quoted(const Value& value) noexcept {
    if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
        return clipped(value, 200);
    } else {
        return value;
    }
}

class Findings {
public:
    template <typename... Args>
    using Form = fmt::format_string<decltype(quoted(std::declval<const Args&>()))...>;

    /// `text` is what the offsets of nodes count in; it must live on.
    explicit Findings(std::string_view text) : lines_(text) {}

    /// `form` with `args` as by fmt, of which texts are clipped. Beyond the limit findings are
    /// counted only.
    template <typename... Args>
    void error(const pugi::xml_node& node, Form<Args...> form, const Args&... args) {
        add(ManifestFinding::Severity::error, offset_of(node),
            is_full() ? std::string() : fmt::format(form, quoted(args)...));
    }

    template <typename... Args>
    void warning(const pugi::xml_node& node, Form<Args...> form, const Args&... args) {
        add(ManifestFinding::Severity::warning, offset_of(node),
            is_full() ? std::string() : fmt::format(form, quoted(args)...));
    }

    void error_at(std::size_t offset, std::string text);

    /// Returns whether the texts of further findings are dropped.
    bool is_full() const noexcept;

    /// An error for each of the attributes that the element has not.
    void require(const pugi::xml_node& node, std::initializer_list<const char*> attributes);
    /// A warning for each attribute without a prefix that is none of these.
    void expect_only(const pugi::xml_node& node, std::initializer_list<std::string_view> known);

    Validation take();

private:
    static std::size_t offset_of(const pugi::xml_node& node) noexcept;
    void add(ManifestFinding::Severity severity, std::size_t offset, std::string text);

    schema::LineIndex lines_;
    Validation result_;
};

/// True for an identifier of C.
bool is_c_symbol(std::string_view text) noexcept;

/// The symbol of a node must be one of C; nothing when it has none.
void check_symbol(const pugi::xml_node& node, Findings& findings);

} // namespace etl::authoring
