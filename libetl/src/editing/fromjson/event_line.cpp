#include "fromjson/event_line.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/limits.hpp"
#include "fromjson/limits.hpp"
#include "fromjson/member_values.hpp"

#include <algorithm>
#include <array>

namespace etl::fromjson {

namespace {

/// What members of a line are read into.
struct Target {
    EventLine& line;
    std::vector<JsonValue>& nested; // arrays and objects, by Nested::number - 1
};

/// Null: fine; else what is wrong with the value.
using Take = const char* (*)(const JsonValue& value, Target to);

template <auto member>
const char* number(const JsonValue& value, Target to) {
    return read_number(value, to.line.*member);
}

template <auto member>
const char* id(const JsonValue& value, Target to) {
    return read_id(value, to.line.*member);
}

template <auto member>
const char* text(const JsonValue& value, Target to) {
    return read_text(value, to.line.*member);
}

template <auto member>
const char* guid_member(const JsonValue& value, Target to) {
    return read_guid(value, to.line.*member);
}

template <auto member, JsonType type>
const char* nested(const JsonValue& value, Target to) {
    if (value.is_null()) {
        return nullptr;
    }
    if (value.type() != type) {
        return type == JsonType::ARRAY ? "not an array" : "not an object";
    }
    to.nested.push_back(value);
    (to.line.*member).number = static_cast<std::uint32_t>(to.nested.size());
    return nullptr;
}

template <auto member>
constexpr Take object = nested<member, JsonType::OBJECT>;
template <auto member>
constexpr Take array = nested<member, JsonType::ARRAY>;

const char* cpu(const JsonValue& value, Target to) {
    static_assert(etl::limits::processors == 2048);
    const char* const problem = read_number(value, to.line.cpu);
    return problem != nullptr || to.line.cpu >= etl::limits::processors
               ? "not a number from 0 to 2047"
               : nullptr;
}

const char* keyword(const JsonValue& value, Target to) {
    return read_bits(value, to.line.keyword);
}

const char* is_short(const JsonValue& value, Target to) {
    return read_boolean(value, to.line.is_short);
}

const char* decode_error(const JsonValue& value, Target to) {
    to.line.contradicts_schema = !value.is_null();
    return nullptr;
}

const char* time(const JsonValue& value, Target to) {
    to.line.time_is_null = value.is_null();
    return read_text(value, to.line.time);
}

const char* wpp(const JsonValue& value, Target to) {
    to.line.is_wpp = !value.is_null();
    return nullptr;
}

const char* raw_time(const JsonValue& value, Target to) {
    to.line.raw_time_is_null = value.is_null();
    return read_number(value, to.line.raw_time);
}

const char* kind(const JsonValue& value, Target to) {
    return read_kind(value, to.line.header);
}

// What other keys say already, or what no record holds.
const char* ignored(const JsonValue&, Target) {
    return nullptr;
}

struct Key {
    std::string_view name;
    Take take;
};

/// In the order in which a dump writes them.
constexpr auto keys = std::to_array<Key>({
    {"time", time},
    {"cpu", cpu},
    {"pid", id<&EventLine::pid>},
    {"tid", id<&EventLine::tid>},
    {"process", ignored},
    {"trace", ignored},
    {"file", ignored},
    {"machine", ignored},
    {"boot", ignored},
    {"provider", text<&EventLine::provider>},
    {"provider_guid", guid_member<&EventLine::provider_guid>},
    {"id", number<&EventLine::id>},
    {"version", number<&EventLine::version>},
    {"channel", number<&EventLine::channel>},
    {"level", number<&EventLine::level>},
    {"opcode", number<&EventLine::opcode>},
    {"task", number<&EventLine::task>},
    {"keyword", keyword},
    {"event", text<&EventLine::event>},
    {"task_name", ignored},
    {"opcode_name", ignored},
    {"level_name", ignored},
    {"channel_name", ignored},
    {"qualifiers", ignored},
    {"computer", ignored},
    {"keywords", ignored},
    {"activity_id", guid_member<&EventLine::activity_id>},
    {"related_activity_id", guid_member<&EventLine::related_activity_id>},
    {"user", ignored},
    {"record_id", ignored},
    {"source", text<&EventLine::source>},
    {"schema_from", ignored},
    {"wpp", wpp},
    {"data", object<&EventLine::data>},
    {"trailing", text<&EventLine::trailing>},
    {"short", is_short},
    {"message", ignored},
    {"stack", array<&EventLine::stack>},
    {"frames", ignored},
    {"enriched", ignored},
    {"ext", object<&EventLine::ext>},
    {"payload", text<&EventLine::payload>},
    {"decode_error", decode_error},
    {"decode_note", ignored},
    {"raw_time", raw_time},
    {"header", kind},
    {"buffer", number<&EventLine::buffer>},
    {"offset", ignored},
    {"flags", number<&EventLine::flags>},
    {"kernel_time", number<&EventLine::kernel_time>},
    {"user_time", number<&EventLine::user_time>},
    {"cpu_time", number<&EventLine::cpu_time>},
    {"event_property", number<&EventLine::event_property>},
    {"hook_id", number<&EventLine::hook_id>},
    {"message_flags", number<&EventLine::message_flags>},
    {"items", array<&EventLine::items>},
    {"header_bytes", text<&EventLine::header_bytes>},
    {"fields", array<&EventLine::fields>},
    {"event_tags", number<&EventLine::event_tags>},
    {"traits", object<&EventLine::traits>},
});

/// Finds keys that mostly come in the order of the contract.
class KeyFinder {
public:
    /// Null: no key.
    const Key* find(std::string_view name) noexcept {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::size_t at = next_ + i < keys.size() ? next_ + i : next_ + i - keys.size();
            if (keys[at].name == name) {
                next_ = at + 1;
                return &keys[at];
            }
        }
        return nullptr;
    }

private:
    std::size_t next_ = 0;
};

constexpr std::size_t max_unknown_keys = 16;
constexpr std::size_t max_unknown_key = 64;

} // namespace

struct EventLineReader::Json {
    simdjson::dom::parser parser{etl::fromjson::limits::json_line_bytes};
    std::vector<JsonValue> nested;
};

EventLineReader::EventLineReader() : json_(std::make_unique<Json>()) {
    // The depth is what counts; want of memory shows again at the first line.
    [[maybe_unused]] const auto code =
        json_->parser.allocate(format::limits::metadata_bytes, etl::fromjson::limits::json_depth);
}

EventLineReader::~EventLineReader() = default;

LineResult<const EventLine*> EventLineReader::read(std::string_view line) {
    line_ = {};
    json_->nested.clear();
    if (line.size() > etl::fromjson::limits::json_line_bytes) {
        return std::unexpected(LineError{"", "line too long"});
    }
    const auto parsed = json_->parser.parse(line.data(), line.size(), false);
    if (parsed.error() != simdjson::SUCCESS) {
        return std::unexpected(LineError{"", why_no_json(parsed.error())});
    }
    const auto object = parsed.value_unsafe().get_object();
    if (object.error() != simdjson::SUCCESS) {
        return std::unexpected(LineError{"", "not a JSON object"});
    }
    KeyFinder finder;
    for (const auto member : simdjson::dom::object(object.value_unsafe())) {
        const Key* const key = finder.find(member.key);
        if (key == nullptr) {
            remember_unknown(member.key);
        } else if (const char* const problem = key->take(member.value, {line_, json_->nested})) {
            return std::unexpected(LineError{std::string(member.key), problem});
        }
    }
    return &line_;
}

void EventLineReader::remember_unknown(std::string_view name) {
    name = name.substr(0, max_unknown_key);
    if (unknown_keys_.size() < max_unknown_keys &&
        std::ranges::find(unknown_keys_, name) == unknown_keys_.end()) {
        unknown_keys_.emplace_back(name);
    }
}

void EventLineReader::append(Nested nested, std::vector<etl::encode::InputValue>& to) const {
    append_given(json_->nested[nested.number - 1], decode::limits::values_per_event, to);
}

std::optional<std::string_view> kernel_class_in(std::string_view provider) {
    // Windows lists the same provider by these names.
    constexpr std::string_view others[] = {"Windows Kernel Trace", "NT Kernel Logger"};
    constexpr std::string_view own = etl::format::system_trace_name;
    const bool is_other = std::ranges::any_of(
        others, [&](std::string_view name) { return etl::equals_ignoring_case(provider, name); });
    if (is_other || etl::equals_ignoring_case(provider, own)) {
        return std::string_view();
    }
    const bool has_class = provider.size() > own.size() && provider[own.size()] == '/' &&
                           etl::equals_ignoring_case(provider.substr(0, own.size()), own);
    return has_class ? std::optional(provider.substr(own.size() + 1)) : std::nullopt;
}

std::optional<std::string> class_event_name(const EventLine& line) {
    if (!line.event) {
        return std::nullopt;
    }
    std::string name(*line.event);
    const std::string_view kernel_class =
        line.provider ? kernel_class_in(*line.provider).value_or("") : "";
    if (kernel_class.empty()) {
        return name;
    }
    const std::string prefix = std::string(kernel_class) + "/";
    if (!name.contains('/')) {
        return name.insert(0, prefix);
    }
    return etl::equals_ignoring_case(name.substr(0, prefix.size()), prefix) ? std::optional(name)
                                                                            : std::nullopt;
}

} // namespace etl::fromjson
