#include "verbs/mcp/call.hpp"

#include <etl/io/find_files.hpp>
#include <etl/trace/inputs.hpp>

#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "cli/shell_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace cli::mcp {

namespace {

using Problem = std::unexpected<std::string>;

bool is_inside(const std::string& path, const std::string& root) {
    const std::filesystem::path whole(path), top(root);
    return std::ranges::mismatch(top, whole).in1 == top.end();
}

/// The path with links resolved, or nothing if it is outside of the root directory.
std::optional<std::string> confined(const std::string& path, const CallOptions& options) {
    if (options.root.empty()) {
        return etl::io::real_path(path);
    }
    const auto joined = std::filesystem::path(options.root) / path; // an absolute path stays
    std::string real = etl::io::real_path(joined.string());
    return is_inside(real, options.root) ? std::optional(std::move(real)) : std::nullopt;
}

std::expected<std::string, std::string> readable_file(const std::string& path,
                                                      const CallOptions& options) {
    auto real = confined(path, options);
    if (!real || !etl::io::is_regular_file(*real)) {
        const std::string_view where = options.root.empty() ? "" : " in the root directory";
        return Problem(fmt::format("{}: not a file{}; {} lists the traces of a directory", path,
                                   where, list_tool));
    }
    return *std::move(real);
}

/// As a call can name it: relative to the root directory.
std::string shown_name(const std::string& name, const CallOptions& options) {
    return options.root.empty()
               ? name
               : std::filesystem::path(name).lexically_relative(options.root).string();
}

const Argument* find(const Message& call, std::string_view name) {
    const auto found = std::ranges::find(call.arguments, name, &Argument::name);
    return found == call.arguments.end() ? nullptr : &*found;
}

/// What is wrong with the number of values; empty: nothing.
std::string count_problem(const Argument& argument, std::size_t least, std::size_t most) {
    const std::size_t count = argument.values.size();
    return count >= least && count <= most ? ""
           : least == most                 ? fmt::format("{}: expected {}, found {}", argument.name,
                                                         plural(least, "value"), count)
                           : fmt::format("{}: expected {} to {} values, found {}", argument.name,
                                         least, most, count);
}

std::expected<std::size_t, std::string> most_bytes(const Message& call) {
    const Argument* const given = find(call, "max-bytes");
    if (given == nullptr) {
        return default_answer;
    }
    const std::string& text = given->values.front();
    std::size_t bytes = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    const bool is_number = code == std::errc() && end == text.data() + text.size();
    if (!is_number || bytes < least_answer || bytes > most_answer || given->values.size() != 1) {
        return Problem(
            fmt::format("max-bytes: expected a number from {} to {}", least_answer, most_answer));
    }
    return bytes;
}

/// Appends an option of the verb; returns what is wrong, or empty.
std::string add_option(const Argument& argument, const Tool& tool, const CLI::App& verb,
                       std::vector<std::string>& words) {
    const CLI::Option* const option =
        tool.has_option(argument.name) ? verb.get_option_no_throw("--" + argument.name) : nullptr;
    if (option == nullptr) {
        return fmt::format("{}: unknown argument; {} accepts files, max-bytes, {}", argument.name,
                           tool.verb, fmt::join(tool.options, ", "));
    }
    const auto most = static_cast<std::size_t>(std::max(option->get_items_expected_max(), 1));
    if (std::string problem = count_problem(argument, 1, most); !problem.empty()) {
        return problem;
    }
    if (option->get_items_expected_max() > 0) {
        for (const std::string& value : argument.values) {
            words.push_back(fmt::format("--{}={}", argument.name, value));
        }
        return {};
    }
    const std::string& flag = argument.values.front();
    if (flag != "true" && flag != "false") {
        return fmt::format("{}: expected true or false", argument.name);
    }
    if (flag == "true") {
        words.push_back("--" + argument.name);
    }
    return {};
}

/// The options that the server gives to every verb that has them.
void add_options_of_server(const CLI::App& verb, const CallOptions& options,
                           std::vector<std::string>& words) {
    const auto add = [&](const std::string& name, const std::vector<std::string>& values) {
        for (const std::string& value : values) {
            if (verb.get_option_no_throw(name) != nullptr) {
                words.push_back(fmt::format("{}={}", name, value));
            }
        }
    };
    add("--schema", options.schemas);
    add("--symbols", options.symbols);
}

/// As much of a text as whole lines of at most `most` bytes; of a longer line, whole characters.
std::string_view first_lines(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    const std::size_t line_end = text.substr(0, most).rfind('\n');
    if (line_end != text.npos) {
        return text.substr(0, line_end + 1);
    }
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end);
}

/// `etl cpu --limit=20 trace.etl`, unless it takes too much of the answer.
std::string shown_command(const Command& command) {
    std::string shown = "etl";
    for (const std::string& word : command.words) {
        shown += ' ' + shell_word(word);
    }
    constexpr std::size_t share = 3; // of the answer
    return shown.size() <= command.most_bytes / share ? utf8_text(shown) : "(too long to be shown)";
}

std::string ending(const etl::host::Captured& captured, const CallOptions& options) {
    using End = etl::host::Captured::End;
    if (captured.end == End::timed_out) {
        return fmt::format("Stopped after {} s. Narrow the time (from, to), or run the command.\n",
                           options.time_limit.count());
    }
    return captured.end == End::signaled
               ? fmt::format("The command ended with signal {}.\n", captured.code)
               : std::string();
}

bool is_failure(const etl::host::Captured& captured) {
    using End = etl::host::Captured::End;
    return captured.end == End::timed_out || captured.end == End::signaled ||
           (captured.end == End::exited && captured.code > 1);
}

} // namespace

std::expected<Command, std::string> command_of(const Tool& tool, const Message& call,
                                               const CLI::App& etl, const CallOptions& options) {
    const CLI::App& verb = *etl.get_subcommand(std::string(tool.verb));
    const auto bytes = most_bytes(call);
    const Argument* const files = find(call, "files");
    if (!bytes || files == nullptr) {
        return Problem(bytes ? "files is missing" : bytes.error());
    }
    Command command{.words = {std::string(tool.verb)}, .most_bytes = *bytes};
    if (!tool.fixed.empty()) {
        command.words.emplace_back(tool.fixed);
    }
    for (const Argument& argument : call.arguments) {
        if (argument.name == "files" || argument.name == "max-bytes") {
            continue;
        }
        if (std::string problem = add_option(argument, tool, verb, command.words);
            !problem.empty()) {
            return Problem(std::move(problem));
        }
    }
    if (tool.has_option("limit") && find(call, "limit") == nullptr) {
        command.words.push_back(fmt::format("--limit={}", default_rows));
    }
    add_options_of_server(verb, options, command.words);
    const bool are_two = tool.files == Tool::Files::two;
    if (std::string problem = count_problem(*files, are_two ? 2 : 1,
                                            are_two                          ? 2
                                            : tool.files == Tool::Files::one ? 1
                                                                             : most_files);
        !problem.empty()) {
        return Problem(std::move(problem));
    }
    for (const std::string& path : files->values) {
        auto file = readable_file(path, options);
        if (!file) {
            return Problem(file.error());
        }
        command.words.push_back(*std::move(file));
    }
    return command;
}

Answer list_traces(const Message& call, const CallOptions& options) {
    const auto bytes = most_bytes(call);
    const Argument* const asked = find(call, "directory");
    const Argument* const recursive = find(call, "recursive");
    const auto directory = confined(asked == nullptr ? "." : asked->values.front(), options);
    if (!bytes || !directory || !etl::io::is_directory(*directory)) {
        return {!bytes ? bytes.error() : "directory: not a directory that can be read", true};
    }
    const bool is_deep = recursive != nullptr && recursive->values.front() == "true";
    const auto names = etl::trace::find_inputs(*directory, is_deep ? etl::io::Recursion::yes
                                                                   : etl::io::Recursion::no);
    if (!names) {
        return {utf8_text(etl::describe(names.error())), true};
    }
    std::string text;
    for (const std::string& name : *names) {
        std::error_code code;
        const auto size = std::filesystem::file_size(name, code);
        if (!code && confined(name, options)) {
            text += fmt::format("{:>12}  {}\n", size, utf8_text(shown_name(name, options)));
        }
    }
    if (text.empty()) {
        text = "No traces; recursive also lists subdirectories.\n";
    }
    constexpr std::string_view more = "(more; name a directory, or set max-bytes)\n";
    const bool is_cut = text.size() > *bytes;
    const std::string shown(first_lines(text, is_cut ? *bytes - more.size() : *bytes));
    return {shown + std::string(is_cut ? more : ""), false};
}

Answer answer_of(const Command& command, const etl::host::Captured& captured,
                 const CallOptions& options) {
    constexpr std::string_view cut = "(cut; the command prints all)\n";
    const std::string messages = utf8_text(captured.errors);
    const std::string output = utf8_text(captured.output);
    std::string tail = ending(captured, options);
    tail += fmt::format("Command: {}\n", shown_command(command));
    // Messages explain the output, which is cut first; they may take half of what is left.
    const std::size_t left = command.most_bytes - std::min(command.most_bytes, tail.size());
    std::string shown_messages(first_lines(messages, left / 2));
    const bool are_all = shown_messages.size() == messages.size();
    shown_messages += shown_messages.empty() || shown_messages.ends_with('\n') ? "" : "\n";
    std::size_t rest = left - std::min(left, shown_messages.size());
    const bool is_cut =
        captured.end == etl::host::Captured::End::output_full || output.size() > rest || !are_all;
    rest -= is_cut ? std::min(rest, cut.size() + 1) : 0;
    Answer answer{.text = std::string(first_lines(output, rest)), .is_error = is_failure(captured)};
    if (!answer.text.empty() && !answer.text.ends_with('\n')) {
        answer.text += '\n';
    }
    answer.text += is_cut ? cut : "";
    answer.text += shown_messages;
    answer.text += tail;
    return answer;
}

} // namespace cli::mcp
