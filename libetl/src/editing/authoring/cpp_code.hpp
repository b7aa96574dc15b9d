// Pieces of generated C and C++: names and texts, lines, and descriptors of events. Private to
// authoring.
#pragma once

#include "authoring/unique_names.hpp"
#include "schema/event_schema.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace etl::authoring {

// Names and texts of manifests as pieces of C++ that they cannot break out of.

/// "CupFinished", "CUP_FINISHED" and "cup finished" as `cup_finished`; empty: no letter or digit of
/// ASCII is in it. What C++ or C libraries have taken gets a `_` behind it.
std::string snake_name(std::string_view text);

/// `CupFinished`.
std::string pascal_name(std::string_view text);

/// True for `a`, `a::b`: names that can stand behind `namespace`.
bool is_name_space(std::string_view text) noexcept;

/// One line of printable UTF-8 in quotes, for the end of a comment: whatever it holds, the line
/// does not end in a backslash.
std::string comment_text(std::string_view text);

/// Whether C++, C libraries, or windows.h use this name in lower case.
bool is_reserved_word(std::string_view name) noexcept;

/// A string literal of printable ASCII.
std::string string_literal(std::string_view text);

/// Identifiers of one scope.
class CppScope {
public:
    /// Nothing that is taken later is called so.
    void reserve(std::string_view name) { names_.take(name); }

    /// `wished`, or where that is empty `instead`, or the first of `wished_2`, `wished_3` ... that
    /// is free.
    std::string take(std::string_view wished, std::string_view instead) {
        std::string_view stem = wished.empty() ? instead : wished;
        if (stem.ends_with('_')) { // taken by C++; `class__2` would be the compiler's
            if (names_.take(stem)) {
                return std::string(stem);
            }
            stem.remove_suffix(1);
            names_.take(stem);
        }
        return names_.take_identifier(stem);
    }

private:
    UniqueNames names_;
};

/// Lines of C++ as they are generated, indented by the blocks that are open.
class CppCode {
public:
    /// `depth`: of the block that the lines will stand in.
    explicit CppCode(std::size_t depth = 0) : depth_(depth) {}

    template <typename... Args>
    CppCode& line(fmt::format_string<Args...> format, Args&&... args) {
        text_.append(depth_ * indent, ' ');
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
        return *this;
    }

    CppCode& blank() {
        text_ += '\n';
        return *this;
    }

    /// A block: what the line says, with a brace behind it.
    template <typename... Args>
    CppCode& open(fmt::format_string<Args...> format, Args&&... args) {
        line(format, std::forward<Args>(args)...);
        text_.insert(text_.size() - 1, " {");
        ++depth_;
        return *this;
    }

    /// The end of the block, with `behind` after its brace.
    CppCode& close(std::string_view behind = {}) {
        --depth_;
        return line("}}{}", behind);
    }

    /// Namespaces do not indent.
    CppCode& open_namespace(std::string_view name) { return line("namespace {} {{", name); }

    CppCode& close_namespace(std::string_view name) { return line("}} // namespace {}", name); }

    /// Lines that are made, indentation included.
    CppCode& add(std::string_view lines) {
        text_ += lines;
        return *this;
    }

    CppCode& add(const CppCode& lines) { return add(lines.text_); }

    bool empty() const noexcept { return text_.empty(); }

    const std::string& text() const noexcept { return text_; }

private:
    static constexpr std::size_t indent = 4;

    std::size_t depth_;
    std::string text_;
};

// Descriptors of events in generated headers.

/// Whether the event has a descriptor: not class events, trace messages, and TraceLogging.
bool has_descriptor(const schema::EventSchema& event) noexcept;

/// The message compiler marks the channel of an event in its keyword: bit 63 for the first channel
/// of the provider, 62 for the second, eight at most. docs/format/decoding.md#winmeta
std::uint64_t descriptor_keyword(const schema::EventSchema& event,
                                 const schema::ProviderNames& names) noexcept;

} // namespace etl::authoring
