#include "capi/handles.hpp"
#include "view/field_table.hpp"

using namespace etl;
using namespace etl::capi;

etl_status etl_event_get_header(etl_event* event, etl_event_header* header, etl_error** error) {
    return guarded_in(event, error, [&]() -> Outcome {
        const Event& from = *event->event;
        const format::EventHeader& all = from.header();
        return write_sized(header,
                           {.struct_size = 0,
                            .time = from.wall_time().value_or(Filetime{}).ticks,
                            .raw_time = from.raw_time().value_or(0),
                            .keyword = all.keyword,
                            .provider = guid_of(all.provider),
                            .activity = guid_of(all.activity),
                            .related_activity = guid_of(from.related_activity().value_or(Guid{})),
                            .process_id = all.process_id,
                            .thread_id = all.thread_id,
                            .trace = from.trace(),
                            .id = all.id,
                            .task = all.task,
                            .processor = from.processor(),
                            .version = all.version,
                            .channel = all.channel,
                            .level = all.level,
                            .opcode = all.opcode,
                            .pointer_size = all.pointer_size,
                            .is_decoded = from.is_decoded() ? std::uint8_t{1} : std::uint8_t{0}});
    });
}

int64_t etl_event_time(const etl_event* event) {
    return event->event->wall_time().value_or(Filetime{}).ticks;
}

uint64_t etl_event_kind(etl_event* event) {
    return viewed(event, [](const Event& of) {
        return std::uint64_t{Access::generation(of)} << 32U | Access::decoded(of).kind->number;
    });
}

etl_text etl_event_provider(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.provider()); });
}

etl_text etl_event_name(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.name()); });
}

etl_text etl_event_message(etl_event* event) {
    return viewed(event, [&](const Event& of) { return event->texts.keep(of.message()); });
}

etl_text etl_event_json(etl_event* event) {
    return viewed(event, [&](const Event& of) { return event->texts.keep(of.json()); });
}

etl_text etl_event_channel(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.channel()); });
}

etl_text etl_event_task(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.task_name()); });
}

etl_text etl_event_opcode(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.opcode_name()); });
}

etl_text etl_event_level(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.level_name()); });
}

etl_text etl_event_computer(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.computer()); });
}

etl_text etl_event_user(etl_event* event) {
    return viewed(event, [&](const Event& of) { return event->texts.keep(of.user()); });
}

etl_text etl_event_process(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.process()); });
}

etl_text etl_event_problem(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.problem()); });
}

etl_text etl_event_assumption(etl_event* event) {
    return viewed(event, [](const Event& of) { return text_of(of.assumption()); });
}

etl_bytes etl_event_payload(etl_event* event) {
    return viewed(event, [](const Event& of) { return bytes_of(of.payload()); });
}

const uint64_t* etl_event_stack(etl_event* event, size_t* count) {
    const auto stack = viewed(event, [](const Event& of) { return of.stack(); });
    *count = stack.size();
    return stack.empty() ? nullptr : stack.data();
}

etl_text etl_event_frame(etl_event* event, size_t index) {
    return viewed(event, [&](const Event& of) {
        const auto frames = of.frames();
        return text_of(index < frames.size() ? frames[index] : std::string_view());
    });
}
