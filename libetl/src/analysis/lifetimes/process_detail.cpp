#include "analysis/lifetimes/process_detail.hpp"

#include <etl/decode/display_value.hpp>
#include <etl/format/known_guids.hpp>

#include <utility>

namespace etl::analysis {

namespace {

enum ProcessField : unsigned { process_id_field, exit_field, session_field, sid_field };

bool is_sid(Bytes bytes) noexcept {
    constexpr auto most_parts = std::byte{15};
    return bytes[0] == std::byte{1} && bytes[1] <= most_parts;
}

std::string user_of(const Record& record) {
    // Two pointers and the SID; without a user, a pointer of 0 alone.
    const Bytes stored = record.rest(sid_field);
    const std::size_t token = record.version == 0 ? 16 : 2U * record.pointer_size;
    constexpr std::size_t least_sid = 8;
    if (stored.size() < token + least_sid ||
        (load_le<std::uint32_t>(stored.data()) == 0 && !is_sid(stored.subspan(token)))) {
        return {};
    }
    const std::size_t size = least_sid + 4U * std::to_integer<std::size_t>(stored[token + 1]);
    if (stored.size() < token + size) {
        return {};
    }
    std::string text;
    decode::append_display(text, {.bytes = stored.subspan(token, size), .form = decode::Form::sid});
    return text;
}

} // namespace

void ask_for_processes(Wishes& wishes) {
    for (const std::uint16_t type :
         std::initializer_list<std::uint16_t>{process_start, process_end, process_rundown, 4,
                                              process_defunct}) {
        wishes.hook(static_cast<std::uint16_t>(0x0300U | type), type,
                    {"ProcessId", "ExitStatus", "SessionId", "UserSID"});
    }
    constexpr std::uint16_t start = 1, stop = 2, rundown = 15;
    for (const auto& [id, tag] : std::initializer_list<std::pair<std::uint16_t, std::uint32_t>>{
             {start, process_start}, {stop, process_end}, {rundown, process_rundown}}) {
        wishes.provider(format::kernel_process_guid, tag, {id}, Use::values,
                        {"ProcessID", "ExitCode", "SessionID", "UserSID"});
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

void visit(Archive& archive, ProcessDetail& detail) {
    archive.number(detail.time);
    archive.optional(detail.exit_code);
    archive.optional(detail.session);
    archive.text(detail.user);
}

} // namespace etl::analysis
