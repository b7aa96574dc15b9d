#include "verbs/mcp/call.hpp"

#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/help.hpp"
#include "cli/json_object.hpp"
#include "io/find_files.hpp"
#include "verbs/mcp/tools.hpp"
#include "verbs/sql/queries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace cli::mcp {

std::string_view first_lines(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    const std::size_t line_end = text.substr(0, most).rfind('\n');
    if (line_end != text.npos) {
        return text.substr(0, line_end + 1);
    }
    return etl::whole_characters(text, most);
}

Answer refusal(std::string_view problem) {
    return {.text = std::string(first_lines(problem, min_answer)), .is_error = true};
}

namespace {

bool is_inside(const std::string& path, const std::string& root) {
    const std::filesystem::path whole(path), top(root);
    return std::ranges::mismatch(top, whole).in1 == top.end();
}

} // namespace

const Argument* find(const Message& call, std::string_view name) {
    const auto found = std::ranges::find(call.arguments, name, &Argument::name);
    return found == call.arguments.end() ? nullptr : &*found;
}

std::string count_problem(const Argument& argument, std::size_t least, std::size_t most) {
    const std::size_t count = argument.values.size();
    return count >= least && count <= most ? ""
           : least == most                 ? fmt::format("{}: expected {}, found {}", argument.name,
                                                         plural(least, "value"), count)
                           : fmt::format("{}: expected {} to {} values, found {}", argument.name,
                                         least, most, count);
}

std::expected<std::size_t, std::string> max_bytes(const Message& call) {
    const Argument* const given = find(call, "max-bytes");
    if (given == nullptr) {
        return default_answer;
    }
    const std::string& text = given->values.front();
    std::size_t bytes = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    const bool is_number = code == std::errc() && end == text.data() + text.size();
    if (!is_number || bytes < min_answer || bytes > max_answer || given->values.size() != 1) {
        return std::unexpected(
            fmt::format("max-bytes: expected a number from {} to {}", min_answer, max_answer));
    }
    return bytes;
}

std::expected<bool, std::string> flag_of(const Argument& argument) {
    if (std::string problem = count_problem(argument, 1, 1); !problem.empty()) {
        return std::unexpected(std::move(problem));
    }
    const std::string& word = argument.values.front();
    if (word != "true" && word != "false") {
        return std::unexpected(fmt::format("{}: expected true or false", argument.name));
    }
    return word == "true";
}

std::optional<std::string> confined(const std::string& path, const std::string& root) {
    if (root.empty()) {
        return etl::io::real_path(path);
    }
    const auto joined = std::filesystem::path(root) / path; // an absolute path stays
    std::string real = etl::io::real_path(joined.string());
    return is_inside(real, root) ? std::optional(std::move(real)) : std::nullopt;
}

std::string shown_name(const std::string& path, const std::string& root) {
    return root.empty() ? path : std::filesystem::path(path).lexically_relative(root).string();
}

namespace {

using Problem = std::unexpected<std::string>;

std::expected<std::string, std::string> readable_file(const std::string& path,
                                                      const CallOptions& options) {
    auto real = confined(path, options.root);
    if (!real || !etl::io::is_regular_file(*real)) {
        const std::string_view where = options.root.empty() ? "" : " in the root directory";
        return Problem(fmt::format("{}: not a file{}; {} lists the traces of a directory", path,
                                   where, list_tool));
    }
    return *std::move(real);
}

/// Appends an option of the verb; returns what is wrong, or empty.
std::string add_option(const Argument& argument, const Tool& tool, const Verb& verb,
                       std::vector<std::string>& words) {
    const Option* const option =
        tool.has_option(argument.name) ? verb.get_option_no_throw("--" + argument.name) : nullptr;
    if (option == nullptr) {
        return fmt::format("{}: unknown argument; {} accepts files, max-bytes, {}{}", argument.name,
                           tool.name(), tool.has_query ? "query, " : "",
                           fmt::join(tool.options, ", "));
    }
    const auto most = static_cast<std::size_t>(std::max(option->max_items(), 1));
    if (std::string problem = count_problem(argument, 1, most); !problem.empty()) {
        return problem;
    }
    if (option->max_items() > 0) {
        for (const std::string& value : argument.values) {
            words.push_back(fmt::format("--{}={}", argument.name, value));
        }
        return {};
    }
    const auto flag = flag_of(argument);
    if (flag && *flag) {
        words.push_back("--" + argument.name);
    }
    return flag ? "" : flag.error();
}

/// Appends the query, if the tool has one; returns what is wrong, or empty. It must not pass for an
/// option or a path.
std::string add_query(const Tool& tool, const Message& call, std::vector<std::string>& words) {
    const Argument* const query = tool.has_query ? find(call, "query") : nullptr;
    if (query == nullptr) {
        const Argument* const tables = find(call, "tables");
        const bool is_needed =
            tool.has_query &&
            (tables == nullptr || tables->values != std::vector<std::string>{"true"});
        return is_needed ? "query is missing; set tables to list tables and columns instead" : "";
    }
    if (std::string problem = count_problem(*query, 1, 1); !problem.empty()) {
        return problem;
    }
    const std::string& text = query->values.front();
    if (text.starts_with('-') || !is_query(text)) {
        return "query: begin with SELECT, WITH, VALUES, or EXPLAIN";
    }
    words.push_back(text);
    return {};
}

/// The options that the server gives to every verb that has them.
void add_options_of_server(const Verb& verb, const CallOptions& options,
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
    if (options.big_numbers == BigNumbers::text) {
        add("--big-numbers", {"text"});
    }
}

/// `etl cpu --limit=20 trace.etl`, unless it takes too much of the answer.
std::string shown_command(const Command& command) {
    std::string shown = "etl";
    for (const std::string& word : command.words) {
        shown += ' ' + etl::shell_word(word);
    }
    constexpr std::size_t share = 3; // of the answer
    return shown.size() <= command.max_bytes / share ? utf8_text(shown) : "(too long to be shown)";
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
                                               const Verb& etl, const CallOptions& options) {
    const Verb& verb = *verb_named(etl, std::string(tool.verb));
    const auto bytes = max_bytes(call);
    const Argument* const files = find(call, "files");
    if (!bytes || files == nullptr) {
        return Problem(bytes ? "files is missing" : bytes.error());
    }
    Command command{.words = {std::string(tool.verb)}, .max_bytes = *bytes};
    if (!tool.fixed.empty()) {
        command.words.emplace_back(tool.fixed);
    }
    for (const Argument& argument : call.arguments) {
        const bool is_query = tool.has_query && argument.name == "query";
        if (argument.name == "files" || argument.name == "max-bytes" || is_query) {
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
                                                                             : max_files);
        !problem.empty()) {
        return Problem(std::move(problem));
    }
    command.first_file = command.words.size();
    command.files = files->values.size();
    for (const std::string& path : files->values) {
        auto file = readable_file(path, options);
        if (!file) {
            return Problem(file.error());
        }
        command.words.push_back(*std::move(file));
    }
    if (std::string problem = add_query(tool, call, command.words); !problem.empty()) {
        return Problem(std::move(problem));
    }
    return command;
}

Answer answer_of(const Command& command, const etl::host::Captured& captured,
                 const CallOptions& options) {
    constexpr std::string_view cut = "(cut; the command prints all)\n";
    const std::string messages = utf8_text(captured.errors);
    const std::string output = utf8_text(captured.output);
    std::string tail = ending(captured, options);
    tail += fmt::format("Command: {}\n", shown_command(command));
    // Messages explain the output, which is cut first; they may take half of what is left.
    const std::size_t left = command.max_bytes - std::min(command.max_bytes, tail.size());
    std::string shown_messages(first_lines(messages, left / 2));
    const bool are_all = shown_messages.size() == messages.size();
    shown_messages += shown_messages.empty() || shown_messages.ends_with('\n') ? "" : "\n";
    std::size_t rest = left - std::min(left, shown_messages.size());
    const bool is_cut =
        captured.end == etl::host::Captured::End::output_full || output.size() > rest || !are_all;
    rest -= is_cut ? std::min(rest, cut.size() + 1) : 0;
    return {.data = std::string(first_lines(output, rest)),
            .text = std::string(is_cut ? cut : "") + shown_messages + tail,
            .is_error = is_failure(captured)};
}

} // namespace cli::mcp
