#include "facts/attribution.hpp"

#include "base/text.hpp"
#include "flow/context.hpp"
#include "flow/losses.hpp"
#include "flow/merged_inputs.hpp"
#include "format/kernel_disk.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <iterator>

namespace etl::facts {

namespace {

using namespace literals;

constexpr std::uint8_t thread_group = 0x05;
constexpr std::uint8_t perf_info_group = 0x0F;

/// A manifest provider of the kernel: its header names the thread that happened to run.
struct Provider {
    Guid guid;
    bool header_counts; // for events without a field of `owner_namings`
};

constexpr Provider providers[] = {
    {format::kernel_process_guid, false},
    {format::kernel_network_guid, false},
    {format::kernel_disk_guid, false},
    {"d1d93ef7-e1f2-4f45-9943-03d245fe6c00"_guid, false}, // Microsoft-Windows-Kernel-Memory
    {format::kernel_file_guid, true},
};

struct OwnerNaming {
    std::string_view field;
    std::uint32_t OwnerFields::* owner;
};

// Names as they are in the classes of all versions, and in the manifests. Not those of a further
// process, as ParentId.
constexpr OwnerNaming owner_namings[] = {
    {"ProcessId", &OwnerFields::process},
    {"PID", &OwnerFields::process},
    {"HRPid", &OwnerFields::process},
    {"StackProcess", &OwnerFields::process},
    {"FrozenProcessID", &OwnerFields::process},
    {"ThreadId", &OwnerFields::thread},
    {"TThreadId", &OwnerFields::thread},
    {"TTID", &OwnerFields::thread},
    {"IssuingThreadId", &OwnerFields::thread},
    {"NewThreadId", &OwnerFields::thread},
    {"OldThreadId", &OwnerFields::switched_out},
};

const Provider* find_provider(const Guid& guid) noexcept {
    const auto found = std::ranges::find(providers, guid, &Provider::guid);
    return found != std::end(providers) ? found : nullptr;
}

bool is_kernel_class(const Guid& guid) noexcept {
    return guid == format::image_id_guid || !format::class_name(guid).empty();
}

} // namespace

std::uint32_t OwnerFields::last() const noexcept {
    const auto or_none = [](std::uint32_t field) { return field == no_field ? 0 : field; };
    return std::max({or_none(process), or_none(thread), or_none(switched_out)});
}

bool may_have_owner_fields(const flow::Event& event) noexcept {
    if (format::has_hook(event.kind)) {
        return true;
    }
    if (format::is_full(event.kind)) {
        return is_kernel_class(flow::stored<format::full_record::guid>(event));
    }
    return format::is_event(event.kind) &&
           find_provider(flow::stored<format::event_record::provider_id>(event)) != nullptr;
}

OwnerFields owner_fields_of(const decode::DecodedEvent& event) {
    OwnerFields fields;
    const Guid& guid = event.header.provider;
    const Provider* const provider = find_provider(guid);
    fields.header_counts = provider == nullptr || provider->header_counts;
    if (event.kind->schema == nullptr || (provider == nullptr && !is_kernel_class(guid))) {
        return fields;
    }
    const auto hook = flow::kernel_hook_of(*event.event);
    const unsigned group = hook ? *hook >> 8U : 0U;
    fields.zero_is_kernel = guid == format::image_class_guid || guid == format::image_id_guid;
    fields.may_be_idle = group == thread_group || group == perf_info_group;
    for (const std::uint16_t i : event.kind->schema->top_level()) {
        for (const OwnerNaming& naming : owner_namings) {
            std::uint32_t& owner = fields.*naming.owner;
            if (owner == OwnerFields::no_field &&
                equals_ignoring_case(naming.field, event.kind->schema->fields[i].name)) {
                owner = i;
            }
        }
    }
    return fields;
}

std::vector<Guid> owner_providers() {
    std::vector<Guid> guids;
    std::ranges::transform(providers, std::back_inserter(guids), &Provider::guid);
    return guids;
}

namespace {

/// The process of a thread that the payload names.
std::uint32_t process_of(std::optional<std::uint32_t> thread, const Logger& logger,
                         const OwnerFields& fields, const Facts& facts,
                         std::int64_t time) noexcept {
    if (!thread || *thread == flow::no_id) {
        return flow::no_id;
    }
    const bool is_logger = *thread == logger.thread && logger.process != flow::no_id;
    if (*thread != 0) {
        const std::uint32_t known = facts.process_of_thread(*thread, time);
        return known == flow::no_id && is_logger ? logger.process : known;
    }
    if (is_logger) {
        return logger.process;
    }
    return fields.may_be_idle ? 0 : flow::no_id; // every processor has an idle thread 0
}

Attribution by_payload(const Logger& logger, const OwnerFields& fields, const OwnerIds& ids,
                       const Facts& facts, std::int64_t time) noexcept {
    Attribution about;
    if (fields.process != OwnerFields::no_field) {
        about.process = ids.process.value_or(flow::no_id);
        if (fields.zero_is_kernel && about.process == 0) {
            return {.is_complete = true};
        }
    }
    if (about.process == flow::no_id) {
        about.process = process_of(ids.thread, logger, fields, facts, time);
    }
    about.is_complete = about.process != flow::no_id;
    if (fields.switched_out != OwnerFields::no_field) {
        about.switched_out = process_of(ids.switched_out, logger, fields, facts, time);
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

Attribution attribution_by_header(const Logger& logger, const Facts& facts,
                                  std::int64_t time) noexcept {
    Attribution about;
    about.process = logger.process;
    if (about.process == flow::no_id && logger.thread != flow::no_id) {
        about.process = facts.process_of_thread(logger.thread, time);
    }
    about.is_complete = about.process != flow::no_id;
    return about;
}

Attribution attribution_by(const Logger& logger, const OwnerFields& fields, const OwnerIds& ids,
                           const Facts& facts, std::int64_t time) noexcept {
    if (fields.has_any()) {
        return by_payload(logger, fields, ids, facts, time);
    }
    return fields.header_counts ? attribution_by_header(logger, facts, time) : Attribution{};
}

Attribution attribution_of(const decode::DecodedEvent& event, const OwnerFields& fields,
                           const OwnerIds& ids, const Facts& facts) noexcept {
    if (is_about_machine(*event.event)) {
        return {.is_complete = true};
    }
    return attribution_by({event.header.thread_id, event.header.process_id}, fields, ids, facts,
                          event.event->raw_time);
}

} // namespace etl::facts
