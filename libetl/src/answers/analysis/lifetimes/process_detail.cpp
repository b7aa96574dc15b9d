#include "analysis/lifetimes/process_detail.hpp"

#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <utility>

namespace etl::analysis {

namespace {

enum ProcessField : unsigned {
    process_id_field,
    exit_field,
    session_field,
    sid_field,
    parent_field
};

bool is_sid(Bytes bytes) noexcept {
    constexpr auto max_parts = std::byte{15};
    return bytes[0] == std::byte{1} && bytes[1] <= max_parts;
}

/// The SID of a process in what begins with it: two pointers, and the SID; without a user, a
/// pointer of 0 alone.
Bytes sid_in(const Record& record, Bytes stored) noexcept {
    const std::size_t token = record.version == 0 ? 16 : 2U * record.pointer_size;
    constexpr std::size_t min_sid = 8;
    if (stored.size() < token + min_sid ||
        (load_le<std::uint32_t>(stored.data()) == 0 && !is_sid(stored.subspan(token)))) {
        return {};
    }
    const std::size_t size = min_sid + 4U * std::to_integer<std::size_t>(stored[token + 1]);
    return stored.size() < token + size ? Bytes() : stored.subspan(token, size);
}

std::string user_of(const Record& record) {
    std::string text;
    if (const Bytes sid = sid_in(record, record.rest(sid_field)); !sid.empty()) {
        decode::append_display(text, {.bytes = sid, .form = decode::Form::sid});
    }
    return text;
}

/// The image of an event of the kernel's class, behind the user.
std::string image_of(const Record& record) {
    if (!format::has_hook(record.event->kind)) {
        return {};
    }
    const Bytes stored = record.rest(sid_field);
    const Bytes sid = sid_in(record, stored);
    const std::size_t begin =
        sid.empty() ? std::size_t{record.pointer_size}
                    : static_cast<std::size_t>(sid.data() + sid.size() - stored.data());
    const Bytes rest = stored.subspan(std::min(begin, stored.size()));
    const auto end = std::ranges::find(rest, std::byte{0});
    std::string name;
    append_ansi(name, rest.first(static_cast<std::size_t>(end - rest.begin())));
    return name;
}

} // namespace

void subscribe_to_processes(Subscriptions& subscriptions) {
    for (const std::uint16_t type : std::initializer_list<std::uint16_t>{
             process_start, process_end, process_rundown, 4, process_defunct}) {
        subscriptions.hook(static_cast<std::uint16_t>(0x0300U | type), type,
                           {"ProcessId", "ExitStatus", "SessionId", "UserSID", "ParentId"});
    }
    constexpr std::uint16_t start = 1, stop = 2, rundown = 15;
    for (const auto& [id, tag] : std::initializer_list<std::pair<std::uint16_t, std::uint32_t>>{
             {start, process_start}, {stop, process_end}, {rundown, process_rundown}}) {
        subscriptions.provider(
            format::kernel_process_guid, tag, {id}, Use::values,
            {"ProcessID", "ExitCode", "SessionID", "UserSID", "ParentProcessID"});
    }
}

std::optional<std::uint32_t> process_id_of(const Record& record) {
    return record.has(process_id_field) ? std::optional(record.number32(process_id_field))
                                        : std::nullopt;
}

ProcessDetail detail_of(const Record& record) {
    ProcessDetail detail{
        .time = record.time, .exit_code = {}, .session = {}, .user = user_of(record)};
    const bool is_end = record.tag == process_end || record.tag == process_defunct;
    if (is_end && record.has(exit_field)) {
        detail.exit_code = record.number(exit_field);
    }
    // Processes without a session have -1.
    if (record.has(session_field) && record.number32(session_field) != 0xFFFFFFFF) {
        detail.session = record.number(session_field);
    }
    return detail;
}

std::optional<UntimedProcess> untimed_process_of(const Record& record) {
    const bool exists = record.tag == process_start || record.tag == process_rundown;
    const auto id = process_id_of(record);
    if (record.event->has_time || !exists || !id) {
        return std::nullopt;
    }
    return UntimedProcess{.id = *id,
                          .parent = record.has(parent_field) ? record.number32(parent_field)
                                                             : flow::no_id,
                          .name = image_of(record)};
}

void visit(Archive& archive, ProcessDetail& detail) {
    archive.number(detail.time);
    archive.optional(detail.exit_code);
    archive.optional(detail.session);
    archive.text(detail.user);
}

void visit(Archive& archive, UntimedProcess& process) {
    archive.number(process.id);
    archive.number(process.parent);
    archive.text(process.name);
}

} // namespace etl::analysis
