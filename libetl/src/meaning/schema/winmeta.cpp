#include "schema/winmeta.hpp"

#include "base/text.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace etl::schema::winmeta {

namespace {

using Small = std::pair<std::string_view, std::uint8_t>;
using Large = std::pair<std::string_view, std::uint64_t>;

// The name to show comes first, other spellings behind it.
constexpr std::array levels = std::to_array<Small>({
    {"LogAlways", 0},
    {"Always", 0}, // dumps of live systems
    {"Critical", 1},
    {"Error", 2},
    {"Warning", 3},
    {"Information", 4}, // the display text; the manifests' name is the next one
    {"Informational", 4},
    {"Verbose", 5},
});

constexpr std::array opcodes = std::to_array<Small>({
    {"Info", 0},
    {"Start", 1},
    {"Stop", 2},
    {"DC_Start", 3},
    {"DC_Stop", 4},
    {"Extension", 5},
    {"Reply", 6},
    {"Resume", 7},
    {"Suspend", 8},
    {"Send", 9},
    {"Receive", 240},
});

constexpr std::array keywords = std::to_array<Large>({
    {"ResponseTime", std::uint64_t{1} << 48U},
    {"WDIContext", std::uint64_t{1} << 49U},
    {"WDIDiag", std::uint64_t{1} << 50U},
    {"WDIDiagnostic", std::uint64_t{1} << 50U},
    {"SQM", std::uint64_t{1} << 51U},
    {"AuditFailure", std::uint64_t{1} << 52U},
    {"AuditSuccess", std::uint64_t{1} << 53U},
    {"CorrelationHint", std::uint64_t{1} << 54U},
    {"EventlogClassic", std::uint64_t{1} << 55U},
    {"AnyKeyword", 0},
});

constexpr std::array channels = std::to_array<Small>({
    {"System", 8},
    {"Application", 9},
    {"Security", 10},
    {"TraceLogging", 11},
    {"ProviderMetadata", 12},
});

template <typename Table, typename Value>
std::string_view name_in(const Table& table, Value value) noexcept {
    for (const auto& [text, known] : table) {
        if (known == value) {
            return text;
        }
    }
    return {};
}

std::string_view local_part(std::string_view name) noexcept {
    const std::size_t colon = name.rfind(':');
    return colon == name.npos ? name : name.substr(colon + 1);
}

template <typename Table>
auto value_in(const Table& table, std::string_view name) noexcept
    -> std::optional<typename Table::value_type::second_type> {
    for (const auto& [text, value] : table) {
        if (equals_ignoring_case(text, local_part(name))) {
            return value;
        }
    }
    return std::nullopt;
}

// The N of `ReservedLevelN` and its like, when it lies in [low, high].
std::optional<std::uint8_t> reserved(std::string_view name, std::string_view stem, std::uint8_t low,
                                     std::uint8_t high) noexcept {
    const std::string_view local = local_part(name);
    if (local.size() <= stem.size() || !equals_ignoring_case(local.substr(0, stem.size()), stem)) {
        return std::nullopt;
    }
    std::uint8_t number = 0;
    const char* end = local.data() + local.size();
    const auto [stop, error] = std::from_chars(local.data() + stem.size(), end, number);
    if (error != std::errc{} || stop != end || number < low || number > high) {
        return std::nullopt;
    }
    return number;
}

} // namespace

std::string_view level_name(std::uint8_t level) noexcept {
    return name_in(levels, level);
}

std::string_view opcode_name(std::uint8_t opcode) noexcept {
    return name_in(opcodes, opcode);
}

std::string_view keyword_name(std::uint64_t bit) noexcept {
    return bit == 0 ? std::string_view{} : name_in(keywords, bit);
}

std::string_view channel_name(std::uint8_t channel) noexcept {
    return name_in(channels, channel);
}

std::optional<std::uint8_t> level(std::string_view name) noexcept {
    const auto known = value_in(levels, name);
    return known ? known : reserved(name, "ReservedLevel", 6, 15);
}

std::optional<std::uint8_t> opcode(std::string_view name) noexcept {
    const auto known = value_in(opcodes, name);
    return known ? known : reserved(name, "ReservedOpcode", 241, 255);
}

std::optional<std::uint64_t> keyword(std::string_view name) noexcept {
    if (const auto known = value_in(keywords, name)) {
        return known;
    }
    const auto bit = reserved(name, "ReservedKeyword", 56, 63);
    return bit ? std::optional(std::uint64_t{1} << *bit) : std::nullopt;
}

std::optional<std::uint8_t> channel(std::string_view name) noexcept {
    return value_in(channels, name);
}

} // namespace etl::schema::winmeta
