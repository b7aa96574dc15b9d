#include "schema/image/wevt_names.hpp"

#include "schema/event_name.hpp"
#include "schema/winmeta.hpp"

#include <algorithm>

namespace etl::schema {

namespace {

namespace kind = element_layout;

// Older readers of the format take the first number of a channel for its value; Windows' own
// channels begin here, and no flag does.
constexpr std::uint32_t first_channel = 8;

} // namespace

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

} // namespace etl::schema
