// The group of the code of the programs themselves.
#include "analysis/patterns/frame_names.hpp"
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

} // namespace

std::optional<std::string> own_code_grouping(const StackTree& tree) {
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
    std::string patterns;
    for (const std::string& folder : folders) {
        patterns += fmt::format("@\\\\{}\\\\[.\\w?]*!->;", escaped(folder));
    }
    if (executables.contains(std::string(web_server))) {
        patterns += "\\Temporary ASP.NET Files\\->;!dynamicClass.S->;";
    }
    return patterns.empty() ? std::nullopt : std::optional(patterns + "!=>OTHER");
}

} // namespace etl::analysis
