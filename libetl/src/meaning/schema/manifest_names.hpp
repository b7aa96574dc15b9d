// The localized texts of a manifest. Views into the XML document; immutable after construction.
// docs/format/decoding.md#manifest-strings
#pragma once

#include "schema/manifest.hpp"
#include "schema/manifest_reading.hpp"
#include "schema/schema_set.hpp"

#include <pugixml.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace etl::schema {

class ManifestStrings {
public:
    /// Reads all `localization` of a document. Each string is taken from the best of the cultures
    /// that have it, in the order of CultureChain.
    ManifestStrings(const pugi::xml_document& document, std::string_view culture);

    /// The text of an attribute that may be `$(string.ID)`: the string; the id when there is no
    /// such string; the attribute itself when it is no reference.
    std::string_view text(std::string_view value) const noexcept;

    /// The same, but empty when a reference leads nowhere.
    std::optional<std::string_view> resolved(std::string_view value) const noexcept;

private:
    std::unordered_map<std::string_view, std::string_view> strings_;
};

// Names that one provider of a manifest defines for levels, tasks, opcodes, keywords, channels and
// maps, and what an event's attributes mean by them. Views into the XML document. One thread.
// docs/format/decoding.md#manifest-names

/// A value and what to show for it.
template <typename Value>
struct Named {
    Value value = 0;
    std::string_view shown;
};

class ManifestNames {
public:
    ManifestNames(const pugi::xml_node& provider, const Guid& guid, ManifestReading& reading,
                  const ManifestStrings& strings,
                  const std::optional<ParameterFiles>& parameter_files);

    std::shared_ptr<const ProviderNames> provider() const noexcept { return provider_; }

    std::shared_ptr<const ValueMap> map(std::string_view name) const noexcept;

    /// An event's attribute; empty attributes give 0. A name that nobody defined gives 0 and shows
    /// nothing.
    std::uint8_t level(std::string_view name) const noexcept;
    std::uint8_t channel(std::string_view name) const noexcept;
    Named<std::uint16_t> task(std::string_view name) const noexcept;
    Guid task_guid(std::string_view name) const noexcept;
    /// `task` is the event's attribute too: opcodes of the task hide those of the provider.
    Named<std::uint8_t> opcode(std::string_view name, std::string_view task) const noexcept;
    /// The union of a list separated by blanks.
    std::uint64_t keywords(std::string_view names) const noexcept;

private:
    using Opcodes = std::unordered_map<std::string_view, Named<std::uint8_t>>;

    struct Task {
        Named<std::uint16_t> name;
        Opcodes opcodes;
        Guid guid{};
    };

    void read_levels(const pugi::xml_node& provider, ProviderNames& names);
    void read_tasks(const pugi::xml_node& provider);
    void read_opcodes(const pugi::xml_node& parent, Opcodes& into);
    void read_keywords(const pugi::xml_node& provider, ProviderNames& names);
    void read_channels(const pugi::xml_node& provider, ProviderNames& names);
    void read_maps(const pugi::xml_node& provider);
    void read_map(const pugi::xml_node& node, ValueMap::Kind kind);

    template <typename Value>
    std::optional<Value> number(const pugi::xml_node& node, const char* attribute_name);
    std::string_view shown_name(const pugi::xml_node& node, std::string_view kind) const noexcept;

    ManifestReading& reading_;
    const ManifestStrings& strings_;
    std::shared_ptr<const ProviderNames> provider_;
    std::unordered_map<std::string_view, std::uint8_t> levels_;
    std::unordered_map<std::string_view, std::uint8_t> channels_;
    std::unordered_map<std::string_view, Task> tasks_;
    Opcodes opcodes_;
    std::unordered_map<std::string_view, std::uint64_t> keywords_;
    std::unordered_map<std::string_view, std::shared_ptr<const ValueMap>> maps_;
};

// Code names of one provider of a manifest. One thread. docs/format/decoding.md#code-names

/// `index`: the position of the provider in its file, which its message IDs contain.
CodeNames read_code_names(const pugi::xml_node& provider, std::size_t index,
                          const ManifestNames& names, ManifestReading& reading);

} // namespace etl::schema
