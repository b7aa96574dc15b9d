// What one buffer tells. Private to facts. One thread.
#pragma once

#include <etl/base/code_page.hpp>

#include "facts/reading.hpp"
#include "facts/tables.hpp"

namespace etl::facts {

/// Facts as they were met: names are numbers of texts, stacks hold their frames.
class Batch {
public:
    /// `code_page` of 8-bit text, or null.
    explicit Batch(const CodePage* code_page) : code_page_(code_page) {}

    void add(const Subject& subject, const Reading& reading);

    /// What it takes in memory, roughly.
    std::size_t bytes() const noexcept;

    /// Hands everything over; what the limits forbid is counted there.
    void move_to(Tables& tables);

private:
    struct Text {
        std::size_t end = 0; // in texts_
        std::uint64_t hash = 0;
    };

    struct Frames {
        std::uint32_t begin = 0, count = 0; // in frames_
        std::uint64_t hash = 0;
    };

    struct BatchStack {
        SeenStack seen;
        Frames frames;
    };

    struct BatchKey {
        KeyMeaning meaning;
        Frames frames;
        bool is_created = false;
    };

    void add_process(const Subject& subject, const Reading& reading);
    void add_thread(const Subject& subject, const Reading& reading);
    void add_image(const Subject& subject, const Reading& reading);
    void add_file(const Subject& subject, const Reading& reading);
    void add_disk(const Reading& reading);
    void add_stack(const Subject& subject, const Reading& reading);
    void add_key(const Subject& subject, const Reading& reading);
    NameId keep_text(std::string_view text);
    NameId keep_text(const decode::Value& value);
    const std::string& display(const decode::Value& value);
    NameId keep_file_name(const decode::Value& value);
    Frames keep_frames(const Reading& reading);
    std::vector<NameId> move_texts(Tables& tables);
    std::optional<std::uint32_t> move_frames(Tables& tables, const Frames& frames);
    void move_stacks(Tables& tables);

    const CodePage* code_page_;
    std::string texts_;
    std::vector<Text> text_list_;
    std::string scratch_;
    std::vector<std::uint64_t> frames_;
    std::vector<Processes::Seen> processes_;
    std::vector<Threads::Seen> threads_;
    std::vector<Images::Seen> images_;
    std::vector<Files::Seen> files_;
    std::vector<Partition> partitions_;
    std::vector<BatchStack> stacks_;
    std::vector<BatchKey> keys_;
};

} // namespace etl::facts
