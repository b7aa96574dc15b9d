#include "match/operand.hpp"

#include <algorithm>
#include <array>

namespace etl::match {

namespace {

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
    OperandName{"time", Operand::time, Stage::header, a_time},
    OperandName{"cpu", Operand::cpu, Stage::header, a_number},
    OperandName{"pid", Operand::pid, Stage::header, a_number},
    OperandName{"tid", Operand::tid, Stage::header, a_number},
    OperandName{"process", Operand::process, Stage::facts, {}},
    OperandName{"provider", Operand::provider, Stage::kind, {}},
    OperandName{"provider_guid", Operand::provider_guid, Stage::descriptor, a_guid},
    OperandName{"id", Operand::id, Stage::descriptor, a_number},
    OperandName{"version", Operand::version, Stage::descriptor, a_number},
    OperandName{"channel", Operand::channel, Stage::descriptor, {}},
    OperandName{"level", Operand::level, Stage::descriptor, {}},
    OperandName{"opcode", Operand::opcode, Stage::descriptor, {}},
    OperandName{"task", Operand::task, Stage::descriptor, {}},
    OperandName{"keyword", Operand::keyword, Stage::descriptor, a_number},
    OperandName{"event", Operand::event, Stage::kind, {}},
    OperandName{"task_name", Operand::task_name, Stage::kind, {}},
    OperandName{"opcode_name", Operand::opcode_name, Stage::kind, {}},
    OperandName{"level_name", Operand::level_name, Stage::kind, {}},
    OperandName{"channel_name", Operand::channel_name, Stage::kind, {}},
    OperandName{"keywords", Operand::keywords, Stage::kind, {}},
    OperandName{"activity_id", Operand::activity_id, Stage::header, a_guid},
    OperandName{"related_activity_id", Operand::related_activity_id, Stage::header, a_guid},
    OperandName{"source", Operand::source, Stage::kind, {}},
    OperandName{"wpp.component", Operand::wpp_component, Stage::kind, {}},
    OperandName{"wpp.file", Operand::wpp_file, Stage::kind, {}},
    OperandName{"wpp.function", Operand::wpp_function, Stage::kind, {}},
    OperandName{"wpp.level", Operand::wpp_level, Stage::kind, {}},
    OperandName{"message", Operand::message, Stage::payload, {}},
    OperandName{"short", Operand::is_short, Stage::payload, {}},
    OperandName{"trailing", Operand::trailing, Stage::payload, {}},
    OperandName{"stack", Operand::stack, Stage::header, {}},
    OperandName{"decode_error", Operand::decode_error, Stage::payload, {}},
    OperandName{"decode_note", Operand::decode_note, Stage::kind, {}},
    OperandName{"raw_time", Operand::raw_time, Stage::header, a_number},
    OperandName{"header", Operand::header, Stage::header, {}},
    OperandName{"buffer", Operand::buffer, Stage::header, a_number},
    OperandName{"offset", Operand::offset, Stage::header, a_number},
    OperandName{"flags", Operand::flags, Stage::header, a_number},
    OperandName{"hook_id", Operand::hook_id, Stage::descriptor, a_number},
    OperandName{"file", Operand::file, Stage::header, {}},
    OperandName{"trace", Operand::trace, Stage::header, a_number},
};

constexpr std::array<std::string_view, 12> not_comparable{
    "data",   "frames", "enriched", "ext",          "payload",    "items",
    "traits", "fields", "wpp",      "header_bytes", "event_tags", "kernel_time"};

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
    return std::ranges::find(not_comparable, name) != not_comparable.end()
               ? "is not compared as a whole"
               : nullptr;
}

} // namespace etl::match
