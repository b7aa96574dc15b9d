#include "facts/batch.hpp"

#include <etl/base/layout.hpp>
#include <etl/decode/display_value.hpp>
#include <etl/facts/limits.hpp>

#include <algorithm>
#include <functional>

namespace etl::facts {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32U;
}

std::uint64_t hash_of(std::span<const std::uint64_t> frames) noexcept {
    std::uint64_t hash = frames.size();
    for (const std::uint64_t frame : frames) {
        hash = mix(hash, frame);
    }
    return hash;
}

bool is_kernel_address(std::uint64_t address, unsigned pointer_size) noexcept {
    return pointer_size == 4 ? (address >> 31U & 1U) != 0 : address >> 63U != 0;
}

Recorder recorder_of(const Reading& reading) noexcept {
    return reading.event->header.is_kernel ? Recorder::classes : Recorder::provider;
}

} // namespace

void Batch::add(const Subject& subject, const Reading& reading) {
    switch (subject.topic) {
    case Topic::process:
        return add_process(subject, reading);
    case Topic::thread:
        return add_thread(subject, reading);
    case Topic::image:
        return add_image(subject, reading);
    case Topic::file:
        return add_file(subject, reading);
    case Topic::disk:
        return add_disk(reading);
    case Topic::stack:
    case Topic::kernel_key:
    case Topic::user_key:
        return add_stack(subject, reading);
    case Topic::key_created:
    case Topic::key_ended:
        return add_key(subject, reading);
    }
}

void Batch::add_process(const Subject& subject, const Reading& reading) {
    if (!reading.has_slot(Slot::process_id)) {
        return;
    }
    const bool has_name = reading.has_slot(Slot::name);
    if (!has_name && subject.moment != Moment::end) {
        return;
    }
    ProcessValue value;
    value.parent = reading.id(Slot::parent_id);
    if (has_name) {
        value.name = keep_file_name(reading.text(Slot::name));
    }
    if (reading.has_slot(Slot::command_line)) {
        value.command_line = keep_text(reading.text(Slot::command_line));
    }
    processes_.push_back({reading.id(Slot::process_id), value, reading.event->event->raw_time,
                          subject.moment, has_name, recorder_of(reading)});
}

void Batch::add_thread(const Subject& subject, const Reading& reading) {
    if (reading.has_slot(Slot::thread_id)) {
        threads_.push_back({reading.id(Slot::thread_id), reading.id(Slot::process_id),
                            reading.event->event->raw_time, subject.moment,
                            reading.has_slot(Slot::process_id), recorder_of(reading)});
    }
}

// Images in the kernel's space are everybody's, whichever process loaded them.
void Batch::add_image(const Subject& subject, const Reading& reading) {
    if (!reading.has_slot(Slot::image_base)) {
        return;
    }
    const decode::DecodedEvent& event = *reading.event;
    const std::uint64_t base = reading.number(Slot::image_base);
    const bool is_wide_kernel = event.header.pointer_size == 8 && is_kernel_address(base, 8);
    const std::uint32_t process = is_wide_kernel ? 0
                                  : reading.has_slot(Slot::process_id)
                                      ? reading.id(Slot::process_id)
                                      : event.header.process_id;
    ImageValue value;
    value.size = reading.number(Slot::image_size);
    const bool is_whole = reading.has_slot(Slot::name) && reading.has_slot(Slot::image_size);
    if (is_whole) {
        value.path = keep_text(reading.text(Slot::name));
    } else if (subject.moment != Moment::end) {
        return;
    }
    images_.push_back({{process, base},
                       value,
                       event.event->raw_time,
                       subject.moment,
                       is_whole,
                       recorder_of(reading)});
}

void Batch::add_file(const Subject& subject, const Reading& reading) {
    const bool has_name = reading.has_slot(Slot::name);
    if (!reading.has_slot(Slot::file) || (!has_name && subject.moment != Moment::end)) {
        return;
    }
    const NameId name = has_name ? keep_text(reading.text(Slot::name)) : 0;
    if (name != 0 || !has_name) {
        files_.push_back({reading.number(Slot::file), name, reading.event->event->raw_time,
                          subject.moment, has_name, recorder_of(reading)});
    }
}

void Batch::add_disk(const Reading& reading) {
    const std::string_view padded = reading.letters;
    const std::string_view letters = padded.substr(0, padded.find('\0'));
    if (reading.has_slot(Slot::disk_number) && !letters.empty()) {
        partitions_.push_back({reading.id(Slot::disk_number),
                               reading.number(Slot::partition_offset),
                               reading.number(Slot::partition_size), keep_text(letters)});
    }
}

void Batch::add_stack(const Subject& subject, const Reading& reading) {
    const bool by_key = subject.topic != Topic::stack;
    if (!reading.has_slot(Slot::event_time) || !reading.has_slot(Slot::stack_thread) ||
        (by_key && !reading.has_slot(Slot::stack_key))) {
        return;
    }
    BatchStack stack;
    SeenStack& seen = stack.seen;
    const flow::Event& record = *reading.event->event;
    seen.part.time = static_cast<std::int64_t>(reading.number(Slot::event_time));
    seen.part.thread = reading.id(Slot::stack_thread);
    seen.part.process = reading.id(Slot::stack_process);
    seen.part.processor = record.buffer->processor;
    seen.seen_at = record.raw_time;
    if (by_key) {
        seen.key = reading.number(Slot::stack_key);
        seen.part.where =
            subject.topic == Topic::kernel_key ? StackPart::Where::kernel : StackPart::Where::user;
    } else {
        stack.frames = keep_frames(reading);
        if (stack.frames.count == 0) {
            return;
        }
        const bool is_kernel =
            is_kernel_address(frames_[stack.frames.begin], reading.event->header.pointer_size);
        seen.part.where = is_kernel ? StackPart::Where::kernel : StackPart::Where::user;
    }
    stacks_.push_back(stack);
}

void Batch::add_key(const Subject& subject, const Reading& reading) {
    if (reading.has_slot(Slot::stack_key)) {
        keys_.push_back({{reading.number(Slot::stack_key), reading.event->event->raw_time, 0},
                         keep_frames(reading),
                         subject.topic == Topic::key_created});
    }
}

NameId Batch::keep_text(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    texts_.append(text);
    text_list_.push_back({texts_.size(), std::hash<std::string_view>{}(text)});
    return static_cast<NameId>(text_list_.size());
}

const std::string& Batch::display(const decode::Value& value) {
    scratch_.clear();
    decode::append_display(scratch_, value, {.code_page = code_page_});
    return scratch_;
}

NameId Batch::keep_text(const decode::Value& value) {
    return keep_text(display(value));
}

NameId Batch::keep_file_name(const decode::Value& value) {
    const std::string_view path = display(value);
    return keep_text(path.substr(path.find_last_of('\\') + 1));
}

Batch::Frames Batch::keep_frames(const Reading& reading) {
    const std::size_t width = reading.event->header.pointer_size == 4 ? 4 : 8;
    const std::size_t count = std::min(reading.frames.size() / width, limits::stack_frames);
    Frames kept{static_cast<std::uint32_t>(frames_.size()), static_cast<std::uint32_t>(count), 0};
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* at = reading.frames.data() + i * width;
        frames_.push_back(width == 4 ? load_le<std::uint32_t>(at) : load_le<std::uint64_t>(at));
    }
    kept.hash = hash_of(std::span(frames_).last(count));
    return kept;
}

std::size_t Batch::bytes() const noexcept {
    const auto size_of = [](const auto&... lists) {
        return (... + (lists.size() * sizeof(lists[0])));
    };
    return size_of(texts_, text_list_, frames_, processes_, threads_, images_, files_, partitions_,
                   stacks_, keys_);
}

std::vector<NameId> Batch::move_texts(Tables& tables) {
    std::vector<NameId> numbers{0};
    std::size_t begin = 0;
    for (const auto& [end, hash] : text_list_) {
        const std::string_view text = std::string_view(texts_).substr(begin, end - begin);
        const auto id = tables.names.add({text.data(), text.size()}, hash);
        tables.counts.dropped_names += id ? 0U : 1U;
        numbers.push_back(id.value_or(0));
        begin = end;
    }
    return numbers;
}

void Batch::move_to(Tables& tables) {
    const std::vector<NameId> names = move_texts(tables);
    const auto move = [&](auto& from, auto& to, std::size_t most, auto rename) {
        for (auto& seen : from) {
            rename(seen.value);
            tables.counts.dropped_lifetimes += to.add(seen, most) ? 0U : 1U;
        }
    };
    move(processes_, tables.processes, limits::fact_lifetimes, [&](ProcessValue& value) {
        value.name = names[value.name];
        value.command_line = names[value.command_line];
    });
    move(threads_, tables.threads, limits::fact_lifetimes, [](std::uint32_t&) {});
    move(images_, tables.images, limits::fact_images,
         [&](ImageValue& value) { value.path = names[value.path]; });
    move(files_, tables.files, limits::fact_files, [&](NameId& name) { name = names[name]; });
    for (Partition& partition : partitions_) {
        partition.letters = names[partition.letters];
        if (tables.partitions.size() < limits::fact_partitions) {
            tables.partitions.push_back(partition);
        }
    }
    move_stacks(tables);
}

std::optional<std::uint32_t> Batch::move_frames(Tables& tables, const Frames& frames) {
    return tables.frames.add(std::span(frames_).subspan(frames.begin, frames.count), frames.hash);
}

void Batch::move_stacks(Tables& tables) {
    // Both lists double as they grow, and stacks are copied once more when they are joined.
    constexpr std::size_t cost_of_stack = sizeof(SeenStack) + sizeof(StackPart);
    constexpr std::size_t cost_of_key = sizeof(KeyMeaning);
    for (BatchStack& stack : stacks_) {
        const auto frames = move_frames(tables, stack.frames);
        if (!frames || !tables.frames.charge(cost_of_stack)) {
            ++tables.counts.dropped_stacks;
            continue;
        }
        stack.seen.part.frames = *frames;
        tables.seen_stacks.push_back(stack.seen);
    }
    for (BatchKey& key : keys_) {
        const auto frames = move_frames(tables, key.frames);
        if (!frames || !tables.frames.charge(cost_of_key)) {
            ++tables.counts.dropped_stacks;
            continue;
        }
        key.meaning.frames = *frames;
        (key.is_created ? tables.keys_created : tables.keys_ended).push_back(key.meaning);
    }
}

} // namespace etl::facts
