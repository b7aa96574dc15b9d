#include "cli/provider_spec.hpp"

#include "base/text.hpp"
#include "decode/known_names.hpp"
#include "format/kernel_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace cli {

std::string label_of(const etl::Guid& provider, std::string_view name) {
    const auto grouped = etl::format::class_name(provider);
    const auto kernel = grouped.empty() ? etl::decode::ungrouped_class_name(provider) : grouped;
    return kernel.empty() ? std::string(name)
                          : fmt::format("{}/{}", etl::format::system_trace_name, kernel);
}

std::string label_of(const etl::Guid& provider, const etl::schema::SchemaStore* store) {
    const auto* names = store != nullptr ? store->provider(provider) : nullptr;
    return label_of(provider, names != nullptr ? std::string_view(names->name)
                                               : etl::decode::known_provider_name(provider));
}

namespace {

namespace property = etl::session::enable_property;

/// The text up to the next `at` outside quotes; removes it and the separator.
std::string_view take_part(std::string_view& text, char at) {
    bool is_quoted = false;
    std::size_t end = 0;
    while (end < text.size() && (is_quoted || text[end] != at)) {
        is_quoted = is_quoted != (text[end] == '\'');
        ++end;
    }
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::optional<std::uint8_t> level_in(std::string_view text) {
    constexpr std::array<std::string_view, 5> names{"critical", "error", "warning", "information",
                                                    "verbose"};
    std::string word = etl::to_lower_ascii(text);
    word.erase(0, word.starts_with("win:") ? 4 : 0); // as manifests and logman have it
    word = word == "informational" ? "information" : word;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (word == names.at(i)) {
            return static_cast<std::uint8_t>(i + 1);
        }
    }
    const auto number = etl::parse_number(text);
    return number && *number <= std::numeric_limits<std::uint8_t>::max()
               ? std::optional(static_cast<std::uint8_t>(*number))
               : std::nullopt;
}

/// `'stack,sid,tsid'`, with or without quotes.
std::optional<std::uint32_t> properties_in(std::string_view text) {
    constexpr std::pair<std::string_view, std::uint32_t> words[] = {
        {"stack", property::stack_trace},
        {"sid", property::sid},
        {"tsid", property::terminal_session}};
    std::uint32_t result = 0;
    if (text.starts_with('\'')) {
        text.remove_prefix(1);
    }
    if (text.ends_with('\'')) {
        text.remove_suffix(1);
    }
    while (!text.empty()) {
        const std::string word = etl::to_lower_ascii(take_part(text, ','));
        const auto* const found =
            std::ranges::find(words, word, &std::pair<std::string_view, std::uint32_t>::first);
        if (found == std::end(words)) {
            return std::nullopt;
        }
        result |= found->second;
    }
    return result;
}

std::string not_a_spec(std::string_view text) {
    return fmt::format("'{}' is not PROVIDER[:KEYWORDS[:LEVEL[:'stack']]]", text);
}

std::expected<ProviderSpec, std::string> parse_one(std::string_view text) {
    const std::string_view all = text;
    SpecParts parts;
    for (std::string_view* part :
         {&parts.provider, &parts.keywords, &parts.level, &parts.properties}) {
        *part = take_part(text, ':');
    }
    if (!text.empty()) {
        return std::unexpected(not_a_spec(all));
    }
    return parse_provider_spec(parts, all);
}

} // namespace

std::expected<ProviderSpec, std::string> parse_provider_spec(const SpecParts& parts,
                                                             std::string_view all) {
    if (parts.provider.empty()) {
        return std::unexpected(not_a_spec(all));
    }
    ProviderSpec spec;
    spec.provider = parts.provider;
    if (!parts.keywords.empty() && parts.keywords != "*") {
        const auto mask = etl::parse_number(parts.keywords);
        if (!mask) {
            return std::unexpected(fmt::format("'{}': keywords are a number, such as 0x10", all));
        }
        spec.enable.match_any = *mask;
    }
    if (!parts.level.empty() && parts.level != "*") {
        const auto value = level_in(parts.level);
        if (!value) {
            return std::unexpected(fmt::format(
                "'{}': the level is 1 to 255, critical, error, warning, information, or verbose",
                all));
        }
        spec.enable.level = *value;
    }
    const auto property = properties_in(parts.properties);
    if (!property) {
        return std::unexpected(fmt::format("'{}': the last part is stack, sid, or tsid", all));
    }
    spec.enable.property = *property;
    return spec;
}

std::expected<std::vector<ProviderSpec>, std::string> parse_provider_specs(std::string_view text) {
    std::vector<ProviderSpec> specs;
    do { // NOLINT(cppcoreguidelines-avoid-do-while): an empty text is one, and refused
        auto spec = parse_one(take_part(text, '+'));
        if (!spec) {
            return std::unexpected(spec.error());
        }
        specs.push_back(std::move(*spec));
    } while (!text.empty());
    return specs;
}

} // namespace cli
