#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "dumper/cells/clean_text.hpp"
#include "dumper/cells/flag_names.hpp"
#include "dumper/cells/show.hpp"
#include "format/thread_states.hpp"

namespace etl::dumper::show {

namespace {

/// The field as Windows shows it; nothing: the event does not have it.
std::optional<std::string> displayed(const CellSource& from) {
    const decode::Value* const value = from.values->find(from.field);
    if (value == nullptr) {
        return {};
    }
    std::string shown;
    decode::append_display(shown, *value);
    return shown;
}

void append_name_or_number(std::string& to, std::string_view name, std::uint64_t number) {
    to.append(name);
    if (name.empty()) {
        append_decimal(to, number);
    }
}

void append_named_flags(std::string& to, const CellSource& from, std::span<const FlagName> names) {
    if (const auto flags = from.number()) {
        append_flags(to, *flags, names);
    }
}

} // namespace

void text(std::string& to, const CellSource& from) {
    append_line_text(to, displayed(from).value_or(""));
}

void text_or_none(std::string& to, const CellSource& from) {
    if (const auto shown = displayed(from)) {
        append_line_text(to, shown->empty() ? "<none>" : *shown);
    }
}

void quoted(std::string& to, const CellSource& from) {
    if (const auto shown = displayed(from)) {
        append_quoted(to, *shown);
    }
}

void path(std::string& to, const CellSource& from) {
    if (const auto shown = displayed(from)) {
        from.names->append_path(to, *shown);
    }
}

void file(std::string& to, const CellSource& from) {
    const auto key = from.number(), object = from.other_number();
    if (key || object) {
        from.names->append_file(to, key.value_or(0), object.value_or(0), from.time());
    }
}

void io_priority(std::string& to, const CellSource& from) {
    if (const auto flags = from.number()) {
        append_decimal(to, io_priority_of(*flags));
    }
}

void io_priority_name(std::string& to, const CellSource& from) {
    if (const auto flags = from.number()) {
        to.append(name_of_io_priority(io_priority_of(*flags)));
    }
}

void irp_flags(std::string& to, const CellSource& from) {
    append_named_flags(to, from, irp_flag_names);
}

void create_options(std::string& to, const CellSource& from) {
    if (const auto options = from.number()) {
        append_create_options(to, *options);
    }
}

void file_attributes(std::string& to, const CellSource& from) {
    append_named_flags(to, from, file_attribute_names);
}

void share_access(std::string& to, const CellSource& from) {
    append_named_flags(to, from, share_access_names);
}

void allocation_flags(std::string& to, const CellSource& from) {
    if (const auto flags = from.number()) {
        append_allocation_flags(to, *flags);
    }
}

void fault_kind(std::string& to, const CellSource& from) {
    to.append(fault_name(from.event->header.opcode));
}

void thread_state(std::string& to, const CellSource& from) {
    if (const auto state = from.number()) {
        append_name_or_number(to, format::thread_state_name(*state), *state);
    }
}

void wait_reason(std::string& to, const CellSource& from) {
    if (const auto reason = from.number()) {
        append_name_or_number(to, format::wait_reason_name(*reason), *reason);
    }
}

void wait_mode(std::string& to, const CellSource& from) {
    const auto mode = from.number() ? from.number() : from.other_number();
    if (mode) {
        to.append((*mode & 1U) != 0 ? "Swapable" : "NonSwap");
    }
}

void sample_type(std::string& to, const CellSource& /*from*/) {
    to.append("Unbatched");
}

void volume_snapshot(std::string& to, const CellSource& /*from*/) {
    to.append("Original");
}

void request_file(std::string& to, const CellSource& from) {
    if (const auto& request = from.subject->request) {
        from.names->append_file(to, request->key, request->object, from.time());
    }
}

void request_kind(std::string& to, const CellSource& from) {
    if (from.subject->request) {
        to.append(from.subject->request->kind);
    }
}

void guid(std::string& to, const CellSource& from) {
    append_braced(to, from.event->header.provider);
}

} // namespace etl::dumper::show
