// How a written manifest calls what its events refer to: levels, channels, tasks, opcodes and
// keywords of one provider. One thread. Private to authoring.
// docs/format/decoding.md#manifest-writing
#pragma once

#include "authoring/provider_events.hpp"
#include "authoring/unique_names.hpp"
#include "authoring/written_notes.hpp"
#include "authoring/xml_text.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::authoring {

/// The string table of a manifest under way. One thread.
class WrittenStrings {
public:
    /// `$(string.ID)` for a text, so that the parser gives exactly this text back. Equal texts of
    /// one kind have one id; `name` says what a new one is called behind the kind.
    std::string reference(std::string_view kind, std::string_view name, const std::string& text);

    struct Entry {
        std::string id;
        std::string value;
    };

    /// In the order in which they were first needed.
    const std::vector<Entry>& entries() const noexcept { return entries_; }

private:
    std::map<std::pair<std::string, std::string>, std::size_t> by_text_; // kind and text
    UniqueNames ids_;
    std::vector<Entry> entries_;
};

class WrittenNames {
public:
    /// Looks through the events for the tasks and opcodes that must be declared. `provider` must
    /// live on.
    WrittenNames(const ProviderEvents& provider, WrittenStrings& strings, WrittenNotes& notes);

    /// The lists `channels`, `levels`, `tasks`, `opcodes` and `keywords`.
    void write(XmlText& xml) const;

    /// The attributes of an event; empty: none is needed.
    const std::string& level(std::uint8_t level) const { return level_words_[level]; }

    const std::string& channel(std::uint8_t channel) const { return channel_words_[channel]; }

    std::string task(const schema::EventSchema& event) const;
    std::string opcode(const schema::EventSchema& event) const;
    std::string keywords(std::uint64_t keyword) const;

private:
    /// A declaration. What cannot stand as a name is the message of a name that the parser takes
    /// for made up.
    struct Entry {
        std::string name;
        std::string message; // reference; empty: the name speaks for itself
    };

    /// Sorted by value, then by what is shown.
    template <typename Value>
    using Entries = std::map<std::pair<Value, std::string>, Entry>;
    using Opcodes = Entries<std::uint8_t>;

    struct Task {
        Entry entry;
        Opcodes opcodes;
    };

    Entry entry(std::string_view kind, const std::string& shown, UniqueNames& taken);
    void name_opcodes(Opcodes& opcodes);
    void name_levels();
    void name_channels();
    void name_keywords();
    void choose_keyword_words();
    void collect_tasks();
    bool has_task(const schema::EventSchema& event) const noexcept;
    static void write_opcodes(XmlText& xml, const Opcodes& opcodes);
    void write_channels(XmlText& xml) const;
    void write_tasks(XmlText& xml) const;

    const ProviderEvents* provider_;
    WrittenStrings* strings_;
    WrittenNotes* notes_;
    std::vector<Entry> levels_;   // as provider_->names.levels
    std::vector<Entry> keywords_; // likewise
    std::vector<std::string> channel_ids_;
    std::array<std::string, 256> level_words_, channel_words_; // what events write for a value
    std::vector<std::pair<std::uint64_t, std::string>> keyword_words_;
    std::map<std::pair<std::uint16_t, std::string>, Task> tasks_;
    Opcodes opcodes_; // of events without a task
};

} // namespace etl::authoring
