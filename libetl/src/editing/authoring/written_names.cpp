#include "authoring/written_names.hpp"

#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace etl::authoring {

namespace {

// The parser takes one line end or blank away from the end of a text, and an empty text is none.
std::string with_message_end(const std::string& text) {
    return text.empty() || schema::without_message_end(text).size() != text.size() ? text + ' '
                                                                                   : text;
}

} // namespace

std::string WrittenStrings::reference(std::string_view kind, std::string_view name,
                                      const std::string& text) {
    const auto [known, is_new] = by_text_.try_emplace({std::string(kind), text}, entries_.size());
    if (is_new) {
        const std::string stem = std::string(kind) + '.' + plain_name(name);
        entries_.push_back({ids_.take_like(stem), with_message_end(text)});
    }
    return "$(string." + entries_[known->second].id + ")";
}

namespace {

// As manifests write them; empty: not predefined.
std::string predefined_level(std::uint8_t level) {
    constexpr std::array<std::string_view, 6> names{"LogAlways", "Critical",      "Error",
                                                    "Warning",   "Informational", "Verbose"};
    if (level < names.size()) {
        return fmt::format("win:{}", names[level]);
    }
    return level < 16 ? fmt::format("win:ReservedLevel{}", level) : std::string();
}

bool is_predefined_opcode(std::uint8_t opcode, std::string_view name) noexcept {
    return name.find(':') == name.npos && schema::winmeta::opcode(name) == opcode;
}

std::string predefined_keyword(unsigned bit) {
    if (const auto name = schema::winmeta::keyword_name(std::uint64_t{1} << bit); !name.empty()) {
        return fmt::format("win:{}", name);
    }
    return bit >= 56 ? fmt::format("win:ReservedKeyword{}", bit) : std::string();
}

// The sort of a channel is not in the model; its name tells by custom.
std::string_view channel_type(std::string_view name) noexcept {
    const std::string_view last = name.substr(std::min(name.rfind('/') + 1, name.size()));
    for (const std::string_view type : {"Admin", "Operational", "Analytic", "Debug"}) {
        if (equals_ignoring_case(last, type)) {
            return type;
        }
    }
    return "Analytic";
}

} // namespace

WrittenNames::WrittenNames(const ProviderEvents& provider, WrittenStrings& strings,
                           WrittenNotes& notes)
    : provider_(&provider), strings_(&strings), notes_(&notes) {
    name_channels();
    name_levels();
    collect_tasks();
    name_keywords();
}

WrittenNames::Entry WrittenNames::entry(std::string_view kind, const std::string& shown,
                                        UniqueNames& taken) {
    if (is_plain_name(shown) && taken.take(shown)) {
        return {shown, {}};
    }
    const std::string name = taken.take_numbered(fmt::format("{}_", kind));
    return {name, strings_->reference(kind, name, shown)};
}

void WrittenNames::name_levels() {
    UniqueNames taken;
    for (const auto& [value, text] : provider_->names.levels) {
        const std::string shown = notes_->safe(text);
        const std::string predefined = predefined_level(value);
        if (!predefined.empty() && taken.take(predefined)) {
            levels_.push_back({predefined, strings_->reference("level", predefined, shown)});
        } else {
            levels_.push_back(entry("level", shown, taken));
        }
        if (level_words_[value].empty()) {
            level_words_[value] = levels_.back().name;
        }
    }
    for (unsigned value = 0; value < level_words_.size(); ++value) {
        const std::string predefined = predefined_level(static_cast<std::uint8_t>(value));
        if (level_words_[value].empty()) {
            level_words_[value] = predefined.empty() ? std::to_string(value) : predefined;
        }
    }
    level_words_[0].clear(); // what is not said is 0
}

void WrittenNames::name_channels() {
    UniqueNames taken;
    for (const auto& channel : provider_->names.channels) {
        taken.take(notes_->safe(channel.second));
    }
    for (std::size_t i = 0; i < provider_->names.channels.size(); ++i) {
        channel_ids_.push_back(taken.take_numbered("C"));
        std::string& word = channel_words_[provider_->names.channels[i].first];
        word = word.empty() ? channel_ids_.back() : word;
    }
    // Others are numbers, spelled so that they are the name of no channel.
    for (unsigned value = 0; value < channel_words_.size(); ++value) {
        std::string& word = channel_words_[value];
        if (!word.empty()) {
            continue;
        }
        word = std::to_string(value);
        for (std::size_t digits = 2; !taken.take(word); ++digits) {
            word = fmt::format("0x{:0{}X}", value, digits);
        }
    }
    channel_words_[0].clear(); // what is not said is 0
}

void WrittenNames::name_keywords() {
    UniqueNames taken;
    for (const auto& keyword : provider_->names.keywords) {
        keywords_.push_back(entry("keyword", notes_->safe(keyword.second), taken));
    }
    choose_keyword_words();
}

// The first keyword of each bit, and a few masks of several bits: all would take too long.
void WrittenNames::choose_keyword_words() {
    constexpr std::size_t max_masks = 64;
    std::uint64_t bits = 0;
    std::size_t masks = 0;
    for (std::size_t i = 0; i < keywords_.size(); ++i) {
        const std::uint64_t mask = provider_->names.keywords[i].first;
        if (std::has_single_bit(mask) ? (bits & mask) == 0 : mask != 0 && masks++ < max_masks) {
            keyword_words_.emplace_back(mask, keywords_[i].name);
            bits |= std::has_single_bit(mask) ? mask : 0;
        }
    }
}

void WrittenNames::name_opcodes(Opcodes& opcodes) {
    UniqueNames taken;
    for (auto& [key, named] : opcodes) {
        named = entry("opcode", key.second, taken);
    }
}

bool WrittenNames::has_task(const schema::EventSchema& event) const noexcept {
    return !event.task_name.empty();
}

void WrittenNames::collect_tasks() {
    for (const auto& event : provider_->events) {
        Opcodes& opcodes = has_task(*event)
                               ? tasks_[{event->task, notes_->safe(event->task_name)}].opcodes
                               : opcodes_;
        if (!event->opcode_name.empty() &&
            !is_predefined_opcode(event->opcode, event->opcode_name)) {
            opcodes[{event->opcode, notes_->safe(event->opcode_name)}];
        }
    }
    UniqueNames taken;
    for (auto& [key, task] : tasks_) {
        task.entry = entry("task", key.second, taken);
        name_opcodes(task.opcodes);
        if (key.first == 0 && schema::is_made_up_name(key.second, "task")) {
            notes_->add(fmt::format("task 0 of provider {} cannot be named `{}`",
                                    provider_->names.name, key.second));
        }
    }
    name_opcodes(opcodes_);
}

void WrittenNames::write_channels(XmlText& xml) const {
    const auto& channels = provider_->names.channels;
    if (channels.empty()) {
        return;
    }
    xml.open("channels");
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const auto& [value, name] = channels[i];
        const bool imported = schema::winmeta::channel(name) == value;
        xml.open(imported ? "importChannel" : "channel");
        xml.attribute("chid", channel_ids_[i]);
        xml.attribute("name", xml_safe(name));
        if (!imported) {
            xml.attribute("type", channel_type(name));
            xml.attribute("value", std::to_string(value));
        }
        xml.close();
    }
    xml.close();
}

void WrittenNames::write_opcodes(XmlText& xml, const Opcodes& opcodes) {
    if (opcodes.empty()) {
        return;
    }
    xml.open("opcodes");
    for (const auto& [key, named] : opcodes) {
        xml.open("opcode");
        xml.attribute("name", named.name);
        xml.attribute("value", std::to_string(key.first));
        if (!named.message.empty()) {
            xml.attribute("message", named.message);
        }
        xml.close();
    }
    xml.close();
}

void WrittenNames::write_tasks(XmlText& xml) const {
    if (tasks_.empty()) {
        return;
    }
    xml.open("tasks");
    for (const auto& [key, task] : tasks_) {
        xml.open("task");
        xml.attribute("name", task.entry.name);
        xml.attribute("value", std::to_string(key.first));
        if (!task.entry.message.empty()) {
            xml.attribute("message", task.entry.message);
        }
        write_opcodes(xml, task.opcodes);
        xml.close();
    }
    xml.close();
}

void WrittenNames::write(XmlText& xml) const {
    const auto list = [&xml](const char* element, const char* item, const char* value,
                             const auto& values, const auto& entries, auto number) {
        if (entries.empty()) {
            return;
        }
        xml.open(element);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            xml.open(item);
            xml.attribute("name", entries[i].name);
            xml.attribute(value, number(values[i].first));
            if (!entries[i].message.empty()) {
                xml.attribute("message", entries[i].message);
            }
            xml.close();
        }
        xml.close();
    };
    write_channels(xml);
    list("levels", "level", "value", provider_->names.levels, levels_,
         [](std::uint8_t value) { return std::to_string(value); });
    write_tasks(xml);
    write_opcodes(xml, opcodes_);
    list("keywords", "keyword", "mask", provider_->names.keywords, keywords_,
         [](std::uint64_t mask) { return fmt::format("0x{:x}", mask); });
}

std::string WrittenNames::task(const schema::EventSchema& event) const {
    if (has_task(event)) {
        return tasks_.at({event.task, xml_safe(event.task_name)}).entry.name;
    }
    return event.task == 0 ? std::string() : std::to_string(event.task);
}

std::string WrittenNames::opcode(const schema::EventSchema& event) const {
    if (event.opcode_name.empty()) {
        return event.opcode == 0 ? std::string() : std::to_string(event.opcode);
    }
    if (is_predefined_opcode(event.opcode, event.opcode_name)) {
        return "win:" + event.opcode_name;
    }
    const Opcodes& opcodes =
        has_task(event) ? tasks_.at({event.task, xml_safe(event.task_name)}).opcodes : opcodes_;
    return opcodes.at({event.opcode, xml_safe(event.opcode_name)}).name;
}

std::string WrittenNames::keywords(std::uint64_t keyword) const {
    std::string names;
    const auto add = [&](const std::string& name) {
        names += names.empty() ? "" : " ";
        names += name;
    };
    std::uint64_t left = keyword;
    for (const auto& [mask, name] : keyword_words_) {
        if ((mask & keyword) == mask && (mask & left) != 0) {
            add(name);
            left &= ~mask;
        }
    }
    for (unsigned bit = 48; bit < 64; ++bit) {
        const std::uint64_t mask = std::uint64_t{1} << bit;
        const std::string name = predefined_keyword(bit);
        if ((left & mask) != 0 && !name.empty()) {
            add(name);
            left &= ~mask;
        }
    }
    if (left != 0) {
        add(fmt::format("0x{:x}", left));
    }
    return names;
}

} // namespace etl::authoring
