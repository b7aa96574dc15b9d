// What one buffer tells. Private to facts. One thread.
#pragma once

#include "base/code_page.hpp"
#include "facts/reading.hpp"
#include "facts/tables/tables.hpp"
#include "flow/context.hpp"

#include <map>

namespace etl::facts {

/// Texts as they were met, with numbers from 1 on.
class BatchTexts {
public:
    /// 0 for an empty text.
    NameId keep(std::string_view text);

    std::size_t bytes() const noexcept { return chars_.size() + list_.size() * sizeof(list_[0]); }

    /// Hands the texts over; the result has their numbers there, 0 for those that were dropped.
    std::vector<NameId> move_to(Interner<char>& names, std::size_t& dropped) const;

private:
    struct Text {
        std::size_t end = 0; // in chars_
        std::uint64_t hash = 0;
    };

    std::string chars_;
    std::vector<Text> list_;
};

/// Facts as they were met: names are numbers of texts, stacks hold their frames.
class Batch {
public:
    /// `code_page` of 8-bit text, or null.
    explicit Batch(const CodePage* code_page) : code_page_(code_page) {}

    void add(const Subject& subject, const Reading& reading);

    /// An event for which may_have_sampling_interval() is true.
    void add_sampling(const flow::Event& event);

    /// What the kernel's classes record.
    void add(const ClassSources& sources) noexcept { sources_.add(sources); }

    /// Which process a thread is of.
    void add(const ThreadStatement& statement) { thread_spans_.add(statement); }

    /// An event of a runtime, or its stack.
    void add_runtime(const flow::Event& event, flow::RuntimeRecord record);

    /// What it takes in memory, roughly.
    std::size_t bytes() const noexcept;

    /// Hands everything over; what the limits forbid is counted there.
    void move_to(Tables& tables);

private:
    struct Frames {
        std::uint32_t begin = 0, count = 0; // in frames_
        std::uint64_t hash = 0;
    };

    struct BatchStack {
        SeenStack seen;
        Frames frames;
    };

    struct BatchRuntimeStack {
        RuntimeStack stack;
        Frames frames;
    };

    /// The last event of a runtime on a thread; or a stack, before all events of this buffer.
    struct LastOfRuntime {
        std::uint32_t event = 0; // in runtime_events_
        bool has_stack = false;
    };

    struct BatchKey {
        KeyMeaning meaning;
        Frames frames;
        bool is_created = false;
    };

    void add_process(const Subject& subject, const Reading& reading);
    void add_exit(const Reading& reading);
    void add_thread(const Subject& subject, const Reading& reading);
    void add_image(const Subject& subject, const Reading& reading);
    void add_image_info(const Reading& reading);
    void add_image_pdb(const Subject& subject, const Reading& reading);
    void add_method(const Subject& subject, const Reading& reading);
    void add_module(const Subject& subject, const Reading& reading);
    void add_volume(const Reading& reading);
    void add_file(const Subject& subject, const Reading& reading);
    void add_disk(const Reading& reading);
    SampleSource* sample_source(std::uint32_t number);
    void add_stack(const Subject& subject, const Reading& reading);
    void add_key(const Subject& subject, const Reading& reading);
    NameId keep_text(const Reading& reading, Slot slot);
    NameId keep_method_text(const Reading& reading, Slot slot);
    NameId keep_pdb(const Reading& reading, Slot guid, Slot age, Slot name);
    const std::string& display(const decode::Value& value);
    NameId keep_file_name(const decode::Value& value);
    NameId keep_path(const decode::Value& value);
    Frames keep_frames(const Reading& reading);
    Frames keep_frames(Bytes addresses, std::size_t width);
    void add_runtime_stack(const flow::Event& event);
    void move_lives(Tables& tables, const std::vector<NameId>& names);
    void move_modules(Tables& tables, const std::vector<NameId>& names);
    void move_methods(Tables& tables);
    void move_machine(Tables& tables, const std::vector<NameId>& names);
    std::optional<std::uint32_t> move_frames(Tables& tables, const Frames& frames);
    void move_stacks(Tables& tables);
    void move_runtime(Tables& tables);

    const CodePage* code_page_;
    BatchTexts texts_, method_texts_;
    std::string scratch_, packed_;
    std::vector<std::uint64_t> frames_;
    std::vector<Processes::Seen> processes_;
    std::vector<ExitSeen> exits_;
    ClassSources sources_;
    std::vector<ThreadLives::Seen> threads_;
    BufferSpans thread_spans_;
    std::vector<Images::Seen> images_;
    std::vector<ImageIdSeen> image_ids_;
    std::vector<MethodLives::Seen> methods_;
    std::vector<Modules::Seen> modules_, scripts_;
    std::vector<Volume> volumes_;
    std::vector<Files::Seen> files_;
    std::vector<Partition> partitions_;
    std::vector<BatchStack> stacks_;
    std::vector<BatchKey> keys_;
    SampleSources sample_sources_;
    std::vector<RuntimeEvent> runtime_events_;
    std::map<flow::RuntimeThread, LastOfRuntime> last_of_runtime_;
    std::vector<BatchRuntimeStack> runtime_stacks_;
};

} // namespace etl::facts
