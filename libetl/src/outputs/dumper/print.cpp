// The lines of one event.
#include "base/text.hpp"
#include "dumper/cells/clean_text.hpp"
#include "dumper/dumper_state.hpp"
#include "flow/context.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace etl::dumper {

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
        const Column& column = columns[i];
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
