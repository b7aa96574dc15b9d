#include "verbs/mcp/listing.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "io/find_files.hpp"
#include "trace/inputs.hpp"
#include "verbs/mcp/arguments.hpp"
#include "verbs/mcp/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace cli::mcp {

namespace {

namespace fs = std::filesystem;

/// Entries of directories that are looked at: a disk has millions, and the server waits.
constexpr std::size_t max_entries = 100'000;

struct Asked {
    std::string directory;
    bool is_recursive = false;
    std::size_t max_bytes = default_answer;
};

std::expected<Asked, std::string> read(const Message& call, const std::string& root) {
    Asked asked{.directory = "."};
    for (const Argument& argument : call.arguments) {
        if (argument.name == "directory" && argument.values.size() == 1) {
            asked.directory = argument.values.front();
        } else if (argument.name == "recursive") {
            const auto flag = flag_of(argument);
            if (!flag) {
                return std::unexpected(flag.error());
            }
            asked.is_recursive = *flag;
        } else if (argument.name != "max-bytes") {
            return std::unexpected(
                fmt::format("{}: unknown argument, or several values; {} accepts directory, "
                            "recursive, max-bytes",
                            argument.name, list_tool));
        }
    }
    const auto bytes = max_bytes(call);
    const auto directory = confined(asked.directory, root);
    if (!bytes || !directory || !etl::io::is_directory(*directory)) {
        return std::unexpected(bytes ? fmt::format("{}: not a directory{}", asked.directory,
                                                   root.empty() ? "" : " in the root directory")
                                     : bytes.error());
    }
    asked.directory = *directory;
    asked.max_bytes = *bytes;
    return asked;
}

struct Found {
    std::vector<fs::path> traces; // sorted
    bool is_complete = true;
};

Found find_traces(const Asked& asked) {
    Found found;
    std::error_code code;
    fs::recursive_directory_iterator entry(asked.directory,
                                           fs::directory_options::skip_permission_denied, code);
    for (std::size_t seen = 0; !code && entry != fs::recursive_directory_iterator(); ++seen) {
        if (seen == max_entries) {
            found.is_complete = false;
            break;
        }
        if (!asked.is_recursive) {
            entry.disable_recursion_pending();
        }
        std::error_code ignored;
        if (etl::trace::is_trace_name(entry->path().filename().string()) &&
            entry->is_regular_file(ignored)) {
            found.traces.push_back(entry->path());
        }
        entry.increment(code);
    }
    found.is_complete = found.is_complete && !code;
    std::ranges::sort(found.traces);
    return found;
}

} // namespace

Answer list_traces(const Message& call, const std::string& root) {
    const auto asked = read(call, root);
    if (!asked) {
        return refusal(asked.error());
    }
    const Found found = find_traces(*asked);
    std::string text;
    for (const fs::path& path : found.traces) {
        std::error_code code;
        const auto size = fs::file_size(path, code);
        if (!code && confined(path.string(), root)) { // a link can lead out
            text += fmt::format("{:>12}  {}\n", size,
                                printable(utf8_text(shown_name(path.string(), root))));
        }
    }
    std::string_view rest = !found.is_complete ? "(not all; name a directory)\n"
                            : text.empty()     ? "No traces; recursive also lists subdirectories.\n"
                                               : "";
    if (text.size() + rest.size() > asked->max_bytes) {
        rest = "(more; name a directory, or set max-bytes)\n";
    }
    const std::string shown(first_lines(text, asked->max_bytes - rest.size()));
    return {.data = shown, .text = std::string(rest)};
}

} // namespace cli::mcp
