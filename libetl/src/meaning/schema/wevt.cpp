#include "schema/wevt.hpp"

#include "base/text.hpp"
#include "schema/binary_xml.hpp"
#include "schema/event_name.hpp"
#include "schema/event_schema.hpp"
#include "schema/file_reading.hpp"
#include "schema/image.hpp"
#include "schema/limits.hpp"
#include "schema/property_tree.hpp"
#include "schema/wevt_reading.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace etl::schema {

namespace {

/// What one provider of a WEVT_TEMPLATE resource calls its levels, tasks, opcodes, keywords,
/// channels and maps. One thread. docs/format/images.md#wevt-names
class WevtNames {
public:
    /// `elements`: heads of all elements of the provider; others than those of names are ignored.
    WevtNames(const Guid& guid, std::uint32_t message, std::span<const WevtElement> elements,
              WevtReading& reading);

    /// To be shared when all events are read: their channels count too.
    std::shared_ptr<const ProviderNames> provider() const noexcept { return provider_; }

    /// By the offset of its entry; where that leads nowhere, by number.
    std::string_view task(std::uint32_t entry, std::uint16_t number) const noexcept;
    Guid task_guid(std::uint32_t entry, std::uint16_t number) const noexcept;
    /// Those of the task go before those of the provider, these before Windows' own.
    std::string_view opcode(std::uint32_t entry, std::uint16_t task,
                            std::uint8_t number) const noexcept;
    /// An event uses the channel of this entry under this number.
    void learn_channel(std::uint32_t entry, std::uint8_t number);
    /// The map at an offset; null: none that can be read, which is noted.
    std::shared_ptr<const ValueMap> map(std::uint32_t offset);

private:
    struct Names {
        std::unordered_map<std::uint32_t, std::uint32_t> number_of_entry; // by its offset
        std::unordered_map<std::uint32_t, std::string> by_number;
    };

    void read(const WevtElement& element);
    void read_levels(const WevtElement& element);
    void read_opcodes(const WevtElement& element);
    void read_tasks(const WevtElement& element);
    void read_keywords(const WevtElement& element);
    void read_channels(const WevtElement& element);
    void read_attributes(const WevtElement& element);
    void name_provider(std::uint32_t message);
    void add_channel(std::uint32_t number, const std::string& name);
    std::shared_ptr<const ValueMap> read_map(std::uint32_t offset);
    std::string shown(std::uint32_t name, const char* what);

    WevtReading& reading_;
    std::shared_ptr<ProviderNames> provider_;
    Names tasks_;
    std::unordered_map<std::uint32_t, Guid> task_guids_; // by number
    Names opcodes_;                                      // number: task, opcode << 16
    std::unordered_map<std::uint32_t, std::string> channel_of_entry_;
    std::string own_channel_;       // the first one that is not imported
    std::bitset<256> known_levels_; // by number: the first to be named counts
    std::bitset<256> known_channels_;
    std::unordered_set<std::uint64_t> known_keywords_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const ValueMap>> maps_; // by offset
};

namespace kind = element_layout;

// Older readers of the format take the first number of a channel for its value; Windows' own
// channels begin here, and no flag does.
constexpr std::uint32_t first_channel = 8;

WevtNames::WevtNames(const Guid& guid, std::uint32_t message, std::span<const WevtElement> elements,
                     WevtReading& reading)
    : reading_(reading), provider_(std::make_shared<ProviderNames>()) {
    provider_->guid = guid;
    for (const WevtElement& element : elements) {
        read(element);
    }
    name_provider(message);
}

void WevtNames::read(const WevtElement& element) {
    switch (element.signature) {
    case kind::levels:
        return read_levels(element);
    case kind::opcodes:
        return read_opcodes(element);
    case kind::tasks:
        return read_tasks(element);
    case kind::keywords:
        return read_keywords(element);
    case kind::channels:
        return read_channels(element);
    case kind::attributes:
        return read_attributes(element);
    default: // maps and templates are read when somebody points at them
        return;
    }
}

std::string WevtNames::shown(std::uint32_t name, const char* what) {
    std::string text = reading_.text(name, what);
    text.erase(0, text.size() - without_win(text).size());
    return text;
}

void WevtNames::read_levels(const WevtElement& element) {
    namespace layout = named_layout;
    const WevtElement list = reading_.with_entries(element, kind::size, layout::size);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto entry = reading_.inside<layout::size>(list.first + i * layout::size);
        const std::string name = reading_.text(load<layout::name>(entry), "name of a level");
        std::string text = reading_.message(load<layout::message>(entry));
        const bool is_predefined = without_win(name).size() != name.size();
        if (text.empty() && !is_predefined) {
            text = name;
        }
        const std::uint32_t number = load<layout::number>(entry);
        if (number < known_levels_.size() && !text.empty() && !known_levels_.test(number)) {
            known_levels_.set(number);
            provider_->levels.emplace_back(static_cast<std::uint8_t>(number), std::move(text));
        }
    }
}

void WevtNames::read_opcodes(const WevtElement& element) {
    namespace layout = named_layout;
    const WevtElement list = reading_.with_entries(element, kind::size, layout::size);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const std::uint32_t at = list.first + i * static_cast<std::uint32_t>(layout::size);
        const auto entry = reading_.inside<layout::size>(at);
        const std::uint32_t number = load<layout::number>(entry);
        opcodes_.number_of_entry.try_emplace(at, number);
        opcodes_.by_number.try_emplace(number,
                                       shown(load<layout::name>(entry), "name of an opcode"));
    }
}

void WevtNames::read_tasks(const WevtElement& element) {
    namespace layout = task_layout;
    const WevtElement list = reading_.with_entries(element, kind::size, layout::size);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const std::uint32_t at = list.first + i * static_cast<std::uint32_t>(layout::size);
        const auto entry = reading_.inside<layout::size>(at);
        const std::uint32_t number = load<layout::number>(entry);
        tasks_.number_of_entry.try_emplace(at, number);
        tasks_.by_number.try_emplace(number, shown(load<layout::name>(entry), "name of a task"));
        task_guids_.try_emplace(number, load<layout::guid>(entry));
    }
}

void WevtNames::read_keywords(const WevtElement& element) {
    namespace layout = keyword_layout;
    const WevtElement list = reading_.with_entries(element, kind::size, layout::size);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto entry = reading_.inside<layout::size>(list.first + i * layout::size);
        std::string name = shown(load<layout::name>(entry), "name of a keyword");
        const std::uint64_t mask = load<layout::mask>(entry);
        if (!name.empty() && known_keywords_.insert(mask).second) {
            provider_->keywords.emplace_back(mask, std::move(name));
        }
    }
}

void WevtNames::read_channels(const WevtElement& element) {
    namespace layout = channel_layout;
    const WevtElement list = reading_.with_entries(element, kind::size, layout::size);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const std::uint32_t at = list.first + i * static_cast<std::uint32_t>(layout::size);
        const auto entry = reading_.inside<layout::size>(at);
        const std::string name = reading_.text(load<layout::name>(entry), "name of a channel");
        const std::uint32_t flags = load<layout::flags>(entry);
        const std::uint32_t number = load<layout::number>(entry) == 0 && flags >= first_channel
                                         ? flags
                                         : load<layout::number>(entry);
        channel_of_entry_.try_emplace(at, name);
        add_channel(number, name);
        if ((flags & 1U) == 0 && own_channel_.empty()) {
            own_channel_ = name;
        }
    }
}

void WevtNames::read_attributes(const WevtElement& element) {
    namespace layout = attribute_layout;
    const WevtElement list = reading_.with_entries(element, kind::size, layout::size);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto entry = reading_.inside<layout::size>(list.first + i * layout::size);
        if (load<layout::kind>(entry) == layout::provider_name) {
            provider_->name =
                reading_.bare_text(load<layout::value>(entry), "name of the provider");
            return;
        }
    }
}

// Before version 5 a resource does not say its provider's name. Channels are called
// PROVIDER/KIND; else the display name must do.
void WevtNames::name_provider(std::uint32_t message) {
    if (provider_->name.empty()) {
        const std::size_t end = own_channel_.rfind('/');
        provider_->name = own_channel_.substr(0, end == std::string::npos ? 0 : end);
    }
    provider_->message = reading_.message(message);
    if (provider_->name.empty()) {
        provider_->name = provider_->message;
    }
}

std::string_view WevtNames::task(std::uint32_t entry, std::uint16_t number) const noexcept {
    const auto listed = tasks_.number_of_entry.find(entry);
    const auto known =
        tasks_.by_number.find(listed == tasks_.number_of_entry.end() ? number : listed->second);
    return known == tasks_.by_number.end() ? std::string_view() : known->second;
}

Guid WevtNames::task_guid(std::uint32_t entry, std::uint16_t number) const noexcept {
    const auto listed = tasks_.number_of_entry.find(entry);
    const auto known =
        task_guids_.find(listed == tasks_.number_of_entry.end() ? number : listed->second);
    return known == task_guids_.end() ? Guid() : known->second;
}

std::string_view WevtNames::opcode(std::uint32_t entry, std::uint16_t task,
                                   std::uint8_t number) const noexcept {
    const std::uint32_t global = std::uint32_t{number} << 16U;
    const auto listed = opcodes_.number_of_entry.find(entry);
    auto known = opcodes_.by_number.find(listed == opcodes_.number_of_entry.end() ? global | task
                                                                                  : listed->second);
    if (known == opcodes_.by_number.end()) {
        known = opcodes_.by_number.find(global);
    }
    if (known != opcodes_.by_number.end()) {
        return known->second;
    }
    return number == 0 ? std::string_view() : winmeta::opcode_name(number);
}

void WevtNames::learn_channel(std::uint32_t entry, std::uint8_t number) {
    if (known_channels_.test(number)) {
        return;
    }
    const auto named = channel_of_entry_.find(entry);
    if (named != channel_of_entry_.end()) {
        add_channel(number, named->second);
    }
}

void WevtNames::add_channel(std::uint32_t number, const std::string& name) {
    const bool is_usable = number != 0 && number < known_channels_.size() && !name.empty();
    if (is_usable && !known_channels_.test(number)) {
        known_channels_.set(number);
        provider_->channels.emplace_back(static_cast<std::uint8_t>(number), name);
    }
}

std::shared_ptr<const ValueMap> WevtNames::map(std::uint32_t offset) {
    const auto [known, is_new] = maps_.try_emplace(offset);
    if (is_new) {
        known->second = read_map(offset);
    }
    return known->second;
}

std::shared_ptr<const ValueMap> WevtNames::read_map(std::uint32_t offset) {
    namespace layout = map_layout;
    const auto head = reading_.at<layout::size>(offset, "map");
    if (!head) {
        return nullptr;
    }
    const std::uint32_t signature = load<layout::signature>(*head);
    if (signature != layout::value_map && signature != layout::bit_map) {
        reading_.note({ErrorCode::malformed, "signature of a map", FileOffset{offset}, 0, 0, 0});
        return nullptr;
    }
    const std::uint64_t total = load<layout::total>(*head);
    const std::uint32_t short_count = load<layout::flags>(*head); // where there are no flags
    const bool is_short =
        total == layout::size_without_flags + std::uint64_t{short_count} * layout::entry_size &&
        total != layout::size + std::uint64_t{load<layout::count>(*head)} * layout::entry_size;
    const WevtElement list = reading_.with_entries(
        {signature, offset, is_short ? short_count : load<layout::count>(*head)},
        is_short ? layout::size_without_flags : layout::size, layout::entry_size);
    auto map = std::make_shared<ValueMap>();
    map->name = reading_.text(load<layout::name>(*head), "name of a map");
    map->kind = signature == layout::bit_map ? ValueMap::Kind::bits : ValueMap::Kind::value;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto entry = reading_.inside<8>(list.first + i * layout::entry_size);
        std::string text = reading_.message(load_le<std::uint32_t>(entry.data() + 4));
        if (!text.empty()) { // else the number itself says more
            map->entries.emplace_back(load_le<std::uint32_t>(entry.data()), std::move(text));
        }
    }
    return map;
}

/// Templates of a WEVT_TEMPLATE resource: the fields of events. Parsed once, when an event points
/// at one. One thread. docs/format/images.md#wevt-templates
struct WevtTemplate {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::size_t bytes = 0; // what an event takes that copies it
};

class WevtTemplates {
public:
    WevtTemplates(WevtNames& names, WevtReading& reading) : names_(names), reading_(reading) {}

    /// The template at an offset. One that is damaged is noted, and has a field that cannot be
    /// decoded.
    const WevtTemplate& at(std::uint32_t offset);

private:
    WevtTemplate read(std::uint32_t offset);
    Result<std::vector<Property>> read_properties(std::uint32_t first, std::size_t count);
    Result<void> read_into(std::uint32_t offset, WevtTemplate& to);
    void bind_maps(PropertyTree& tree, WevtTemplate& to);

    WevtNames& names_;
    WevtReading& reading_;
    std::unordered_map<std::uint32_t, WevtTemplate> templates_;
};

namespace template_parts = template_layout;
namespace item = item_layout;

// Where the XML is: behind the head, up to the properties when these follow, else to the end.
Bytes xml_of(Bytes crim, std::uint32_t offset,
             std::span<const std::byte, template_parts::size> head) {
    const std::size_t end = std::size_t{offset} + load<template_parts::total>(head);
    const std::size_t items = load<template_parts::items>(head);
    const std::size_t begin = offset + template_parts::size;
    const std::size_t stop = items >= begin && items < end ? items : end;
    return clamped(crim, begin, stop > begin ? stop - begin : 0);
}

std::uint32_t translated(std::uint32_t flags) noexcept {
    constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 5> same{
        {{item::is_structure, property_flags::is_structure},
         {item::fixed_length, property_flags::fixed_length},
         {item::length_by_field, property_flags::length_by_field},
         {item::fixed_count, property_flags::fixed_count},
         {item::count_by_field, property_flags::count_by_field}}};
    std::uint32_t result = 0;
    for (const auto& [from, to] : same) {
        result |= (flags & from) != 0 ? to : 0;
    }
    return result;
}

const WevtTemplate& WevtTemplates::at(std::uint32_t offset) {
    const auto [known, is_new] = templates_.try_emplace(offset);
    if (is_new) {
        known->second = read(offset);
    }
    return known->second;
}

WevtTemplate WevtTemplates::read(std::uint32_t offset) {
    WevtTemplate result;
    if (const auto read = read_into(offset, result); !read) {
        reading_.note(read.error());
        result = {};
        Field& unknown = result.fields.emplace_back();
        unknown.count.kind = Extent::Kind::unknown;
    }
    result.bytes = sizeof(EventSchema) + result.user_data.size();
    for (const Field& field : result.fields) {
        result.bytes += sizeof(Field) + field.name.size();
    }
    return result;
}

Result<void> WevtTemplates::read_into(std::uint32_t offset, WevtTemplate& to) {
    const Bytes crim = reading_.crim();
    if (!has_range(crim, offset, template_parts::size)) {
        return fail(ErrorCode::truncated, "template", FileOffset{offset}, template_parts::size,
                    clamped(crim, offset).size());
    }
    const auto head = reading_.inside<template_parts::size>(offset);
    if (load<template_parts::signature>(head) != template_parts::magic) {
        return fail(ErrorCode::malformed, "signature of a template", FileOffset{offset});
    }
    const std::size_t top_level = load<template_parts::top_level>(head);
    const std::size_t count =
        std::max<std::size_t>(load<template_parts::properties>(head), top_level);
    auto properties = read_properties(load<template_parts::items>(head), count);
    if (!properties) {
        return std::unexpected(properties.error());
    }
    auto tree = arrange(*properties, top_level);
    if (!tree) {
        tree.error().where = FileOffset{offset};
        return std::unexpected(tree.error());
    }
    bind_maps(*tree, to);
    to.fields = std::move(tree->fields);
    if (load<template_parts::kind>(head) == template_parts::user_data) {
        const Bytes fragment = xml_of(crim, offset, head);
        if (!reading_.charge(fragment.size())) { // those of many templates may overlap
            return {};
        }
        auto xml = read_user_data(fragment, FileOffset{offset + template_parts::size});
        if (xml) {
            to.user_data = std::move(*xml);
        } else {
            reading_.note(xml.error()); // the fields are good without
        }
    }
    return {};
}

Result<std::vector<Property>> WevtTemplates::read_properties(std::uint32_t first,
                                                             std::size_t count) {
    if (count > limits::fields) {
        return fail(ErrorCode::limit, "fields of a template", FileOffset{first}, limits::fields,
                    count);
    }
    if (!has_range(reading_.crim(), first, count * item::size)) {
        return fail(ErrorCode::truncated, "fields of a template", FileOffset{first},
                    count * item::size, clamped(reading_.crim(), first).size());
    }
    std::vector<Property> properties;
    properties.reserve(count);
    for (std::size_t i = 0; i < count && reading_.charge(sizeof(Property)); ++i) {
        const auto from = reading_.inside<item::size>(first + i * item::size);
        Property& to = properties.emplace_back();
        to.name = reading_.text(load<item::name>(from), "name of a field");
        to.flags = translated(load<item::flags>(from));
        to.count = load<item::count>(from);
        to.length = load<item::length>(from);
        if ((to.flags & property_flags::is_structure) != 0) {
            to.in_type = load<item::first_member>(from);
            to.out_type = load<item::members>(from);
        } else {
            to.in_type = load<item::in_type>(from);
            to.out_type = load<item::out_type>(from);
            to.map = load<item::map>(from);
        }
    }
    return properties;
}

void WevtTemplates::bind_maps(PropertyTree& tree, WevtTemplate& to) {
    for (const auto& [field, offset] : tree.map_of_field) {
        auto map = names_.map(offset);
        if (!map) {
            continue;
        }
        const auto known = std::ranges::find(to.maps, map);
        tree.fields[field].map = static_cast<std::uint16_t>(known - to.maps.begin());
        if (known == to.maps.end()) {
            to.maps.push_back(std::move(map));
        }
    }
}

using std::unexpected;

/// Everything of one provider, into reading.result.
class WevtProviderReader {
public:
    WevtProviderReader(const Guid& guid, std::uint32_t message, std::vector<WevtElement> elements,
                       WevtReading& reading)
        : elements_(std::move(elements)), reading_(reading),
          names_(guid, message, elements_, reading), templates_(names_, reading) {}

    void read() {
        reading_.result.providers.push_back(names_.provider());
        for (const WevtElement& element : elements_) {
            if (element.signature == element_layout::events) {
                read_events(element);
            }
        }
    }

private:
    void read_events(const WevtElement& element) {
        const WevtElement list =
            reading_.with_entries(element, event_layout::first, event_layout::size);
        for (std::uint32_t i = 0; i < list.count && !reading_.exhausted(); ++i) {
            read_event(reading_.inside<event_layout::size>(list.first + i * event_layout::size));
        }
    }

    void read_event(std::span<const std::byte, event_layout::size> from) {
        namespace layout = event_layout;
        auto event = std::make_shared<EventSchema>();
        event->origin = Origin::wevt;
        event->provider = names_.provider();
        event->id = load<layout::id>(from);
        event->version = load<layout::version>(from);
        event->channel = load<layout::channel>(from);
        event->level = load<layout::level>(from);
        event->opcode = load<layout::opcode>(from);
        event->task = load<layout::task>(from);
        event->keyword = load<layout::keyword>(from);
        event->task_name = names_.task(load<layout::task_entry>(from), event->task);
        event->task_guid = names_.task_guid(load<layout::task_entry>(from), event->task);
        event->opcode_name =
            names_.opcode(load<layout::opcode_entry>(from), event->task, event->opcode);
        event->event_name =
            compose_event_name(event->task_name, event->opcode, event->opcode_name, {});
        event->message = reading_.message(load<layout::message>(from));
        names_.learn_channel(load<layout::channel_entry>(from), event->channel);
        read_payload(load<layout::payload>(from), *event);
        const std::size_t names =
            event->task_name.size() + event->opcode_name.size() + event->event_name.size();
        if (reading_.charge(names)) {
            reading_.result.events.push_back(std::move(event));
        }
    }

    void read_payload(std::uint32_t offset, EventSchema& event) {
        if (offset == 0) {
            reading_.charge(sizeof(EventSchema));
            return;
        }
        const WevtTemplate& known = templates_.at(offset);
        if (reading_.charge(known.bytes)) {
            event.fields = known.fields;
            event.maps = known.maps;
            event.user_data = known.user_data;
        }
    }

    std::vector<WevtElement> elements_;
    WevtReading& reading_;
    WevtNames names_;
    WevtTemplates templates_;
};

/// The elements of a provider; none: it has no head, which is noted.
std::optional<std::vector<WevtElement>>
elements_of(std::span<const std::byte, wevt_layout::size> head, std::size_t offset,
            WevtReading& reading) {
    if (load<wevt_layout::signature>(head) != wevt_layout::magic) {
        reading.note(
            {ErrorCode::malformed, "signature of a provider", FileOffset{offset}, 0, 0, 0});
        return std::nullopt;
    }
    const WevtElement list = reading.with_entries(
        {wevt_layout::magic, static_cast<std::uint32_t>(offset), load<wevt_layout::elements>(head)},
        wevt_layout::size, wevt_layout::element_size);
    std::vector<WevtElement> elements;
    std::unordered_set<std::uint32_t> seen; // one may be listed thousands of times
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto entry =
            reading.inside<wevt_layout::element_size>(list.first + i * wevt_layout::element_size);
        const auto at = load_le<std::uint32_t>(entry.data() + 4);
        if (!seen.insert(at).second) {
            continue;
        }
        if (const auto element = reading.element(at)) {
            elements.push_back(*element);
        }
    }
    return elements;
}

void read_provider(std::size_t entry_at, WevtReading& reading) {
    const auto entry = reading.at<crim_entry_layout::size>(entry_at, "entry of a provider");
    if (!entry) {
        return;
    }
    const std::size_t offset = load<crim_entry_layout::provider>(*entry);
    const auto head = reading.at<wevt_layout::size>(offset, "provider");
    if (!head || !reading.charge(sizeof(ProviderNames))) {
        return;
    }
    if (auto elements = elements_of(*head, offset, reading)) {
        WevtProviderReader(load<crim_entry_layout::guid>(*entry), load<wevt_layout::message>(*head),
                           std::move(*elements), reading)
            .read();
    }
}

bool is_crim(Bytes crim) noexcept {
    return crim.size() >= crim_layout::size &&
           load<crim_layout::signature>(crim.first<crim_layout::size>()) == crim_layout::magic;
}

std::expected<SchemaSet, FileError> parse_crim(Bytes crim, MessageLookup messages,
                                               const WevtOptions& options, WevtBudget& budget) {
    if (!is_crim(crim)) {
        return unexpected(WevtReading(crim, messages, options, budget)
                              .rejected({ErrorCode::malformed, "signature of the resource",
                                         FileOffset{0}, 0, 0, 0}));
    }
    const auto head = crim.first<crim_layout::size>();
    // A resource may be a few bytes longer than what it holds.
    const std::size_t total = load<crim_layout::total>(head);
    WevtReading reading(clamped(crim, 0, std::max(total, crim_layout::size)), messages, options,
                        budget);
    if (total > crim.size()) {
        reading.note({ErrorCode::truncated, "resource", FileOffset{0}, total, crim.size(), 0});
    }
    const std::size_t count = load<crim_layout::providers>(head);
    const std::size_t room = (reading.crim().size() - crim_layout::size) / crim_entry_layout::size;
    for (std::size_t i = 0; i < std::min(count, room) && !reading.exhausted(); ++i) {
        read_provider(crim_layout::size + i * crim_entry_layout::size, reading);
    }
    if (reading.exhausted()) {
        return unexpected(reading.rejected(
            {ErrorCode::limit, "memory for its schemas", {}, limits::manifest_schema_bytes, 0, 0}));
    }
    if (reading.result.providers.empty()) {
        return unexpected(reading.result.notes.empty()
                              ? FileError{0, "WEVT_TEMPLATE: defines no provider", 0}
                              : FileError{0, reading.result.notes.front().text, 0});
    }
    return std::move(reading.result);
}

/// The templates of an image, the best language of each name.
Result<std::vector<Resource>> templates_of(Bytes file, const CultureChain& cultures) {
    const auto image = PeImage::parse(file);
    if (!image) {
        return unexpected(image.error());
    }
    auto found = image->resources(wevt_template_type);
    if (!found) {
        return found;
    }
    sort_by_language(*found, cultures);
    std::unordered_set<std::string_view> texts;
    std::unordered_set<std::uint16_t> numbers;
    std::vector<Resource> best;
    for (const Resource& resource : *found) {
        const ResourceName& name = resource.name;
        if (name.text.empty() ? numbers.insert(name.number).second
                              : texts.insert(as_text(name.text)).second) {
            best.push_back(resource);
        }
    }
    return best;
}

template <typename Element>
void append(std::vector<Element>& to, std::vector<Element>&& from) {
    to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
}

void append_notes(std::vector<FileNote>& to, std::vector<FileNote>&& from) {
    const std::size_t room = limits::manifest_notes - std::min(limits::manifest_notes, to.size());
    from.resize(std::min(from.size(), room));
    append(to, std::move(from));
}

std::expected<SchemaSet, FileError> parse_image(Bytes image, MessageLookup messages,
                                                const CultureChain& cultures) {
    const auto resources = templates_of(image, cultures);
    if (!resources) {
        return unexpected(FileError{0, describe(resources.error()), 0});
    }
    if (resources->empty()) {
        return unexpected(FileError{0, "the image contains no WEVT_TEMPLATE resource", 0});
    }
    SchemaSet all;
    WevtBudget budget;
    for (const Resource& resource : *resources) {
        auto set = parse_crim(resource.bytes, messages, {.where = resource.where}, budget);
        if (!set && resources->size() == 1) {
            return set;
        }
        if (!set) {
            append_notes(all.notes, {{0, std::move(set.error().reason), 0}});
            continue;
        }
        append(all.providers, std::move(set->providers));
        append(all.events, std::move(set->events));
        append_notes(all.notes, std::move(set->notes));
    }
    return all;
}

/// The ids of all messages that the resources refer to.
std::vector<std::uint32_t> list_messages(std::span<const Bytes> crims) {
    std::unordered_set<std::uint32_t> ids;
    const auto remember = [&](std::uint32_t id) -> const std::string* {
        ids.insert(id);
        return nullptr;
    };
    WevtBudget budget;
    for (const Bytes crim : crims) {
        // What is wrong with it is said when its schemas are wanted.
        [[maybe_unused]] const auto parsed = parse_crim(crim, remember, {}, budget);
    }
    return {ids.begin(), ids.end()};
}

} // namespace

std::expected<SchemaSet, FileError> parse_wevt(Bytes crim, MessageLookup messages,
                                               const WevtOptions& options) {
    return guarded([&] {
        WevtBudget budget;
        return parse_crim(crim, messages, options, budget);
    });
}

std::vector<Guid> list_wevt_providers(Bytes crim) {
    std::vector<Guid> guids;
    if (!is_crim(crim)) {
        return guids;
    }
    const std::size_t count = load<crim_layout::providers>(crim.first<crim_layout::size>());
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = crim_layout::size + i * crim_entry_layout::size;
        if (!has_range(crim, at, crim_entry_layout::size)) {
            break;
        }
        guids.push_back(
            load<crim_entry_layout::guid>(crim.subspan(at).first<crim_entry_layout::size>()));
    }
    return guids;
}

std::vector<std::uint32_t> list_wevt_messages(Bytes crim) {
    return guarded_scan([&] { return list_messages(std::span(&crim, 1)); });
}

std::expected<SchemaSet, FileError> parse_wevt_image(Bytes image, MessageLookup messages,
                                                     const CultureChain& cultures) {
    return guarded([&] { return parse_image(image, messages, cultures); });
}

std::vector<Guid> scan_wevt_providers(Bytes image) {
    return guarded_scan([&] {
        std::vector<Guid> guids;
        if (const auto resources = templates_of(image, CultureChain(""))) {
            for (const Resource& resource : *resources) {
                append(guids, list_wevt_providers(resource.bytes));
            }
        }
        return guids;
    });
}

std::vector<std::uint32_t> scan_wevt_messages(Bytes image) {
    return guarded_scan([&] {
        std::vector<Bytes> crims;
        if (const auto resources = templates_of(image, CultureChain(""))) {
            for (const Resource& resource : *resources) {
                crims.push_back(resource.bytes);
            }
        }
        return list_messages(crims);
    });
}

} // namespace etl::schema
