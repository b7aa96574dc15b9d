#include "match/operand.hpp"

#include "decode/event_keys.hpp"

#include <algorithm>
#include <array>

namespace etl::match {

namespace {

using decode::Key;

struct OperandName {
    std::string_view name;
    Operand operand;
    Stage stage;
    std::string_view wanted;
};

constexpr std::string_view a_number = "a number";
constexpr std::string_view a_time = "a time";
constexpr std::string_view a_guid = "a GUID";

constexpr std::array operand_names{
    OperandName{name(Key::time), Operand::time, Stage::header, a_time},
    OperandName{name(Key::cpu), Operand::cpu, Stage::header, a_number},
    OperandName{name(Key::pid), Operand::pid, Stage::header, a_number},
    OperandName{name(Key::tid), Operand::tid, Stage::header, a_number},
    OperandName{name(Key::process), Operand::process, Stage::facts, {}},
    OperandName{name(Key::provider), Operand::provider, Stage::kind, {}},
    OperandName{name(Key::provider_guid), Operand::provider_guid, Stage::descriptor, a_guid},
    OperandName{name(Key::id), Operand::id, Stage::descriptor, a_number},
    OperandName{name(Key::version), Operand::version, Stage::descriptor, a_number},
    OperandName{name(Key::channel), Operand::channel, Stage::descriptor, {}},
    OperandName{name(Key::level), Operand::level, Stage::descriptor, {}},
    OperandName{name(Key::opcode), Operand::opcode, Stage::descriptor, {}},
    OperandName{name(Key::task), Operand::task, Stage::descriptor, {}},
    OperandName{name(Key::keyword), Operand::keyword, Stage::descriptor, a_number},
    OperandName{name(Key::event), Operand::event, Stage::kind, {}},
    OperandName{name(Key::task_name), Operand::task_name, Stage::kind, {}},
    OperandName{name(Key::opcode_name), Operand::opcode_name, Stage::kind, {}},
    OperandName{name(Key::level_name), Operand::level_name, Stage::kind, {}},
    OperandName{name(Key::channel_name), Operand::channel_name, Stage::kind, {}},
    OperandName{name(Key::qualifiers), Operand::qualifiers, Stage::kind, a_number},
    OperandName{name(Key::computer), Operand::computer, Stage::kind, {}},
    OperandName{name(Key::keywords), Operand::keywords, Stage::kind, {}},
    OperandName{name(Key::activity_id), Operand::activity_id, Stage::header, a_guid},
    OperandName{name(Key::related_activity_id), Operand::related_activity_id, Stage::header,
                a_guid},
    OperandName{name(Key::user), Operand::user, Stage::header, {}},
    OperandName{name(Key::record_id), Operand::record_id, Stage::header, a_number},
    OperandName{name(Key::source), Operand::source, Stage::kind, {}},
    OperandName{name(Key::schema_from), Operand::schema_from, Stage::kind, {}},
    OperandName{"wpp.component", Operand::wpp_component, Stage::kind, {}},
    OperandName{"wpp.file", Operand::wpp_file, Stage::kind, {}},
    OperandName{"wpp.function", Operand::wpp_function, Stage::kind, {}},
    OperandName{"wpp.level", Operand::wpp_level, Stage::kind, {}},
    OperandName{name(Key::data), Operand::any_field, Stage::payload, {}},
    OperandName{name(Key::message), Operand::message, Stage::payload, {}},
    OperandName{name(Key::is_short), Operand::is_short, Stage::payload, {}},
    OperandName{name(Key::trailing), Operand::trailing, Stage::payload, {}},
    OperandName{name(Key::stack), Operand::stack, Stage::header, {}},
    OperandName{name(Key::decode_error), Operand::decode_error, Stage::payload, {}},
    OperandName{name(Key::decode_note), Operand::decode_note, Stage::payload, {}},
    OperandName{name(Key::raw_time), Operand::raw_time, Stage::header, a_number},
    OperandName{name(Key::header), Operand::header, Stage::header, {}},
    OperandName{name(Key::buffer), Operand::buffer, Stage::header, a_number},
    OperandName{name(Key::offset), Operand::offset, Stage::header, a_number},
    OperandName{name(Key::flags), Operand::flags, Stage::header, a_number},
    OperandName{name(Key::hook_id), Operand::hook_id, Stage::descriptor, a_number},
    OperandName{name(Key::trace), Operand::trace, Stage::origin, a_number},
    OperandName{name(Key::file), Operand::file, Stage::origin, {}},
    OperandName{name(Key::machine), Operand::machine, Stage::origin, {}},
    OperandName{name(Key::boot), Operand::boot, Stage::origin, a_time},
};

} // namespace

Operand operand_named(std::string_view name) noexcept {
    const auto found = std::ranges::find(operand_names, name, &OperandName::name);
    return found == operand_names.end() ? Operand::field : found->operand;
}

Stage stage_of(Operand operand) noexcept {
    const auto found = std::ranges::find(operand_names, operand, &OperandName::operand);
    return found == operand_names.end() ? Stage::payload : found->stage;
}

std::string_view wanted_by(Operand operand) noexcept {
    const auto found = std::ranges::find(operand_names, operand, &OperandName::operand);
    return found == operand_names.end() ? std::string_view{} : found->wanted;
}

const char* why_not_comparable(std::string_view name) noexcept {
    return decode::find_key(name) ? "cannot be compared" : nullptr;
}

} // namespace etl::match
