#include "verbs/split/every.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/duration.hpp"
#include "cli/verb.hpp"

#include <charconv>
#include <optional>

namespace cli {

namespace {

using etl::relog::SplitBy;

std::optional<std::uint64_t> read_count(std::string_view text) {
    std::uint64_t count = 0;
    const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool is_valid = code == std::errc{} && rest == text.data() + text.size() && count > 0;
    return is_valid ? std::optional(count) : std::nullopt;
}

/// `100MB`, `64K`, `2G`; without a unit in MB.
std::optional<std::uint64_t> read_size(std::string word) {
    word = etl::to_lower_ascii(word);
    if (word.ends_with("b")) {
        word.pop_back();
    }
    unsigned shift = 20;
    constexpr std::string_view units = "kmg";
    if (const auto unit = word.empty() ? units.npos : units.find(word.back()); unit != units.npos) {
        shift = 10 * (static_cast<unsigned>(unit) + 1);
        word.pop_back();
    }
    const auto count = read_count(word);
    return count && *count <= (UINT64_MAX >> shift) ? std::optional(*count << shift) : std::nullopt;
}

std::optional<std::uint64_t> read_span(const std::string& word) {
    const auto ticks = parse_duration(word);
    return ticks && *ticks > 0 ? std::optional(static_cast<std::uint64_t>(*ticks)) : std::nullopt;
}

} // namespace

std::uint64_t read_every(SplitBy by, const std::string& word) {
    std::optional<std::uint64_t> limit;
    const char* wanted = "";
    switch (by) {
    case SplitBy::size:
        limit = read_size(word);
        wanted = "is not a size (examples: 100MB, 64K, 2G)";
        break;
    case SplitBy::time:
        limit = read_span(word);
        wanted = "is not a duration (examples: 10s, 200ms, 5m, 1h)";
        break;
    case SplitBy::count:
        limit = read_count(word);
        wanted = "is not a number of events";
        break;
    case SplitBy::provider:
    case SplitBy::process:
    case SplitBy::processor:
        limit = word.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
        wanted = "does not apply to --by provider, process, or cpu";
        break;
    }
    if (!limit) {
        throw UsageError(every_name, "'" + printable(word) + "' " + wanted);
    }
    return *limit;
}

} // namespace cli
