#include "verbs/mcp/arguments.hpp"

#include "cli/plural.hpp"
#include "io/find_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace cli::mcp {

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

} // namespace cli::mcp
