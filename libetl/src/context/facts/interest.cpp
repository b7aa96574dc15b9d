#include "facts/interest.hpp"

#include "flow/context.hpp"
#include "format/kernel_disk.hpp"

namespace etl::facts {

namespace {

constexpr std::size_t hooks = 0x2000; // groups up to 0x1F

bool is_about_thread_of_stack(Topic topic) noexcept {
    return topic == Topic::stack || topic == Topic::kernel_key || topic == Topic::user_key;
}

unsigned parts_of_hook(std::uint16_t hook, Scope scope) noexcept {
    const auto subject = subject_of_hook(hook);
    unsigned parts = 0;
    parts |= subject && is_within(scope, subject->topic) ? Interest::subject : 0U;
    parts |= subject && is_about_thread_of_stack(subject->topic) ? Interest::stack : 0U;
    parts |= class_sources_of_hook(hook) != ClassSources{} ? Interest::source : 0U;
    parts |= is_sampling_interval(hook) ? Interest::sampling : 0U;
    return parts;
}

} // namespace

Interest::Interest(Scope scope) : hooks_(hooks), scope_(scope) {
    for (std::uint16_t hook = 0; hook < hooks; ++hook) {
        hooks_[hook] = static_cast<std::uint8_t>(parts_of_hook(hook, scope));
    }
}

unsigned Interest::parts_of_event(const flow::Event& event) const noexcept {
    constexpr auto provider = format::event_record::provider_id;
    const auto head = load_le<std::uint32_t>(event.record + provider.offset);
    unsigned parts = may_be_subject(head, scope_) ? subject : 0U;
    if (scope_ == Scope::everything &&
        flow::runtime_record_of(event) != flow::RuntimeRecord::none) {
        parts |= runtime;
    }
    return parts;
}

bool is_sampling_interval(std::uint16_t hook) noexcept {
    constexpr std::uint16_t set_interval = 0x0F48, collection_end = 0x0F4A;
    return hook >= set_interval && hook <= collection_end;
}

ClassSources class_sources_of_hook(std::uint16_t hook) noexcept {
    constexpr unsigned disk_io = 0x01, file_io = 0x04;
    constexpr unsigned first_operation = 64, last_operation = 81, completion = 76;
    const unsigned type = hook & 0xFFU;
    switch (hook >> 8U) {
    case disk_io:
        return {.disk_io = format::is_disk_completion(hook)};
    case file_io:
        return {.file_io = type >= first_operation && type <= last_operation && type != completion};
    default:
        return {};
    }
}

} // namespace etl::facts
