// The string tables of a manifest in validation. Views into the document. One thread. Private to
// schema.
#pragma once

#include "authoring/findings.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace etl::authoring {

class ValidatedStrings {
public:
    /// Checks all `localization` of a document.
    ValidatedStrings(const pugi::xml_document& document, Findings& findings);

    /// Checks an attribute that must refer to a string, if the node has it.
    void check_reference(const pugi::xml_node& node, const char* attribute_name);

    /// The text that an attribute refers to; empty: none.
    std::string_view text(std::string_view value) const noexcept;

private:
    struct String {
        std::string_view text;
        std::size_t cultures = 0; // that have it
        std::size_t last_table = 0;
    };

    void read_table(const pugi::xml_node& table);

    Findings& findings_;
    std::unordered_map<std::string_view, String> strings_;
    std::size_t tables_ = 0;
    bool has_told_missing_ = false; // that there is no table at all
};

// What one provider of a manifest declares for its events to refer to, in validation. Views into
// the document. One thread.

/// What decides whether an event may do without a message.
enum class ChannelType : std::uint8_t { unknown, admin, other };

class ValidatedNames {
public:
    /// Checks the declarations of a provider.
    ValidatedNames(const pugi::xml_node& provider, ValidatedStrings& strings, Findings& findings);

    /// What an event's attribute may name; predefined names are known too.
    std::optional<ChannelType> channel(std::string_view name) const;
    bool has_level(std::string_view name) const;
    bool has_task(std::string_view name) const;
    bool has_opcode(std::string_view name, std::string_view task) const;
    bool has_keyword(std::string_view name) const;

    /// Also notes that the map is in use.
    bool use_map(std::string_view name);
    /// Warnings for maps that nothing uses.
    void check_unused() const;

private:
    using Names = std::unordered_set<std::string_view>;

    /// Names and values that must not come twice.
    struct Scope {
        Names names;
        std::unordered_map<std::uint64_t, std::string_view> values;
    };

    struct Range {
        std::uint64_t low, high;
    };

    struct Map {
        pugi::xml_node node;
        bool used = false;
    };

    std::optional<std::uint64_t> number(const pugi::xml_node& node, const char* which,
                                        std::uint64_t max);
    void declare(const pugi::xml_node& node, Scope& scope, std::optional<std::uint64_t> value);
    void check_range(const pugi::xml_node& node, std::uint64_t value, Range range);
    void read_channels(const pugi::xml_node& provider);
    void read_channel(const pugi::xml_node& node, Scope& scope);
    void read_levels(const pugi::xml_node& provider);
    void read_tasks(const pugi::xml_node& provider);
    void read_opcodes(const pugi::xml_node& parent, Names& into);
    void read_keywords(const pugi::xml_node& provider);
    void read_keyword(const pugi::xml_node& node, Scope& scope);
    void read_maps(const pugi::xml_node& provider);
    void read_map(const pugi::xml_node& node);
    void read_map_entry(const pugi::xml_node& node, bool bits,
                        std::unordered_set<std::uint64_t>& values);

    ValidatedStrings& strings_;
    Findings& findings_;
    std::unordered_map<std::string_view, ChannelType> channels_; // by chid and by name
    Names levels_, opcodes_, keywords_;
    std::unordered_map<std::string_view, Names> tasks_; // with their opcodes
    std::unordered_map<std::string_view, Map> maps_;
};

} // namespace etl::authoring
