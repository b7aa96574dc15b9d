// Lines of C++ as they are generated, indented by the blocks that are open. Private to authoring.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace etl::authoring {

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

} // namespace etl::authoring
