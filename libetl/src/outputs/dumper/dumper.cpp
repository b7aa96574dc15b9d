
#include "dumper/dumper.hpp"

#include "base/text.hpp"
#include "dumper/clean_text.hpp"
#include "dumper/column.hpp"
#include "dumper/lines.hpp"
#include "dumper/names.hpp"
#include "dumper/requests.hpp"
#include "dumper/stacks.hpp"
#include "dumper/survey.hpp"
#include "facts/attributor.hpp"
#include "flow/context.hpp"
#include "format/thread_states.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <string>

namespace etl::dumper {

// The state of a Dumper.

/// State between the events of one trace.
struct TraceState {
    Requests file_requests, disk_requests;
    Disks disks;
    Switches switches;
};

struct Dumper::State {
    State(const Options& how, const Survey& all)
        : options(how), selection(options), survey(all.state_.get()),
          decoder(how.schemas, {.pointer_size = how.pointer_size}), names(how),
          attributor(how.facts, how.schemas, {.pointer_size = how.pointer_size}) {}

    void add(const flow::Event& event, std::string& to);
    void forget(const flow::Event& event, std::optional<std::uint16_t> hook);
    Subject subject_of(const decode::DecodedEvent& event, const Line& line);
    void apply(const decode::DecodedEvent& event, const Line& line, Subject& subject);
    void apply_disk(const Line& line, TraceState& state, Subject& subject, std::int64_t time);
    std::optional<std::uint64_t> number(const Line& line, std::string_view field) const;

    void print(const decode::DecodedEvent& event, const Line& line, const Subject& subject,
               std::string& to);
    void print_columns(const decode::DecodedEvent& event, const Line& line, const Subject& subject,
                       std::uint8_t kind, std::string& to);
    void print_thread(std::uint32_t thread, std::string& to);
    void print_raw(const flow::Event& event, std::string& to);
    void print_counters(const decode::DecodedEvent& event, const Subject& subject, std::string& to);
    void print_stack(const decode::DecodedEvent& event, const Subject& subject, std::string& to);
    void print_frames(const StackFrames& part, const Subject& subject, const flow::Event& event,
                      bool is_interrupted_part, std::string& to);
    void begin_line(std::string_view name, const flow::Event& event, std::string& to) const;

    Options options;
    Selection selection;
    const Survey::State* survey;
    decode::Decoder decoder;
    Lines lines;
    Values values;
    FieldTexts texts;
    Names names;
    Stacks stacks;
    facts::Attributor attributor;
    std::map<std::uint32_t, TraceState> traces; // by file
    std::string cell, fields;                   // of the event at hand
};

namespace {

constexpr std::uint16_t sample_hook = 0x0F2E, thread_start_hook = 0x0501;
constexpr unsigned process_group = 0x03, image_group = 0x14;

std::optional<std::uint16_t> index_of(const Line& line, std::string_view field) {
    const auto& columns = kinds()[line.kind].columns;
    const auto found = std::ranges::find(columns, field, &DumpColumn::field);
    return found != columns.end()
               ? std::optional(line.first[static_cast<std::size_t>(found - columns.begin())])
               : std::nullopt;
}

} // namespace

void Dumper::State::add(const flow::Event& event, std::string& to) {
    const auto hook = flow::kernel_hook_of(event);
    names.use(event);
    forget(event, hook);
    const decode::DecodedEvent& decoded = decoder.decode(event);
    const Line& line = lines.of(decoded, decoder.generation());
    if (line.form == Line::Form::silent) {
        return;
    }
    const bool is_known = line.form == Line::Form::known;
    const bool is_valid = is_known && values.read(decoded);
    Subject subject;
    if (is_valid) {
        subject = subject_of(decoded, line);
        apply(decoded, line, subject);
    }
    if (!selection.has(event, decoded)) {
        return;
    }
    if (!is_valid) {
        subject.thread = decoded.header.thread_id;
        subject.process =
            is_known ? decoded.header.process_id : attributor.attribute(event).process;
    }
    if (options.has_raw_data) {
        print_raw(event, to);
    }
    print_counters(decoded, subject, to);
    if (is_valid) {
        if (hook == sample_hook) {
            subject.thread_start = start_of(survey->starts, options.facts->number_of(event),
                                            subject.thread, event.raw_time);
        }
        begin_line(kinds()[line.kind].name, event, to);
        print_columns(decoded, line, subject, line.kind, to);
    } else {
        print(decoded, line, subject, to);
    }
    print_stack(decoded, subject, to);
}

/// Names may differ after events about processes and code.
void Dumper::State::forget(const flow::Event& event, std::optional<std::uint16_t> hook) {
    const unsigned group = hook ? *hook >> 8U : 0U;
    if (group == process_group) {
        names.forget_processes();
    }
    if (group == process_group || group == image_group) {
        names.forget_code();
    }
    if (format::is_event(event.kind)) {
        const flow::Context context = flow::context_of(event);
        if (context == flow::Context::process) {
            names.forget_processes();
        } else if (context == flow::Context::image) {
            names.forget_code();
        }
    }
}

std::optional<std::uint64_t> Dumper::State::number(const Line& line, std::string_view field) const {
    const auto index = index_of(line, field);
    return index ? values.number(*index) : std::nullopt;
}

Subject Dumper::State::subject_of(const decode::DecodedEvent& event, const Line& line) {
    const flow::EventHeader& header = event.header;
    Subject subject{.process = header.process_id, .thread = header.thread_id};
    const auto thread = values.number(line.thread);
    if (thread) {
        subject.thread = static_cast<std::uint32_t>(*thread);
    }
    if (const auto process = values.number(line.process)) {
        subject.process = static_cast<std::uint32_t>(*process);
    } else if (subject.process == flow::no_id || (thread && subject.thread != header.thread_id)) {
        subject.process = names.process_of(subject.thread, event.event->raw_time);
    }
    return subject;
}

/// Applies the event to the state between events, and takes from it what the line shows.
void Dumper::State::apply(const decode::DecodedEvent& event, const Line& line, Subject& subject) {
    TraceState& state = traces[event.event->trace().file];
    const std::int64_t time = event.event->raw_time;
    const auto irp = number(line, "IrpPtr");
    switch (kinds()[line.kind].effect) {
    case Effect::none:
        if (flow::kernel_hook_of(*event.event) == thread_start_hook) {
            state.switches.start(subject.thread, time);
        }
        break;
    case Effect::context_switch:
        subject.times = state.switches.add(
            event.event->buffer->processor, subject.thread,
            static_cast<std::uint32_t>(number(line, "OldThreadId").value_or(flow::no_id)),
            format::is_ready(number(line, "OldThreadState").value_or(0)), time);
        break;
    case Effect::ready:
        if (const auto thread = number(line, "TThreadId")) {
            state.switches.make_ready(static_cast<std::uint32_t>(*thread), time);
        }
        break;
    case Effect::request_begin:
        state.file_requests.begin(irp.value_or(0),
                                  {.time = time,
                                   .object = number(line, "FileObject").value_or(0),
                                   .key = number(line, "FileKey").value_or(0),
                                   .process = subject.process,
                                   .thread = subject.thread,
                                   .kind = kinds()[line.kind].name});
        break;
    case Effect::request_end:
        subject.request = state.file_requests.end(irp.value_or(0));
        if (subject.request) {
            subject.process = subject.request->process;
            subject.thread = subject.request->thread;
        }
        break;
    case Effect::interrupt:
        if (const auto from = number(line, "InitialTime"); from && options.excludes_interrupts) {
            state.switches.interrupt(event.event->buffer->processor,
                                     {static_cast<std::int64_t>(*from), time});
        }
        break;
    case Effect::disk_begin:
    case Effect::disk_end:
        apply_disk(line, state, subject, time);
        break;
    }
}

/// The thread that issued a disk request: its own, otherwise that of its Init.
void Dumper::State::apply_disk(const Line& line, TraceState& state, Subject& subject,
                               std::int64_t time) {
    const auto irp = number(line, "Irp");
    if (kinds()[line.kind].effect == Effect::disk_begin) {
        state.disk_requests.begin(
            irp.value_or(0), {.time = time, .process = subject.process, .thread = subject.thread});
        return;
    }
    const auto begun = irp ? state.disk_requests.end(*irp) : std::nullopt;
    const auto issuer = values.number(line.thread);
    if (!issuer || *issuer == 0 || *issuer == flow::no_id) {
        subject.thread = begun ? begun->thread : flow::no_id;
        subject.process = begun ? begun->process : flow::no_id;
    }
    const auto elapsed = number(line, "HighResResponseTime");
    const auto disk = number(line, "DiskNumber");
    if (elapsed && disk) {
        subject.service = state.disks.complete(*disk, time, *elapsed);
    }
}

std::string_view name_of_hook(std::uint16_t hook) noexcept {
    const std::uint8_t kind = kind_of_hook(hook);
    return kind == no_kind ? std::string_view() : kinds()[kind].name;
}

Dumper::Dumper(const Options& options, const Survey& survey)
    : state_(std::make_unique<State>(options, survey)) {}

Dumper::~Dumper() = default;

void Dumper::add(const flow::Event& event, std::string& to) {
    state_->add(event, to);
}

// The lines of one event.

namespace {

constexpr std::size_t time_columns = 10;
constexpr std::uint16_t interrupted_hooks[] = {0x0F2E, 0x0F2F};

std::int64_t rounded_down(std::int64_t value, std::int64_t unit) noexcept {
    return value / unit - (value % unit < 0 ? 1 : 0);
}

bool is_interrupted(const flow::Event& event) noexcept {
    const auto hook = flow::kernel_hook_of(event);
    return hook == interrupted_hooks[0] || hook == interrupted_hooks[1];
}

Guid guid_of(Bytes bytes) noexcept {
    Guid guid;
    std::ranges::copy_n(bytes.begin(), static_cast<std::ptrdiff_t>(guid.bytes.size()),
                        guid.bytes.begin());
    return guid;
}

/// `, NUMBER`, right-aligned.
void append_column(std::string& to, std::int64_t number, std::size_t width) {
    char digits[24];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    to.append(", ");
    append_padded(to, {digits, static_cast<std::size_t>(end - digits)}, width);
}

/// `etw:ActivityId`, `etw:Related ActivityId`, `etw:UserSid`, `etw:SessionId`; empty: not recorded.
void append_event_columns(std::string& to, const decode::DecodedEvent& event) {
    const flow::EventHeader& header = event.header;
    to.append(", ");
    if (!header.activity.is_zero()) {
        append_braced(to, header.activity);
    }
    to.append(", ");
    if (event.items.related_activity.size() == sizeof(Guid)) {
        append_braced(to, guid_of(event.items.related_activity));
    }
    using format::ItemType;
    to.append(", ");
    const Bytes sid = flow::find_item(header, ItemType::sid).data;
    if (!sid.empty()) {
        decode::append_display(to, {.bytes = sid, .form = decode::Form::sid});
    }
    to.append(", ");
    const Bytes session = flow::find_item(header, ItemType::terminal_session_id).data;
    if (session.size() >= sizeof(std::uint32_t)) {
        append_decimal(to, load_le<std::uint32_t>(session.data()));
    }
}

} // namespace

void Dumper::State::begin_line(std::string_view name, const flow::Event& event,
                               std::string& to) const {
    append_name(to, name);
    if (!event.has_time) {
        to.append(", ").append(time_columns, ' ');
        return;
    }
    const std::int64_t since = event.time().ticks - options.start.ticks;
    append_column(to, rounded_down(since, per_microsecond), time_columns);
}

void Dumper::State::print_columns(const decode::DecodedEvent& event, const Line& line,
                                  const Subject& subject, std::uint8_t kind, std::string& to) {
    const auto& columns = kinds()[kind].columns;
    const ShownColumns shown = survey->shown[kind];
    CellSource from{.event = &event, .values = &values, .subject = &subject, .names = &names};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const DumpColumn& column = columns[i];
        if (!shown.has(column)) {
            continue;
        }
        from.column = &column;
        from.field = i < line.first.size() ? line.first[i] : no_field;
        from.other = i < line.second.size() ? line.second[i] : no_field;
        cell.clear();
        column.show(cell, from);
        to.append(", ");
        append_padded(to, cell, width_of(column, names.is_64_bit()));
    }
    to.push_back('\n');
}

/// An event of a class or provider, an unknown one, or one that contradicts its schema.
void Dumper::State::print(const decode::DecodedEvent& event, const Line& line,
                          const Subject& subject, std::string& to) {
    std::uint8_t kind = line.kind;
    if (line.form == Line::Form::fields) {
        fields.clear();
        if (texts.append(fields, event, line)) {
            begin_line(line.name, *event.event, to);
            to.append(", ");
            names.append_process(to, subject.process, event.event->raw_time);
            print_thread(subject.thread, to);
            constexpr std::size_t columns = 3;
            append_column(to, event.event->buffer->processor, columns);
            if (line.is_event) {
                append_event_columns(to, event);
            }
            to.append(fields).push_back('\n');
            return;
        }
        ++kind; // unknown -> invalid
    } else if (line.form == Line::Form::known) {
        kind = line.is_event ? invalid_crimson : invalid_classic;
    }
    begin_line(kinds()[kind].name, *event.event, to);
    print_columns(event, line, subject, kind, to);
}

void Dumper::State::print_thread(std::uint32_t thread, std::string& to) {
    append_column(to, thread == flow::no_id ? -1 : std::int64_t{thread}, time_columns);
}

void Dumper::State::print_raw(const flow::Event& event, std::string& to) {
    constexpr std::uint64_t nanoseconds = 100; // of a FILETIME tick
    constexpr unsigned digits = 16;
    to.append("# ");
    append_decimal(to, event.buffer->processor);
    to.append(" # ");
    append_hex_digits(to, static_cast<std::uint64_t>(event.raw_time), digits);
    to.append(" # ");
    append_decimal(to, static_cast<std::int64_t>(
                           static_cast<std::uint64_t>(event.time().ticks - options.start.ticks) *
                           nanoseconds));
    to.push_back('\n');
}

/// Counters that the record carries.
void Dumper::State::print_counters(const decode::DecodedEvent& event, const Subject& subject,
                                   std::string& to) {
    const Bytes counters = event.header.counters;
    if (counters.empty()) [[likely]] {
        return;
    }
    begin_line("Pmc", *event.event, to);
    print_thread(subject.thread, to);
    constexpr std::size_t size = sizeof(std::uint64_t);
    for (std::size_t at = 0; counters.size() - at >= size; at += size) {
        to.append(", ");
        append_decimal(to, load_le<std::uint64_t>(counters.data() + at));
    }
    to.push_back('\n');
}

void Dumper::State::print_stack(const decode::DecodedEvent& event, const Subject& subject,
                                std::string& to) {
    const auto parts = stacks.of(event, subject.thread, names.facts());
    bool is_first = is_interrupted(*event.event);
    if (options.joins_stacks && !parts.empty()) {
        begin_line("Stack", *event.event, to);
        print_thread(parts.front().thread, to);
    }
    for (const StackFrames& part : parts) {
        print_frames(part, subject, *event.event, is_first, to);
        is_first = false;
    }
    if (options.joins_stacks && !parts.empty()) {
        to.push_back('\n');
    }
}

void Dumper::State::print_frames(const StackFrames& part, const Subject& subject,
                                 const flow::Event& event, bool is_interrupted_part,
                                 std::string& to) {
    bool is_return_address = !is_interrupted_part;
    std::int64_t number = 0;
    for (const std::uint64_t address : part.addresses) {
        if (!options.joins_stacks) {
            constexpr std::size_t columns = 3;
            begin_line("Stack", event, to);
            print_thread(part.thread, to);
            append_column(to, ++number, columns);
            to.append(", ");
            names.append_address(to, address);
        }
        to.append(", ");
        names.append_function(
            to, {.process = part.process != flow::no_id ? part.process : subject.process,
                 .address = address,
                 .time = event.raw_time,
                 .is_return_address = is_return_address});
        to.append(options.joins_stacks ? "" : "\n");
        is_return_address = true;
    }
}

} // namespace etl::dumper
