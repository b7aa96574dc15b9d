#include "capi/handles.hpp"
#include "view/field_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace etl;
using namespace etl::capi;

namespace {

using decode::Form;
using Node = FieldTable::Node;
using Kind = FieldTable::Kind;

const Node* node_of(const etl_field& field) noexcept {
    return static_cast<const Node*>(field.node);
}

/// The field at a node of a structure or array that ends at `end`; missing: there is none.
etl_field field_at(etl_event* event, const Node* node, const Node* end) noexcept {
    return node != nullptr && node < end ? etl_field{event, node, end} : etl_field{};
}

etl_field find(etl_event* event, const Node* node, const Node* end, std::string_view name) {
    const FieldTable& table = Access::table(*event->event);
    while (node < end && table.name(*node) != name) {
        node += node->span;
    }
    return field_at(event, node, end);
}

FieldIterator iterator_of(const etl_field& field) {
    return field.node == nullptr
               ? FieldIterator()
               : FieldIterator(Access::table(*field.event->event), node_of(field));
}

bool is_time(const decode::Value& value) noexcept {
    return value.form == Form::systemtime
               ? value.bytes.size() == 16 && decode::systemtime_of(value)
               : (value.form == Form::filetime || value.form == Form::ticks) &&
                     value.bytes.size() == sizeof(std::int64_t);
}

bool is_text(Form form) noexcept {
    return form == Form::text16 || form == Form::text8 || form == Form::utf8 ||
           form == Form::char8 || form == Form::char16;
}

bool is_address(Form form) noexcept {
    return form == Form::ipv4 || form == Form::ipv6 || form == Form::socket_address ||
           form == Form::mac_address || form == Form::padded_mac_address;
}

/// A SYSTEMTIME that was not set.
bool is_unset(const decode::Value& value) noexcept {
    return value.form == Form::systemtime &&
           std::ranges::all_of(value.bytes, [](std::byte byte) { return byte == std::byte{}; });
}

/// Values of other sizes than their form has, and times that are none, are bytes.
std::uint32_t type_of(const decode::Value& value) noexcept {
    const Form form = value.form;
    return form == Form::null || is_unset(value)                      ? ETL_TYPE_NULL
           : schema::is_signed(form)                                  ? ETL_TYPE_SIGNED
           : schema::is_integer(form) || form == Form::port           ? ETL_TYPE_UNSIGNED
           : is_text(form)                                            ? ETL_TYPE_TEXT
           : form == Form::boolean                                    ? ETL_TYPE_BOOL
           : form == Form::float32 || form == Form::float64           ? ETL_TYPE_DOUBLE
           : is_time(value)                                           ? ETL_TYPE_TIME
           : form == Form::guid && value.bytes.size() == sizeof(Guid) ? ETL_TYPE_GUID
           : form == Form::sid                                        ? ETL_TYPE_SID
           : is_address(form)                                         ? ETL_TYPE_ADDRESS
                                                                      : ETL_TYPE_BYTES;
}

std::uint32_t type_of(const Field& field) noexcept {
    if (field.is_value()) {
        return type_of(Access::value(field));
    }
    return !field ? ETL_TYPE_MISSING : field.is_array() ? ETL_TYPE_ARRAY : ETL_TYPE_STRUCT;
}

/// As what a message has found: `found text`.
const char* name_of_type(std::uint32_t type) noexcept {
    static constexpr std::array<const char*, ETL_TYPE_STRUCT + 1> names{
        "no field",   "no value",   "a Boolean",
        "an integer", "an integer", "a floating-point number",
        "text",       "a GUID",     "a time",
        "bytes",      "an address", "a SID",
        "an array",   "a structure"};
    return names[type];
}

etl_text text_of_field(etl_event* event, const Field& field) {
    std::string& text = event->texts.add();
    field.append_text(text);
    return text_of(text);
}

/// As guarded_in(), of a field, which exists.
template <typename Call>
etl_status guarded_field(const etl_field& field, etl_error** error, Call&& call) noexcept {
    if (field.node == nullptr) {
        return guarded(error, []() -> Outcome {
            return failed(ETL_NOT_FOUND, "not found: a field of this name");
        });
    }
    return guarded_in(field.event, error, std::forward<Call>(call));
}

/// Converts a field by as<T>().
template <typename T, typename To>
etl_status convert(const etl_field& field, etl_error** error, To&& to) noexcept {
    return guarded_field(field, error, [&]() -> Outcome {
        const FieldIterator at = iterator_of(field);
        const auto value = at->as<T>();
        if (value) {
            to(*value);
            return ETL_OK;
        }
        auto failure = failed(value.error());
        if (value.error().code == ErrorCode::invalid_option) {
            failure.error().status = ETL_WRONG_TYPE;
            failure.error().message = fmt::format("{}: {}, found {}", at->name(),
                                                  value.error().what, name_of_type(type_of(*at)));
        } else if (value.error().code == ErrorCode::limit) {
            failure.error().message = fmt::format("{}: {}", at->name(), value.error().what);
        }
        return failure;
    });
}

void fill(etl_event* event, const Field& field, etl_value& to) {
    to.type = type_of(field);
    switch (to.type) {
    case ETL_TYPE_BOOL:
        to.as.boolean = field.as<bool>().value_or(false);
        break;
    case ETL_TYPE_UNSIGNED:
        to.as.number = field.as<std::uint64_t>().value_or(0);
        break;
    case ETL_TYPE_SIGNED:
        to.as.integer = field.as<std::int64_t>().value_or(0);
        break;
    case ETL_TYPE_DOUBLE:
        to.as.floating = field.as<double>().value_or(0);
        break;
    case ETL_TYPE_GUID:
        to.as.guid = guid_of(field.as<Guid>().value_or(Guid{}));
        break;
    case ETL_TYPE_TIME:
        to.as.time = field.as<Filetime>().value_or(Filetime{}).ticks;
        break;
    case ETL_TYPE_BYTES:
        to.as.bytes = bytes_of(Access::value(field).bytes);
        break;
    case ETL_TYPE_ARRAY:
    case ETL_TYPE_STRUCT:
        to.as.count = field.size();
        break;
    case ETL_TYPE_NULL:
        break;
    default:
        to.as.text = text_of_field(event, field);
        break;
    }
}

} // namespace

etl_field etl_event_fields(etl_event* event) {
    return viewed(event, [&](const Event& of) {
        return field_at(event, Access::table(of).begin(), Access::table(of).end());
    });
}

etl_field etl_event_field(etl_event* event, const char* name) {
    return viewed(event, [&](const Event& of) {
        return find(event, Access::table(of).begin(), Access::table(of).end(), view_of(name));
    });
}

etl_field etl_field_next(etl_field field) {
    const Node* const node = node_of(field);
    return node == nullptr
               ? etl_field{}
               : field_at(field.event, node + node->span, static_cast<const Node*>(field.end));
}

etl_field etl_field_first(etl_field field) {
    const Node* const node = node_of(field);
    return node == nullptr ? etl_field{} : field_at(field.event, node + 1, node + node->span);
}

etl_field etl_field_at(etl_field field, size_t index) {
    const Node* const node = node_of(field);
    if (node == nullptr || index >= node->span) {
        return {};
    }
    const Node* const end = node + node->span;
    const Node* at = node + 1;
    if (node->kind == Kind::array && at < end && at->kind == Kind::value) {
        return field_at(field.event, at + index, end);
    }
    for (; at < end && index > 0; --index) {
        at += at->span;
    }
    return field_at(field.event, at, end);
}

etl_field etl_field_member(etl_field field, const char* name) {
    const Node* const node = node_of(field);
    if (node == nullptr || node->kind != Kind::structure) {
        return {};
    }
    return viewed(field.event, [&](const Event&) {
        return find(field.event, node + 1, node + node->span, view_of(name));
    });
}

size_t etl_field_size(etl_field field) {
    return field.node == nullptr
               ? 0
               : viewed(field.event, [&](const Event&) { return iterator_of(field)->size(); });
}

etl_text etl_field_name(etl_field field) {
    return field.node == nullptr ? text_of({}) : viewed(field.event, [&](const Event& of) {
        return text_of(Access::table(of).name(*node_of(field)));
    });
}

uint32_t etl_field_type(etl_field field) {
    if (field.node == nullptr) {
        return ETL_TYPE_MISSING;
    }
    return viewed(field.event, [&](const Event&) { return type_of(*iterator_of(field)); });
}

etl_text etl_field_text(etl_field field) {
    return field.node == nullptr ? text_of({}) : viewed(field.event, [&](const Event&) {
        return text_of_field(field.event, *iterator_of(field));
    });
}

etl_status etl_field_value(etl_field field, etl_value* value, etl_error** error) {
    *value = {};
    return guarded_field(field, error, [&]() -> Outcome {
        fill(field.event, *iterator_of(field), *value);
        return ETL_OK;
    });
}

etl_status etl_field_unsigned(etl_field field, uint64_t* value, etl_error** error) {
    return convert<std::uint64_t>(field, error, [&](std::uint64_t number) { *value = number; });
}

etl_status etl_field_signed(etl_field field, int64_t* value, etl_error** error) {
    return convert<std::int64_t>(field, error, [&](std::int64_t number) { *value = number; });
}

etl_status etl_field_double(etl_field field, double* value, etl_error** error) {
    return convert<double>(field, error, [&](double number) { *value = number; });
}

etl_status etl_field_guid(etl_field field, etl_guid* value, etl_error** error) {
    return convert<Guid>(field, error, [&](const Guid& guid) { *value = guid_of(guid); });
}

etl_status etl_field_time(etl_field field, int64_t* value, etl_error** error) {
    return convert<Filetime>(field, error, [&](Filetime time) { *value = time.ticks; });
}

etl_status etl_field_bytes(etl_field field, etl_bytes* value, etl_error** error) {
    return convert<Bytes>(field, error, [&](Bytes bytes) { *value = bytes_of(bytes); });
}
