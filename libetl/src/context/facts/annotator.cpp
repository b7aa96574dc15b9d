#include "facts/annotator.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "decode/decoder.hpp"
#include "facts/attribution.hpp"
#include "flow/context.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace etl::facts {

// What the fields of an event mean to the facts. docs/enrich.md#fields

enum class Role : std::uint8_t {
    none,
    process,
    thread,
    address, // of code
    file,    // object or key
    disk,
    disk_offset,
    owner, // says whose the event is, nothing more
};

/// The roles of one kind of event.
struct KindRoles {
    static constexpr std::uint32_t no_field = 0xFFFFFFFF;

    std::vector<Role> fields;        // one for each field; empty: none has any
    std::uint32_t thread = no_field; // of the thread at work, where the header names none
    OwnerFields owner;               // of the process that the event is about, likewise
    bool zero_is_kernel = false;     // process 0 of an image: it belongs to the kernel
    bool may_have_stack = false;     // stacks are recorded for events of this kind
    bool is_of_runtime = false;      // the .NET runtime logs its stack as a further event
    bool is_interrupt = false;       // the first address of the stack is no return address
};

KindRoles roles_of(const decode::DecodedEvent& event);

namespace {

struct Meaning {
    std::string_view field;
    Role role;
};

// Of the kernel's classes, which say no more than that a field is a number.
constexpr Meaning kernel_meanings[] = {
    {"ProcessId", Role::process},
    {"ParentId", Role::process},
    {"PID", Role::process},
    {"StackProcess", Role::process},
    {"ThreadId", Role::thread},
    {"TThreadId", Role::thread},
    {"TTID", Role::thread},
    {"NewThreadId", Role::thread},
    {"OldThreadId", Role::thread},
    {"IssuingThreadId", Role::thread},
    {"StackThread", Role::thread},
    {"Routine", Role::address},
    {"InstructionPointer", Role::address},
    {"ProgramCounter", Role::address},
    {"StartAddr", Role::address},
    {"Win32StartAddr", Role::address},
    {"SysCallAddress", Role::address},
    {"CompletionRoutine", Role::address},
    {"ThreadProc", Role::address},
    {"ByteOffset", Role::disk_offset},
};

// Of everybody: a number that is no known object gives no text.
constexpr Meaning meanings_everywhere[] = {
    {"FileObject", Role::file},
    {"FileKey", Role::file},
    {"DiskNumber", Role::disk},
};

/// The thread at work, of records whose header has no room for it.
struct Worker {
    std::uint16_t hook_id;
    std::string_view field;
};

constexpr Worker workers[] = {
    {0x0F2E, "ThreadId"},        // PerfInfo/SampleProf
    {0x0F2F, "ThreadId"},        // PerfInfo/PmcCounterProf
    {0x0524, "NewThreadId"},     // Thread/CSwitch
    {0x0220, "TThreadId"},       // PageFault/HardFault
    {0x010A, "IssuingThreadId"}, // DiskIo/Read
    {0x010B, "IssuingThreadId"}, // DiskIo/Write
    {0x010E, "IssuingThreadId"}, // DiskIo/FlushBuffers
};

constexpr std::uint16_t sample_hook = 0x0F2E;  // PerfInfo/SampleProf
constexpr std::uint16_t counter_hook = 0x0F2F; // PerfInfo/PmcCounterProf
constexpr std::uint8_t file_group = 0x04;
constexpr std::uint8_t stack_group = 0x18;

Role role_in(std::span<const Meaning> meanings, std::string_view field) noexcept {
    const auto found = std::ranges::find_if(meanings, [&](const Meaning& meaning) {
        return equals_ignoring_case(meaning.field, field);
    });
    return found != meanings.end() ? found->role : Role::none;
}

Role role_of(const schema::Field& field, bool is_kernel) noexcept {
    if (field.out_type == schema::OutType::pid) {
        return Role::process;
    }
    if (field.out_type == schema::OutType::tid) {
        return Role::thread;
    }
    if (field.out_type == schema::OutType::code_pointer) {
        return Role::address;
    }
    const Role everywhere = role_in(meanings_everywhere, field.name);
    return everywhere == Role::none && is_kernel ? role_in(kernel_meanings, field.name)
                                                 : everywhere;
}

// Records that give a file its name say what they would be told.
bool names_files(std::uint16_t hook_id) noexcept {
    const unsigned type = hook_id & 0xFFU;
    return hook_id >> 8U == file_group && (type == 0 || type == 32 || type == 35 || type == 36);
}

} // namespace

KindRoles roles_of(const decode::DecodedEvent& event) {
    KindRoles roles;
    const flow::EventHeader& header = event.header;
    const std::uint16_t hook = header.is_kernel ? header.hook_id : std::uint16_t{0};
    roles.may_have_stack = header.is_kernel && hook >> 8U != stack_group && hook >> 8U != 0;
    roles.is_of_runtime = flow::runtime_record_of(*event.event) == flow::RuntimeRecord::event;
    roles.is_interrupt = hook == sample_hook || hook == counter_hook;
    roles.owner = owner_fields_of(event);
    roles.zero_is_kernel = roles.owner.zero_is_kernel;
    if (event.kind->schema == nullptr) {
        return roles;
    }
    const bool is_kernel = !format::class_name(header.provider).empty();
    const auto& fields = event.kind->schema->fields;
    const auto worker = std::ranges::find(workers, hook, &Worker::hook_id);
    roles.fields.resize(fields.size(), Role::none);
    bool has_any = false;
    for (const std::uint16_t i : event.kind->schema->top_level()) {
        Role role = role_of(fields[i], is_kernel);
        if (role == Role::file && names_files(hook)) {
            role = Role::none;
        }
        if (worker != std::end(workers) && equals_ignoring_case(worker->field, fields[i].name)) {
            roles.thread = i;
        }
        if (role == Role::none && roles.owner.names(i)) {
            role = Role::owner;
        }
        roles.fields[i] = role;
        has_any |= role != Role::none;
    }
    if (!has_any) {
        roles.fields.clear();
    }
    return roles;
}

namespace {

using decode::Step;
using format::ItemType;

/// A number of the payload that means something.
struct Number {
    std::uint32_t field;
    Role role;
    std::uint64_t value;
};

/// Stacks that are looked at to find the one of a processor: each processor can write two at one
/// time. A trace may put all its stacks at the same time.
constexpr std::size_t stacks_of_one_time = std::size_t{2} * etl::limits::processors;

} // namespace

struct Annotator::State {
    State(std::shared_ptr<const FactsByTrace> all, FrameNames frame_names)
        : facts(std::move(all)), names(std::move(frame_names)) {}

    const KindRoles& roles(const decode::DecodedEvent& event, std::uint32_t generation);

    /// Finds owner and stack; null: no facts about this trace.
    const KindRoles* find(const decode::DecodedEvent& event, std::uint32_t now);

    void read_numbers(const decode::DecodedEvent& event, const KindRoles& roles);
    std::optional<std::uint64_t> number_of(std::uint32_t field) const noexcept;
    std::optional<std::uint32_t> id_of(std::uint32_t field) const noexcept;
    Attribution owner_of(const decode::DecodedEvent& event, const OwnerFields& owner) const;
    void find_worker(const decode::DecodedEvent& event, const KindRoles& roles);
    void note_fields(std::int64_t time);
    void describe(const Number& number, std::int64_t time);
    void describe_thread(std::uint32_t id, std::int64_t time);
    void describe_disk(std::uint32_t disk);
    void find_stack(const decode::DecodedEvent& event, const KindRoles& roles);
    void add_carried(const decode::DecodedEvent& event);
    void add_joined(const decode::DecodedEvent& event);
    void add_parts(std::int64_t time, std::uint32_t of_thread);
    void add_of_runtime(const decode::DecodedEvent& event);

    void add(std::span<const std::uint64_t> addresses) {
        stack.insert(stack.end(), addresses.begin(), addresses.end());
    }

    void note_frames(const KindRoles& roles, std::int64_t time);
    void publish();

    std::shared_ptr<const FactsByTrace> facts;
    FrameNames names;
    const Facts* here = nullptr;                 // of the event's trace
    std::vector<std::optional<KindRoles>> kinds; // by number of the kind
    std::uint32_t generation = 0;
    decode::FieldWalker walker;
    std::vector<Number> numbers;
    std::uint32_t thread = flow::no_id;  // at work
    std::uint32_t process = flow::no_id; // that of its code
    bool is_logged = false;              // the header says so
    std::string text;                    // of fields and frames, one behind the other
    std::vector<std::size_t> ends;
    std::vector<std::uint32_t> fields;
    std::vector<FieldNote> field_notes;
    std::vector<std::uint64_t> stack;
    std::vector<std::string_view> frames;
    Notes notes;
};

const KindRoles& Annotator::State::roles(const decode::DecodedEvent& event, std::uint32_t now) {
    if (now != generation) {
        kinds.clear();
        generation = now;
    }
    if (event.kind->number >= kinds.size()) {
        kinds.resize(event.kind->number + 1);
    }
    auto& known = kinds[event.kind->number];
    if (!known) [[unlikely]] {
        known = roles_of(event);
    }
    return *known;
}

void Annotator::State::read_numbers(const decode::DecodedEvent& event, const KindRoles& roles) {
    numbers.clear();
    if (roles.fields.empty()) {
        return;
    }
    walker.start(event.kind->plan, event.body);
    for (Step step = walker.next(); step != Step::end; step = walker.next()) {
        const Role role = step == Step::value ? roles.fields[walker.field()] : Role::none;
        if (role == Role::none || !schema::is_integer(walker.value().form)) {
            continue;
        }
        const std::uint64_t number = decode::bits_of(walker.value());
        if (number != 0 || role != Role::process || !roles.zero_is_kernel) {
            numbers.push_back({walker.field(), role, number});
        }
    }
}

std::optional<std::uint64_t> Annotator::State::number_of(std::uint32_t field) const noexcept {
    const auto found = std::ranges::find(numbers, field, &Number::field);
    return found != numbers.end() ? std::optional(found->value) : std::nullopt;
}

std::optional<std::uint32_t> Annotator::State::id_of(std::uint32_t field) const noexcept {
    const auto number = number_of(field);
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

Attribution Annotator::State::owner_of(const decode::DecodedEvent& event,
                                       const OwnerFields& owner) const {
    return attribution_of(event, owner,
                          {id_of(owner.process), id_of(owner.thread), id_of(owner.switched_out)},
                          *here);
}

// The thread whose stack it is, and the process whose code it runs.
void Annotator::State::find_worker(const decode::DecodedEvent& event, const KindRoles& roles) {
    const std::int64_t time = event.event->raw_time;
    thread = event.header.thread_id;
    process = event.header.process_id;
    is_logged = process != flow::no_id;
    if (const auto known = id_of(roles.thread); thread == flow::no_id && known) {
        thread = *known;
    }
    if (is_logged) {
        return;
    }
    if (const auto known = id_of(roles.owner.process)) {
        process = *known;
        return;
    }
    const std::uint32_t owner = id_of(roles.owner.thread).value_or(thread);
    if (owner != flow::no_id) {
        process = here->process_of_thread(owner, time);
    }
}

void Annotator::State::note_fields(std::int64_t time) {
    fields.clear();
    for (const Number& number : numbers) {
        const std::size_t before = text.size();
        describe(number, time);
        if (text.size() > before) {
            fields.push_back(number.field);
            ends.push_back(text.size());
        }
    }
}

void Annotator::State::describe(const Number& number, std::int64_t time) {
    const auto id = static_cast<std::uint32_t>(number.value);
    switch (number.role) {
    case Role::process:
        if (const auto who = here->process(id, time)) {
            text.append(who->name);
        }
        break;
    case Role::thread:
        describe_thread(id, time);
        break;
    case Role::address:
        names.append(text, *here, {process, number.value, time, false});
        break;
    case Role::file:
        text.append(here->file(number.value, time));
        break;
    case Role::disk:
        describe_disk(id);
        break;
    case Role::disk_offset:
    case Role::owner:
    case Role::none:
        break;
    }
}

void Annotator::State::describe_thread(std::uint32_t id, std::int64_t time) {
    const std::uint32_t owner = here->process_of_thread(id, time);
    if (const auto who = here->process(owner, time); who && !who->name.empty()) {
        text.append(who->name).append(" (");
        append_decimal(text, owner);
        text.push_back(')');
    }
}

void Annotator::State::describe_disk(std::uint32_t disk) {
    const auto offset = std::ranges::find(numbers, Role::disk_offset, &Number::role);
    here->append_drives(text, disk,
                        offset != numbers.end() ? std::optional(offset->value) : std::nullopt);
}

void Annotator::State::find_stack(const decode::DecodedEvent& event, const KindRoles& roles) {
    stack.clear();
    if (event.items.has_stack || event.items.has_others) [[unlikely]] {
        add_carried(event);
    }
    if (roles.may_have_stack && event.event->has_time) {
        add_joined(event);
    }
    if (roles.is_of_runtime && stack.empty() && event.event->has_time) {
        add_of_runtime(event);
    }
}

// Stacks in extended items; what is not yet complete is found under the item's match id.
void Annotator::State::add_carried(const decode::DecodedEvent& event) {
    format::ExtendedItems items(event.header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        const bool is_key =
            item.type == ItemType::stack_key32 || item.type == ItemType::stack_key64;
        const bool is_wide =
            item.type == ItemType::stack_trace64 || item.type == ItemType::stack_key64;
        const bool is_stack =
            is_key || item.type == ItemType::stack_trace32 || item.type == ItemType::stack_trace64;
        if (!is_stack || item.data.size() < 8) {
            continue;
        }
        const auto match = load_le<std::int64_t>(item.data.data());
        const Bytes rest = item.data.subspan(8);
        const std::size_t width = is_wide ? 8 : 4;
        for (std::size_t at = 0; rest.size() - at >= width; at += width) {
            const std::uint64_t number = is_wide ? load_le<std::uint64_t>(rest.data() + at)
                                                 : load_le<std::uint32_t>(rest.data() + at);
            if (is_key) {
                add(here->frames_of_key(number, event.event->raw_time));
                break;
            }
            stack.push_back(number);
        }
        if (match != 0) {
            add_parts(match, event.header.thread_id);
        }
    }
}

// Stacks that the kernel wrote as records of their own: by time and thread. A record that names no
// thread shares the processor with that of its stack.
void Annotator::State::add_joined(const decode::DecodedEvent& event) {
    const std::int64_t time = event.event->raw_time;
    if (thread == flow::no_id) {
        auto parts = here->stacks(time);
        parts = parts.first(std::min(parts.size(), stacks_of_one_time));
        const auto found = std::ranges::find_if(parts, [&](const StackPart& part) {
            return part.where != StackPart::Where::runtime &&
                   part.processor == event.event->buffer->processor;
        });
        if (found == parts.end()) {
            return;
        }
        thread = found->thread;
    }
    add_parts(time, thread);
}

void Annotator::State::add_parts(std::int64_t time, std::uint32_t of_thread) {
    for (const StackPart& part :
         std::ranges::equal_range(here->stacks(time), of_thread, {}, &StackPart::thread)) {
        if (part.where == StackPart::Where::runtime) {
            continue;
        }
        add(here->frames(part));
        if (!is_logged) {
            process = part.process;
        }
    }
}

void Annotator::State::add_of_runtime(const decode::DecodedEvent& event) {
    for (const StackPart& part : std::ranges::equal_range(here->stacks(event.event->raw_time),
                                                          thread, {}, &StackPart::thread)) {
        if (part.where == StackPart::Where::runtime && part.processor == event.header.id &&
            part.process == event.header.process_id) {
            add(here->frames(part));
            return;
        }
    }
}

void Annotator::State::note_frames(const KindRoles& roles, std::int64_t time) {
    bool has_name = false;
    bool is_return_address = !roles.is_interrupt;
    for (const std::uint64_t address : stack) {
        if (names.append(text, *here, {process, address, time, is_return_address})) {
            has_name = true;
        } else {
            append_hex(text, address);
        }
        ends.push_back(text.size());
        is_return_address = true;
    }
    if (!has_name) {
        ends.resize(fields.size());
    }
}

// Views are made last: the text moves while it grows.
void Annotator::State::publish() {
    std::size_t begin = 0;
    const auto next = [&](std::size_t i) {
        const auto piece = std::string_view(text).substr(begin, ends[i] - begin);
        begin = ends[i];
        return piece;
    };
    field_notes.clear();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        field_notes.push_back({fields[i], next(i)});
    }
    frames.clear();
    for (std::size_t i = fields.size(); i < ends.size(); ++i) {
        frames.push_back(next(i));
    }
    notes.fields = field_notes;
    notes.frames = frames;
}

Annotator::Annotator(std::shared_ptr<const FactsByTrace> facts, FrameNames names)
    : state_(std::make_unique<State>(std::move(facts), std::move(names))) {}

Annotator::~Annotator() = default;
Annotator::Annotator(Annotator&&) noexcept = default;
Annotator& Annotator::operator=(Annotator&&) noexcept = default;

const KindRoles* Annotator::State::find(const decode::DecodedEvent& event, std::uint32_t now) {
    notes = {};
    here = facts->find(*event.event);
    if (here == nullptr) {
        return nullptr;
    }
    const KindRoles& its = roles(event, now);
    read_numbers(event, its);
    notes.process_id = owner_of(event, its.owner).process;
    find_worker(event, its);
    find_stack(event, its);
    notes.stack = stack;
    notes.is_interrupt = its.is_interrupt;
    notes.stack_process_id = process;
    notes.thread_id = thread;
    return &its;
}

const Notes& Annotator::find_stack(const decode::DecodedEvent& event, std::uint32_t generation) {
    state_->find(event, generation);
    return state_->notes;
}

const Notes& Annotator::annotate(const decode::DecodedEvent& event, std::uint32_t generation) {
    State& state = *state_;
    const KindRoles* const roles = state.find(event, generation);
    if (roles == nullptr) {
        return state.notes;
    }
    const std::int64_t time = event.event->raw_time;
    state.text.clear();
    state.ends.clear();
    if (const auto who = state.here->process(state.notes.process_id, time)) {
        state.notes.process = who->name;
    }
    if (const auto who = state.here->process(event.header.process_id, time)) {
        state.notes.logger = who->name;
    }
    state.note_fields(time);
    state.note_frames(*roles, time);
    state.publish();
    return state.notes;
}

} // namespace etl::facts
