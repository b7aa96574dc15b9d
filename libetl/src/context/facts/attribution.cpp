#include "facts/attribution.hpp"

#include "flow/context.hpp"
#include "flow/losses.hpp"
#include "flow/merged_inputs.hpp"
#include "format/records.hpp"

namespace etl::facts {

namespace {

/// The process of a thread that the payload names.
std::uint32_t process_of(std::optional<std::uint32_t> thread, const decode::DecodedEvent& event,
                         const OwnerFields& fields, const Facts& facts) noexcept {
    const flow::EventHeader& header = event.header;
    if (!thread || *thread == flow::no_id) {
        return flow::no_id;
    }
    const bool is_logger = *thread == header.thread_id && header.process_id != flow::no_id;
    if (*thread != 0) {
        const std::uint32_t known = facts.process_of_thread(*thread, event.event->raw_time);
        return known == flow::no_id && is_logger ? header.process_id : known;
    }
    if (is_logger) {
        return header.process_id;
    }
    return fields.may_be_idle ? 0 : flow::no_id; // every processor has an idle thread 0
}

Attribution by_payload(const decode::DecodedEvent& event, const OwnerFields& fields,
                       const OwnerIds& ids, const Facts& facts) noexcept {
    Attribution about;
    if (fields.process != OwnerFields::no_field) {
        about.process = ids.process.value_or(flow::no_id);
        if (fields.zero_is_kernel && about.process == 0) {
            return {.is_complete = true};
        }
    }
    if (about.process == flow::no_id) {
        about.process = process_of(ids.thread, event, fields, facts);
    }
    about.is_complete = about.process != flow::no_id;
    if (fields.switched_out != OwnerFields::no_field) {
        about.switched_out = process_of(ids.switched_out, event, fields, facts);
        about.is_complete = about.is_complete && about.switched_out != flow::no_id;
    }
    return about;
}

} // namespace

bool is_about_machine(const flow::Event& event) noexcept {
    using flow::Context;
    if (format::is_event(event.kind)) { // of a provider, which logs about its own process
        return flow::is_source_event(event) || flow::indicates_unknown_losses(event);
    }
    switch (flow::context_of(event)) {
    case Context::header:
    case Context::system:
    case Context::file:
    case Context::schema:
    case Context::stack:
        return true;
    case Context::none:
    case Context::process:
    case Context::image:
        break;
    }
    return false;
}

Attribution attribution_by_header(const flow::EventHeader& header, const Facts& facts,
                                  std::int64_t time) noexcept {
    Attribution about;
    about.process = header.process_id;
    if (about.process == flow::no_id && header.thread_id != flow::no_id) {
        about.process = facts.process_of_thread(header.thread_id, time);
    }
    about.is_complete = about.process != flow::no_id;
    return about;
}

Attribution attribution_of(const decode::DecodedEvent& event, const OwnerFields& fields,
                           const OwnerIds& ids, const Facts& facts) noexcept {
    if (is_about_machine(*event.event)) {
        return {.is_complete = true};
    }
    if (fields.has_any()) {
        return by_payload(event, fields, ids, facts);
    }
    return fields.header_counts ? attribution_by_header(event.header, facts, event.event->raw_time)
                                : Attribution{};
}

} // namespace etl::facts
