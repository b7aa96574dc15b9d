#include "dumper/lines.hpp"

#include "base/text.hpp"
#include "dumper/clean_text.hpp"
#include "flow/context.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "schema/winmeta.hpp"

#include <algorithm>

namespace etl::dumper {

namespace {

constexpr std::size_t name_width = 23;
constexpr unsigned event_trace_group = 0x00, tcp_group = 0x06, udp_group = 0x08;

/// Classic events that xperf names otherwise than by class and type.
struct ImageIdName {
    std::uint8_t type;
    std::string_view name;
};

constexpr ImageIdName image_id_names[] = {{0, "ImageId"}, {36, "DbgId/RSDS"}, {64, "FileVersion"}};

std::uint16_t field_named(const schema::EventSchema& schema, std::string_view name) {
    if (!name.empty()) {
        for (const std::uint16_t i : schema.top_level()) {
            if (equals_ignoring_case(schema.fields[i].name, name)) {
                return i;
            }
        }
    }
    return no_field;
}

std::string predefined_opcode(std::uint8_t opcode) {
    const std::string_view known = schema::winmeta::opcode_name(opcode);
    std::string name = known.empty() ? "Opcode(" : "win:" + std::string(known);
    if (known.empty()) {
        append_decimal(name, opcode);
        name.push_back(')');
    }
    return name;
}

/// `Provider/Task/Opcode`.
std::string event_name_of(const decode::DecodedEvent& event) {
    const decode::EventKind& kind = *event.kind;
    std::string name;
    if (kind.provider) {
        name = *kind.provider;
    } else {
        append_braced(name, event.header.provider);
    }
    name.push_back('/');
    const bool is_self_describing = kind.is_self_describing();
    if (is_self_describing && kind.event) {
        name.append(*kind.event);
    } else if (!kind.task_name.empty()) {
        name.append(kind.task_name);
    } else {
        name.append("EventID(");
        append_decimal(name, event.header.id);
        name.push_back(')');
    }
    name.push_back('/');
    const bool is_own =
        !kind.opcode_name.empty() && schema::winmeta::opcode_name(event.header.opcode).empty();
    name.append(is_own ? std::string(kind.opcode_name) : predefined_opcode(event.header.opcode));
    return name;
}

std::string class_event_name(const decode::DecodedEvent& event) {
    if (event.header.provider == format::image_id_guid) {
        const auto known =
            std::ranges::find(image_id_names, event.header.opcode, &ImageIdName::type);
        if (known != std::end(image_id_names)) {
            return std::string(known->name);
        }
    }
    std::string name = event.kind->event.value_or("");
    constexpr std::string_view family = "IPV4"; // xperf leaves it out: TcpIp/Recv
    if (name.ends_with(family)) {
        name.resize(name.size() - family.size());
    }
    return name;
}

/// The heading of a field: with the members of a structure, and the count of an array.
void append_heading(std::string& to, const schema::EventSchema& schema, std::uint16_t index) {
    const schema::Field& field = schema.fields[index];
    append_cell_text(to, field.name);
    if (field.count.kind == schema::Extent::Kind::field &&
        field.count.value < schema.fields.size()) {
        to.push_back('[');
        append_cell_text(to, schema.fields[field.count.value].name);
        to.push_back(']');
    }
    if (field.members == 0) {
        return;
    }
    to.append(" {");
    const std::size_t end =
        std::min<std::size_t>(index + std::size_t{1} + field.members, schema.fields.size());
    for (std::size_t i = index + std::size_t{1}; i < end; i += 1U + schema.fields[i].members) {
        to.append(i == index + std::size_t{1} ? "" : "; ");
        append_cell_text(to, schema.fields[i].name);
    }
    to.push_back('}');
}

void add_fields(Line& line, const decode::DecodedEvent& event, std::uint16_t omitted) {
    const schema::EventSchema& schema = *event.kind->schema;
    line.schema = ",  TimeStamp,     Process Name ( PID),   ThreadID, CPU";
    if (line.is_event) {
        line.schema += ", etw:ActivityId, etw:Related ActivityId, etw:UserSid, etw:SessionId";
    }
    for (const std::uint16_t i : schema.top_level()) {
        if (i == omitted) {
            continue;
        }
        line.schema += ", ";
        const std::size_t before = line.schema.size();
        append_heading(line.schema, schema, i);
        line.fields.push_back(i);
        line.widths.push_back(static_cast<std::uint16_t>(
            std::min<std::size_t>(line.schema.size() - before, name_width)));
    }
}

void add_columns(Line& line, const schema::EventSchema& schema) {
    const Kind& kind = kinds()[line.kind];
    for (const DumpColumn& column : kind.columns) {
        line.first.push_back(field_named(schema, column.field));
        line.second.push_back(field_named(schema, column.other));
    }
    line.process = field_named(schema, kind.process_field);
    line.thread = field_named(schema, kind.thread_field);
}

Line line_of(const decode::DecodedEvent& event) {
    Line line;
    const auto hook = flow::kernel_hook_of(*event.event);
    const unsigned group = hook ? *hook >> 8U : 0xFFU;
    line.is_event = format::is_event(event.event->kind);
    line.kind = line.is_event ? unknown_crimson : unknown_classic;
    if (flow::is_logfile_header(*event.event) || group == stack_group) {
        line.form = Line::Form::silent;
        return line;
    }
    const schema::EventSchema* const schema = event.kind->schema;
    const std::uint8_t known = hook ? kind_of_hook(*hook) : no_kind;
    const bool is_message = format::is_message(event.event->kind);
    if (schema == nullptr || is_message || group == event_trace_group) {
        return line;
    }
    if (known != no_kind) {
        line.form = Line::Form::known;
        line.kind = known;
        add_columns(line, *schema);
        return line;
    }
    line.name = line.is_event ? event_name_of(event) : class_event_name(event);
    if (line.name.empty()) {
        return line;
    }
    line.form = Line::Form::fields;
    const bool is_network = group == tcp_group || group == udp_group;
    add_fields(line, event, is_network ? field_named(*schema, "PID") : no_field);
    return line;
}

} // namespace

void append_name(std::string& to, std::string_view name) {
    std::string clean;
    append_cell_text(clean, name);
    append_padded(to, clean, name_width);
}

std::string schema_of(const Kind& kind, ShownColumns shown, bool is_64_bit) {
    std::string line;
    append_name(line, kind.name);
    line += ",  TimeStamp";
    for (const DumpColumn& column : kind.columns) {
        if (!shown.has(column)) {
            continue;
        }
        line += ", ";
        append_padded(line, column.heading, width_of(column, is_64_bit));
    }
    return line;
}

const Line& Lines::make(const decode::DecodedEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        lines_.clear();
        generation_ = generation;
    }
    const std::uint32_t number = event.kind->number;
    if (number >= lines_.size()) {
        lines_.resize(number + std::size_t{1});
    }
    lines_[number] = std::make_unique<Line>(line_of(event));
    return *lines_[number];
}

namespace {

using decode::Form;
using decode::Step;

bool is_text(const decode::Value& value) noexcept {
    return value.form == Form::text16 || value.form == Form::text8 || value.form == Form::utf8;
}

} // namespace

bool FieldTexts::append(std::string& to, const decode::DecodedEvent& event, const Line& line) {
    if (event.problem != nullptr || !event.kind->problem.empty()) {
        return false;
    }
    const std::size_t before = to.size();
    options_ = decode::options_for({}, event);
    walker_.start(event.kind->plan, event.body);
    arrays_ = 0;
    depth_ = 0;
    std::size_t next = 0; // of line.fields
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (depth_ == 0) {
            cell_.clear();
        }
        add(step, *event.kind->schema);
        if (depth_ == 0 && next < line.fields.size() && line.fields[next] == walker_.field()) {
            to.append(", ");
            append_padded(to, cell_, line.widths[next]);
            ++next;
        }
    }
    const bool is_good = !walker_.failed() && !walker_.is_short();
    if (!is_good) {
        to.resize(before);
    }
    return is_good;
}

void FieldTexts::add(Step step, const schema::EventSchema& schema) {
    switch (step) {
    case Step::value:
        begin_value(schema);
        add_value();
        break;
    case Step::array_begin:
    case Step::struct_begin:
        begin_value(schema);
        cell_.push_back(step == Step::array_begin ? '[' : '{');
        arrays_ = arrays_ << 1U | (step == Step::array_begin ? 1U : 0U);
        ++depth_;
        break;
    case Step::array_end:
    case Step::struct_end:
        cell_.push_back(step == Step::array_end ? ']' : '}');
        arrays_ >>= 1U;
        --depth_;
        break;
    case Step::end:
        break;
    }
}

void FieldTexts::begin_value(const schema::EventSchema& schema) {
    if (depth_ == 0) {
        return;
    }
    if (cell_.back() != '[' && cell_.back() != '{') {
        cell_.append("; ");
    }
    if ((arrays_ & 1U) == 0) {
        append_cell_text(cell_, schema.fields[walker_.field()].name);
        cell_.append(" : ");
    }
}

void FieldTexts::add_value() {
    const decode::Value value = walker_.value();
    plain_.clear();
    decode::append_display(plain_, value, options_);
    if (is_text(value)) {
        append_quoted(cell_, plain_);
    } else {
        append_cell_text(cell_, plain_);
    }
}

} // namespace etl::dumper
