#include "facts/batch.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "facts/limits.hpp"
#include "facts/tables/interner.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

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

// Images in the kernel's space are everybody's, whichever process loaded them.
ImageKey image_key_of(const Reading& reading) noexcept {
    const flow::EventHeader& header = reading.event->header;
    const std::uint64_t base = reading.number(Slot::image_base);
    const bool is_wide_kernel = header.pointer_size == 8 && is_kernel_address(base, 8);
    const std::uint32_t process =
        reading.has_slot(Slot::process_id) ? reading.id(Slot::process_id) : header.process_id;
    return {is_wide_kernel ? 0 : process, base};
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
    case Topic::image_info:
        return add_image_info(reading);
    case Topic::image_pdb:
    case Topic::image_il_pdb:
        return add_image_pdb(subject, reading);
    case Topic::method:
    case Topic::script_method:
        return add_method(subject, reading);
    case Topic::module:
    case Topic::script:
        return add_module(subject, reading);
    case Topic::volume:
        return add_volume(reading);
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
        value.path = keep_path(reading.text(Slot::name));
    }
    if (reading.has_slot(Slot::command_line)) {
        value.command_line = keep_text(reading, Slot::command_line);
    }
    processes_.push_back({reading.id(Slot::process_id), value, reading.event->event->raw_time,
                          subject.moment, has_name, recorder_of(reading)});
    if (subject.moment == Moment::gone) {
        add_exit(reading);
    }
}

// A FILETIME; 0 and earlier versions: not recorded.
void Batch::add_exit(const Reading& reading) {
    const flow::Event& record = *reading.event->event;
    const auto exit = static_cast<std::int64_t>(reading.number(Slot::exit_time));
    exits_.push_back({reading.id(Slot::process_id), record.raw_time,
                      reading.has_slot(Slot::exit_time) && exit > 0
                          ? record.trace().clock.to_raw({exit})
                          : forever});
}

void Batch::add_thread(const Subject& subject, const Reading& reading) {
    if (reading.has_slot(Slot::thread_id)) {
        threads_.push_back({reading.id(Slot::thread_id), reading.id(Slot::process_id),
                            reading.event->event->raw_time, subject.moment,
                            reading.has_slot(Slot::process_id), recorder_of(reading)});
    }
}

void Batch::add_image(const Subject& subject, const Reading& reading) {
    if (!reading.has_slot(Slot::image_base)) {
        return;
    }
    ImageValue value;
    value.size = reading.number(Slot::image_size);
    value.time_date_stamp = static_cast<std::uint32_t>(reading.number(Slot::time_date_stamp));
    const bool is_whole = reading.has_slot(Slot::name) && reading.has_slot(Slot::image_size);
    if (is_whole) {
        value.path = keep_text(reading, Slot::name);
    } else if (subject.moment != Moment::end) {
        return;
    }
    images_.push_back({image_key_of(reading), value, reading.event->event->raw_time, subject.moment,
                       is_whole, recorder_of(reading)});
}

void Batch::add_image_info(const Reading& reading) {
    if (!reading.has_slot(Slot::image_base) || !reading.has_slot(Slot::time_date_stamp)) {
        return;
    }
    packed_.clear();
    append_info_text(packed_, static_cast<std::uint32_t>(reading.number(Slot::time_date_stamp)),
                     reading.has_slot(Slot::name) ? display(reading.text(Slot::name))
                                                  : std::string_view{});
    image_ids_.push_back({image_key_of(reading), reading.event->event->raw_time,
                          texts_.keep(packed_), ImageIdKind::info});
}

void Batch::add_image_pdb(const Subject& subject, const Reading& reading) {
    const NameId pdb = keep_pdb(reading, Slot::pdb_guid, Slot::pdb_age, Slot::pdb_name);
    if (pdb != 0 && reading.has_slot(Slot::image_base)) {
        image_ids_.push_back(
            {image_key_of(reading), reading.event->event->raw_time, pdb,
             subject.topic == Topic::image_pdb ? ImageIdKind::pdb : ImageIdKind::il_pdb});
    }
}

void Batch::add_method(const Subject& subject, const Reading& reading) {
    const std::uint64_t start = reading.number(Slot::code_start);
    const std::uint64_t size = reading.number(Slot::code_size);
    const std::uint32_t process = reading.event->header.process_id;
    const bool is_range = reading.has_slot(Slot::code_start) && reading.has_slot(Slot::code_size) &&
                          size != 0 && size <= 0xFFFFFFFF && start + size > start;
    if (!is_range || process == flow::no_id) {
        return;
    }
    MethodValue value;
    value.is_script = subject.topic == Topic::script_method;
    value.module = reading.number(Slot::module_id);
    value.size = static_cast<std::uint32_t>(size);
    value.flags = static_cast<std::uint32_t>(reading.number(Slot::code_flags));
    value.token =
        static_cast<std::uint32_t>(reading.number(value.is_script ? Slot::line : Slot::token));
    value.type = keep_method_text(reading, Slot::type_name);
    value.name = keep_method_text(reading, Slot::name);
    value.signature = keep_method_text(reading, Slot::signature);
    methods_.push_back(
        {{process, start}, value, reading.event->event->raw_time, subject.moment, true});
}

void Batch::add_module(const Subject& subject, const Reading& reading) {
    const std::uint32_t process = reading.event->header.process_id;
    if (!reading.has_slot(Slot::module_id) || process == flow::no_id) {
        return;
    }
    ModuleValue value;
    value.path = keep_text(reading, Slot::module_path);
    value.native_path = keep_text(reading, Slot::native_path);
    value.pdb = keep_pdb(reading, Slot::pdb_guid, Slot::pdb_age, Slot::pdb_name);
    value.native_pdb =
        keep_pdb(reading, Slot::native_pdb_guid, Slot::native_pdb_age, Slot::native_pdb_name);
    auto& modules = subject.topic == Topic::module ? modules_ : scripts_;
    modules.push_back({{process, reading.number(Slot::module_id)},
                       value,
                       reading.event->event->raw_time,
                       subject.moment,
                       reading.has_slot(Slot::module_path)});
}

void Batch::add_volume(const Reading& reading) {
    const NameId nt_path = keep_text(reading, Slot::module_path);
    if (nt_path != 0 && volumes_.size() < limits::fact_partitions) {
        volumes_.push_back({nt_path, keep_text(reading, Slot::native_path)});
    }
}

void Batch::add_file(const Subject& subject, const Reading& reading) {
    const bool has_name = reading.has_slot(Slot::name);
    if (!reading.has_slot(Slot::file) || (!has_name && subject.moment != Moment::end)) {
        return;
    }
    const NameId name = has_name ? keep_text(reading, Slot::name) : 0;
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
                               reading.number(Slot::partition_size), texts_.keep(letters)});
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

void Batch::add_runtime(const flow::Event& event, flow::RuntimeRecord record) {
    if (record == flow::RuntimeRecord::stack) {
        add_runtime_stack(event);
    } else if (record == flow::RuntimeRecord::event) {
        const flow::RuntimeThread of = flow::runtime_thread_of(event);
        last_of_runtime_[of] = {static_cast<std::uint32_t>(runtime_events_.size()), false};
        runtime_events_.push_back(
            {of, event.raw_time, flow::stored<format::event_record::id>(event)});
    }
}

// ClrInstanceID u16, Reserved1, Reserved2 u8, FrameCount u32, Stack
void Batch::add_runtime_stack(const flow::Event& event) {
    constexpr std::size_t count_at = 4, frames_at = 8;
    const flow::EventHeader header = flow::read_header(event);
    if (!has_range(header.payload, 0, frames_at)) {
        return;
    }
    const std::size_t width = header.pointer_size == 4 ? 4 : 8;
    const std::size_t count = load_le<std::uint32_t>(header.payload.data() + count_at);
    const Bytes rest = header.payload.subspan(frames_at);
    if (count == 0 || rest.size() < width) {
        return;
    }
    const flow::RuntimeThread of = flow::runtime_thread_of(event);
    const auto [last, is_first] = last_of_runtime_.try_emplace(of);
    if (std::exchange(last->second.has_stack, true)) {
        return;
    }
    const Frames frames =
        keep_frames(rest.first(std::min(rest.size() / width, count) * width), width);
    RuntimeStack stack{.of = of, .time = event.raw_time};
    if (!is_first) { // without an event, it would have had its stack
        const RuntimeEvent& before = runtime_events_[last->second.event];
        stack.before = RuntimeStack::Before{before.time, before.id};
    }
    runtime_stacks_.push_back({stack, frames});
}

void Batch::add_key(const Subject& subject, const Reading& reading) {
    if (reading.has_slot(Slot::stack_key)) {
        BatchKey key;
        key.frames = keep_frames(reading);
        key.is_created = subject.topic == Topic::key_created;
        key.meaning.key = reading.number(Slot::stack_key);
        key.meaning.time = reading.event->event->raw_time;
        const bool is_kernel =
            key.frames.count != 0 &&
            is_kernel_address(frames_.back(), reading.event->header.pointer_size);
        key.meaning.where = is_kernel ? StackPart::Where::kernel : StackPart::Where::user;
        keys_.push_back(key);
    }
}

const std::string& Batch::display(const decode::Value& value) {
    scratch_.clear();
    decode::append_display(scratch_, value, {.code_page = code_page_});
    return scratch_;
}

NameId Batch::keep_text(const Reading& reading, Slot slot) {
    return reading.has_slot(slot) ? texts_.keep(display(reading.text(slot))) : 0;
}

NameId Batch::keep_method_text(const Reading& reading, Slot slot) {
    return reading.has_slot(slot) ? method_texts_.keep(display(reading.text(slot))) : 0;
}

NameId Batch::keep_pdb(const Reading& reading, Slot guid, Slot age, Slot name) {
    const Bytes bytes = reading.has_slot(guid) ? reading.text(guid).bytes : Bytes{};
    Guid id;
    if (bytes.size() != id.bytes.size()) {
        return 0;
    }
    std::ranges::copy(bytes, id.bytes.begin());
    packed_.clear();
    append_pdb_text(packed_, id, static_cast<std::uint32_t>(reading.number(age)),
                    reading.has_slot(name) ? display(reading.text(name)) : std::string_view{});
    return texts_.keep(packed_);
}

NameId Batch::keep_file_name(const decode::Value& value) {
    const std::string_view path = display(value);
    return texts_.keep(path.substr(path.find_last_of('\\') + 1));
}

/// 0: without directories.
NameId Batch::keep_path(const decode::Value& value) {
    const std::string_view path = display(value);
    return path.contains('\\') ? texts_.keep(path) : 0;
}

Batch::Frames Batch::keep_frames(const Reading& reading) {
    return keep_frames(reading.frames, reading.event->header.pointer_size == 4 ? 4 : 8);
}

Batch::Frames Batch::keep_frames(Bytes addresses, std::size_t width) {
    const std::size_t count = std::min(addresses.size() / width, limits::stack_frames);
    Frames kept{static_cast<std::uint32_t>(frames_.size()), static_cast<std::uint32_t>(count), 0};
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* at = addresses.data() + i * width;
        frames_.push_back(width == 4 ? load_le<std::uint32_t>(at) : load_le<std::uint64_t>(at));
    }
    kept.hash = hash_of(std::span(frames_).last(count));
    return kept;
}

namespace {

/// UTF-16 up to its NUL, or to the end.
Bytes until_nul(Bytes text) noexcept {
    std::size_t size = 0;
    while (has_range(text, size, 2) && load_le<std::uint16_t>(text.data() + size) != 0) {
        size += 2;
    }
    return text.first(size);
}

} // namespace

/// Null beyond the limit.
SampleSource* Batch::sample_source(std::uint32_t number) {
    const auto known = sample_sources_.find(number);
    if (known != sample_sources_.end()) {
        return &known->second;
    }
    return sample_sources_.size() < limits::fact_sample_sources ? &sample_sources_[number]
                                                                : nullptr;
}

// SampledProfileInterval, all versions: Source, NewInterval, OldInterval u32; from version 3 on
// SourceName, but not of SetInterval. Before SetInterval, the old one held.
void Batch::add_sampling(const flow::Event& event) {
    constexpr std::size_t source = 0, new_interval = 4, old_interval = 8, source_name = 12;
    constexpr std::uint8_t set_interval = 72, with_name = 3;
    const flow::EventHeader header = flow::read_header(event);
    const Bytes payload = header.payload;
    const auto at = [&](std::size_t offset) {
        return has_range(payload, offset, 4) ? load_le<std::uint32_t>(payload.data() + offset) : 0;
    };
    SampleSource* const of = has_range(payload, source, 4) ? sample_source(at(source)) : nullptr;
    if (of == nullptr) {
        return;
    }
    if (!event.has_time) {
        return;
    }
    const auto hook = flow::kernel_hook_of(event);
    const bool is_set = hook && static_cast<std::uint8_t>(*hook) == set_interval;
    const std::uint32_t old = is_set ? at(old_interval) : 0;
    if (at(new_interval) != 0 && (!of->first || event.raw_time < of->first->time)) {
        of->first = {event.raw_time, old != 0 ? old : at(new_interval)};
    }
    if (!is_set && header.version >= with_name && of->name == 0 && payload.size() > source_name) {
        scratch_.clear();
        append_utf16le(scratch_, until_nul(payload.subspan(source_name)));
        of->name = texts_.keep(scratch_);
    }
}

namespace {

/// Adds observations up to a limit, each after `rename` of its value.
template <typename Seen, typename To, typename Rename>
void move_seen(std::vector<Seen>& from, To& to, std::size_t most, Counts& counts, Rename rename) {
    for (Seen& seen : from) {
        rename(seen.value);
        counts.dropped_lifetimes += to.add(seen, most) ? 0U : 1U;
    }
}

// Both lists double as they grow, and stacks are copied once more when they are joined; those of
// the kernel can get a user-mode part.
constexpr std::size_t cost_of_stack = sizeof(SeenStack) + 2 * sizeof(StackPart);

} // namespace

NameId BatchTexts::keep(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    chars_.append(text);
    list_.push_back({chars_.size(), std::hash<std::string_view>{}(text)});
    return static_cast<NameId>(list_.size());
}

std::vector<NameId> BatchTexts::move_to(Interner<char>& names, std::size_t& dropped) const {
    std::vector<NameId> numbers{0};
    std::size_t begin = 0;
    for (const auto& [end, hash] : list_) {
        const std::string_view text = std::string_view(chars_).substr(begin, end - begin);
        const auto id = names.add({text.data(), text.size()}, hash);
        dropped += id ? 0U : 1U;
        numbers.push_back(id.value_or(0));
        begin = end;
    }
    return numbers;
}

std::size_t Batch::bytes() const noexcept {
    const auto size_of = [](const auto&... lists) {
        return (... + (lists.size() * sizeof(lists[0])));
    };
    return texts_.bytes() + method_texts_.bytes() +
           size_of(frames_, processes_, threads_, thread_spans_.spans(), images_, image_ids_,
                   methods_, modules_, scripts_, volumes_, files_, partitions_, stacks_, keys_,
                   exits_, runtime_events_, runtime_stacks_) +
           last_of_runtime_.size() * sizeof(*last_of_runtime_.begin());
}

void Batch::move_to(Tables& tables) {
    const std::vector<NameId> names = texts_.move_to(tables.names, tables.counts.dropped_names);
    move_lives(tables, names);
    move_modules(tables, names);
    move_methods(tables);
    move_machine(tables, names);
    move_stacks(tables);
}

void Batch::move_lives(Tables& tables, const std::vector<NameId>& names) {
    Counts& counts = tables.counts;
    move_seen(processes_, tables.processes, limits::fact_lifetimes, counts,
              [&](ProcessValue& value) {
                  value.name = names[value.name];
                  value.command_line = names[value.command_line];
                  value.path = names[value.path];
              });
    for (const ExitSeen& seen : exits_) {
        if (tables.seen_exits.size() < limits::fact_lifetimes) {
            tables.seen_exits.push_back(seen);
        }
    }
    tables.sources.add(sources_);
    move_seen(threads_, tables.threads, limits::fact_lifetimes, counts, [](std::uint32_t&) {});
    for (const ThreadSpan& span : thread_spans_.spans()) {
        counts.dropped_lifetimes += tables.threads.add(span, limits::fact_lifetimes) ? 0U : 1U;
    }
    move_seen(images_, tables.images, limits::fact_images, counts,
              [&](ImageValue& value) { value.path = names[value.path]; });
    move_seen(files_, tables.files, limits::fact_files, counts,
              [&](NameId& name) { name = names[name]; });
    for (ImageIdSeen& seen : image_ids_) {
        seen.text = names[seen.text];
        if (tables.seen_image_ids.size() >= limits::fact_image_ids) {
            ++counts.dropped_lifetimes;
        } else if (seen.text != 0) {
            tables.seen_image_ids.push_back(seen);
        }
    }
}

void Batch::move_modules(Tables& tables, const std::vector<NameId>& names) {
    const auto rename = [&](ModuleValue& value) {
        for (NameId ModuleValue::* const name : {&ModuleValue::path, &ModuleValue::native_path,
                                                 &ModuleValue::pdb, &ModuleValue::native_pdb}) {
            value.*name = names[value.*name];
        }
    };
    move_seen(modules_, tables.modules, limits::fact_lifetimes, tables.counts, rename);
    move_seen(scripts_, tables.scripts, limits::fact_lifetimes, tables.counts, rename);
}

void Batch::move_methods(Tables& tables) {
    const std::vector<NameId> names =
        method_texts_.move_to(tables.method_names, tables.counts.dropped_names);
    move_seen(methods_, tables.methods, limits::fact_methods, tables.counts,
              [&](MethodValue& value) {
                  value.type = names[value.type];
                  value.name = names[value.name];
                  value.signature = names[value.signature];
              });
}

void Batch::move_machine(Tables& tables, const std::vector<NameId>& names) {
    for (Partition& partition : partitions_) {
        partition.letters = names[partition.letters];
        if (tables.partitions.size() < limits::fact_partitions) {
            tables.partitions.push_back(partition);
        }
    }
    for (const auto& [number, seen] : sample_sources_) {
        const auto known = tables.sample_sources.find(number);
        if (known == tables.sample_sources.end() &&
            tables.sample_sources.size() >= limits::fact_sample_sources) {
            continue;
        }
        SampleSource& of = tables.sample_sources[number];
        if (seen.first && (!of.first || seen.first->time < of.first->time)) {
            of.first = seen.first;
        }
        of.name = of.name != 0 ? of.name : names[seen.name];
    }
    for (Volume& volume : volumes_) {
        volume = {names[volume.nt_path], names[volume.dos_path]};
        if (volume.nt_path != 0 && tables.volumes.size() < limits::fact_partitions) {
            tables.volumes.push_back(volume);
        }
    }
}

std::optional<std::uint32_t> Batch::move_frames(Tables& tables, const Frames& frames) {
    return tables.frames.add(std::span(frames_).subspan(frames.begin, frames.count), frames.hash);
}

void Batch::move_stacks(Tables& tables) {
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
    move_runtime(tables);
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

// The last event of a thread may have its stack in another buffer. Those before it tell which event
// a stack is of, and are needed only where there are stacks.
void Batch::move_runtime(Tables& tables) {
    std::set<flow::RuntimeThread> with_stacks;
    for (BatchRuntimeStack& stack : runtime_stacks_) {
        with_stacks.insert(stack.stack.of);
        const auto frames = move_frames(tables, stack.frames);
        if (!frames || !tables.frames.charge(cost_of_stack)) {
            ++tables.counts.dropped_stacks;
            continue;
        }
        stack.stack.frames = *frames;
        tables.runtime_stacks.push_back(stack.stack);
    }
    for (std::uint32_t i = 0; i < runtime_events_.size(); ++i) {
        const RuntimeEvent& event = runtime_events_[i];
        if (last_of_runtime_.at(event.of).event != i && !with_stacks.contains(event.of)) {
            continue;
        }
        if (tables.frames.charge(sizeof(RuntimeEvent))) {
            tables.runtime_events.push_back(event);
        } else {
            ++tables.counts.dropped_stacks;
        }
    }
}

} // namespace etl::facts
