#include "dumper/dumper_state.hpp"
#include "flow/context.hpp"
#include "format/thread_states.hpp"

#include <algorithm>

namespace etl::dumper {

namespace {

constexpr std::uint16_t sample_hook = 0x0F2E, thread_start_hook = 0x0501;
constexpr unsigned process_group = 0x03, image_group = 0x14;

std::optional<std::uint16_t> index_of(const Line& line, std::string_view field) {
    const auto& columns = kinds()[line.kind].columns;
    const auto found = std::ranges::find(columns, field, &Column::field);
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

} // namespace etl::dumper
