// The group of the code of the programs themselves.
#include "analysis/limits.hpp"
#include "analysis/patterns/frame_names.hpp"
#include "analysis/patterns/name_pattern.hpp"
#include "analysis/stack_patterns.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace etl::analysis {

namespace {

constexpr std::string_view web_server = "w3wp.exe";
constexpr std::string_view hosts[] = {"dotnet.exe", "wwahost.exe", "iexplore.exe", web_server};

/// Of `C:\kettle\lid.exe`: `kettle`.
std::string_view last_folder(std::string_view path) noexcept {
    const std::size_t end = path.find_last_of("\\/");
    if (end == path.npos) {
        return {};
    }
    const std::string_view folders = path.substr(0, end);
    return folders.substr(folders.find_last_of("\\/") + 1);
}

/// Executables of the processes in a tree, in lowercase.
std::set<std::string> executables_in(const StackTree& tree) {
    std::set<std::string> names;
    for (const StackFrame& frame : tree.frames) {
        if (frame.kind == FrameKind::process) {
            names.insert(to_lower_ascii(frame.function.substr(0, frame.function.rfind(" ("))));
        }
    }
    return names;
}

/// Patterns of a grouping, within the limits of all.
class OwnPatterns {
public:
    explicit OwnPatterns(std::size_t steps_used)
        : steps_left_(limits::stack_pattern_steps -
                      std::min(steps_used, limits::stack_pattern_steps)) {
        take_steps_of(rest);
    }

    /// Adds a pattern of frames that have no group. False: there is no space for it.
    bool add(const std::string& pattern) {
        const std::size_t size = text_.size() + pattern.size() + ungrouped.size();
        if (size + rest.size() + other.size() > limits::stack_pattern_bytes ||
            !take_steps_of(pattern)) {
            return false;
        }
        text_.append(pattern).append(ungrouped);
        return true;
    }

    std::string take() { return std::move(text_.append(rest).append(other)); }

private:
    static constexpr std::string_view ungrouped = "->;", rest = "!", other = "=>OTHER";

    bool take_steps_of(std::string_view pattern) {
        const auto compiled = NamePattern::parse(pattern, steps_left_);
        steps_left_ -= compiled ? compiled->size() : 0;
        return compiled.has_value();
    }

    std::string text_;
    std::size_t steps_left_;
};

} // namespace

std::optional<OwnCode> own_code_grouping(const StackTree& tree, std::size_t steps_used) {
    const std::set<std::string> executables = executables_in(tree);
    std::set<std::string> folders;
    for (const StackFrame& frame : tree.frames) {
        const std::string module = to_lower_ascii(frame.module);
        const bool is_own = frame.kind == FrameKind::user && executables.contains(module) &&
                            std::ranges::find(hosts, module) == std::end(hosts);
        if (is_own && !last_folder(frame.path).empty()) {
            folders.insert(to_lower_ascii(last_folder(frame.path)));
        }
    }
    const bool is_web_server = executables.contains(std::string(web_server));
    if (folders.empty() && !is_web_server) {
        return std::nullopt;
    }
    OwnPatterns patterns(steps_used);
    if (is_web_server) {
        patterns.add("\\Temporary ASP.NET Files\\");
        patterns.add("!dynamicClass.S");
    }
    OwnCode own{.grouping = {}, .folders = folders.size()};
    for (const std::string& folder : folders) {
        const bool is_added =
            own.omitted == 0 && patterns.add(fmt::format("@\\\\{}\\\\[.\\w?]*!", escaped(folder)));
        own.omitted += is_added ? 0U : 1U;
    }
    own.grouping = patterns.take();
    return own;
}

} // namespace etl::analysis
