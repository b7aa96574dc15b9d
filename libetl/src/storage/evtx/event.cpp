#include "evtx/event.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace etl::evtx {

namespace {

template <typename T>
std::optional<T> number_of(const Value& value) noexcept {
    const auto number = to_number(value);
    return number && *number <= std::numeric_limits<T>::max()
               ? std::optional(static_cast<T>(*number))
               : std::nullopt;
}

PayloadKind payload_kind(Bytes name) noexcept {
    struct Kind {
        std::string_view name;
        PayloadKind kind;
    };

    constexpr std::array<Kind, 5> kinds{
        {{"EventData", PayloadKind::event_data},
         {"UserData", PayloadKind::user_data},
         {"DebugData", PayloadKind::debug_data},
         {"BinaryEventData", PayloadKind::binary_event_data},
         {"ProcessingErrorData", PayloadKind::processing_error_data}}};
    for (const Kind& kind : kinds) {
        if (equals(name, kind.name)) {
            return kind.kind;
        }
    }
    return PayloadKind::other;
}

} // namespace

/// One event: a walk over its nodes.
class EventReader::Parse {
public:
    Parse(EventReader& reader, std::span<const Node> nodes)
        : reader_(reader), event_(reader.event_), nodes_(nodes) {}

    bool run() {
        if (nodes_.empty() || !equals(nodes_[0].name, "Event")) {
            return false;
        }
        ++at_;
        skip_attributes();
        while (at_ < nodes_.size() && nodes_[at_].kind != NodeKind::end) {
            if (nodes_[at_].kind != NodeKind::element) {
                ++at_;
            } else if (equals(nodes_[at_].name, "System")) {
                system();
            } else if (event_.payload == PayloadKind::none &&
                       !equals(nodes_[at_].name, "RenderingInfo")) {
                payload();
            } else {
                skip_element();
            }
        }
        return true;
    }

private:
    bool is(NodeKind kind) const noexcept {
        return at_ < nodes_.size() && nodes_[at_].kind == kind;
    }

    void skip_attributes() {
        while (is(NodeKind::attribute) || is(NodeKind::attribute_value)) {
            ++at_;
        }
    }

    void skip_element() {
        std::size_t open = 0;
        do {
            open += is(NodeKind::element) ? 1U : 0U;
            open -= is(NodeKind::end) ? 1U : 0U;
            ++at_;
        } while (open > 0 && at_ < nodes_.size());
    }

    /// The value of the nodes of this kind that come next: several as one text.
    Value joined(NodeKind kind) {
        from_ = {};
        if (!is(kind)) {
            return {};
        }
        from_ = nodes_[at_].from;
        const Value first = nodes_[at_++].value;
        if (!is(kind)) {
            return first;
        }
        --at_;
        std::string text;
        for (; is(kind); ++at_) {
            append_text(text, nodes_[at_].value);
            from_ = {.instance = std::max(from_.instance, nodes_[at_].from.instance),
                     .is_part = true};
        }
        std::vector<std::byte>& units = reader_.joined_.emplace_back(text.size() * 2);
        const std::byte* const end = put_utf16le(units.data(), text);
        units.resize(static_cast<std::size_t>(end - units.data()));
        return {ValueType::string, false, units};
    }

    void system() {
        ++at_;
        skip_attributes();
        while (is(NodeKind::element)) {
            const Bytes name = nodes_[at_++].name;
            while (is(NodeKind::attribute)) {
                const Bytes attribute = nodes_[at_++].name;
                system_attribute(name, attribute, joined(NodeKind::attribute_value));
                event_.system_instance = std::max(event_.system_instance, from_.instance);
            }
            const Value content = joined(NodeKind::value);
            event_.system_instance = std::max(event_.system_instance, from_.instance);
            system_element(name, content);
            while (at_ < nodes_.size() && !is(NodeKind::end)) {
                is(NodeKind::element) ? skip_element() : static_cast<void>(++at_);
            }
            ++at_;
        }
        while (at_ < nodes_.size() && !is(NodeKind::end)) {
            ++at_;
        }
        ++at_;
    }

    void system_element(Bytes name, const Value& value) {
        if (equals(name, "EventID")) {
            event_.id = number_of<std::uint32_t>(value).value_or(0);
        } else if (equals(name, "Version")) {
            event_.version = number_of<std::uint8_t>(value).value_or(0);
        } else if (equals(name, "Level")) {
            event_.level = number_of<std::uint8_t>(value).value_or(0);
        } else if (equals(name, "Task")) {
            event_.task = number_of<std::uint16_t>(value).value_or(0);
        } else if (equals(name, "Opcode")) {
            event_.opcode = number_of<std::uint8_t>(value).value_or(0);
        } else if (equals(name, "Keywords")) {
            event_.keywords = to_number(value).value_or(0);
        } else if (equals(name, "EventRecordID")) {
            event_.record_id = to_number(value).value_or(event_.record_id);
        } else if (equals(name, "Channel")) {
            append_text(event_.channel, value);
        } else if (equals(name, "Computer")) {
            append_text(event_.computer, value);
        }
    }

    void system_attribute(Bytes element, Bytes name, const Value& value) {
        if (equals(element, "Provider")) {
            if (equals(name, "Name")) {
                append_text(event_.provider, value);
            } else if (equals(name, "Guid")) {
                event_.provider_guid = to_guid(value);
            } else if (equals(name, "EventSourceName")) {
                append_text(event_.event_source, value);
            }
        } else if (equals(element, "EventID") && equals(name, "Qualifiers")) {
            event_.qualifiers = number_of<std::uint16_t>(value);
        } else if (equals(element, "TimeCreated") && equals(name, "SystemTime")) {
            event_.time = to_time(value);
        } else if (equals(element, "Correlation")) {
            if (equals(name, "ActivityID")) {
                event_.activity = to_guid(value);
            } else if (equals(name, "RelatedActivityID")) {
                event_.related_activity = to_guid(value);
            }
        } else if (equals(element, "Execution")) {
            execution_attribute(name, value);
        } else if (equals(element, "Security") && equals(name, "UserID")) {
            append_text(event_.user, value);
            event_.user_sid = value.type == ValueType::sid ? value.data : Bytes{};
        }
    }

    void execution_attribute(Bytes name, const Value& value) {
        if (equals(name, "ProcessID")) {
            event_.process_id = number_of<std::uint32_t>(value);
        } else if (equals(name, "ThreadID")) {
            event_.thread_id = number_of<std::uint32_t>(value);
        } else if (equals(name, "ProcessorID")) {
            event_.processor = number_of<std::uint32_t>(value);
        } else if (equals(name, "SessionID")) {
            event_.session = number_of<std::uint32_t>(value);
        } else if (equals(name, "KernelTime")) {
            event_.kernel_time = number_of<std::uint32_t>(value);
        } else if (equals(name, "UserTime")) {
            event_.user_time = number_of<std::uint32_t>(value);
        } else if (equals(name, "ProcessorTime")) {
            event_.processor_time = to_number(value);
        }
    }

    void payload() {
        event_.payload = payload_kind(nodes_[at_++].name);
        while (is(NodeKind::attribute)) {
            const Bytes name = nodes_[at_++].name;
            const Value value = joined(NodeKind::attribute_value);
            if (equals(name, "Name") && event_.payload != PayloadKind::user_data) {
                append_text(event_.payload_name, value);
            }
        }
        constexpr unsigned depth = 0; // of the fields
        if (event_.payload == PayloadKind::user_data && is(NodeKind::element)) {
            append_utf16le(event_.payload_name, nodes_[at_++].name);
            attributes(depth);
            fields(depth);
            ++at_;
        }
        fields(depth);
        ++at_;
    }

    Field& add_field(Bytes name, unsigned depth) {
        std::vector<Field>& fields = reader_.fields_;
        if (reader_.used_fields_ == fields.size()) {
            fields.emplace_back();
        }
        Field& field = fields[reader_.used_fields_++];
        field.name.clear();
        append_text(field.name, {ValueType::string, false, name});
        field.depth = depth;
        field.is_structure = false;
        field.value = {};
        field.is_attribute = false;
        field.from = {};
        return field;
    }

    /// Attributes of an element in UserData as fields. Returns whether there were any.
    bool attributes(unsigned depth) {
        const std::size_t before = reader_.used_fields_;
        while (is(NodeKind::attribute)) {
            const Bytes name = nodes_[at_++].name;
            const Value value = joined(NodeKind::attribute_value);
            Field& field = add_field(name, depth);
            field.value = value;
            field.is_attribute = true;
            field.from = from_;
        }
        return reader_.used_fields_ != before;
    }

    /// The content of an element, up to its end.
    void fields(unsigned depth) {
        while (at_ < nodes_.size() && !is(NodeKind::end)) {
            if (is(NodeKind::element)) {
                field(depth);
            } else {
                const Value text = joined(NodeKind::value);
                const bool is_shown =
                    reader_.null_parts_ == NullParts::shown && from_.instance != 0;
                if (!is_blank(text) || is_shown) {
                    Field& field = add_field({}, depth);
                    field.value = text;
                    field.from = from_;
                }
            }
        }
    }

    static bool is_blank(const Value& value) {
        return value.is_null() || (value.type == ValueType::string && value.data.empty());
    }

    void field(unsigned depth) {
        const std::size_t index = reader_.used_fields_;
        const Bytes element = nodes_[at_++].name;
        const bool is_data = equals(element, "Data") || equals(element, "ComplexData");
        add_field(is_data ? Bytes{} : element, depth);
        if (event_.payload == PayloadKind::user_data && !is_data && attributes(depth + 1)) {
            reader_.fields_[index].is_structure = true;
            fields(depth + 1);
            ++at_;
            return;
        }
        while (is(NodeKind::attribute)) {
            const Bytes name = nodes_[at_++].name;
            const Value value = joined(NodeKind::attribute_value);
            if (is_data && equals(name, "Name")) {
                reader_.fields_[index].name.clear();
                append_text(reader_.fields_[index].name, value);
            }
        }
        if (is(NodeKind::value) || is(NodeKind::end)) {
            reader_.fields_[index].value = joined(NodeKind::value);
            reader_.fields_[index].from = from_;
        }
        if (is(NodeKind::element)) {
            reader_.fields_[index].is_structure = true;
            fields(depth + 1);
        }
        ++at_;
    }

    EventReader& reader_;
    Event& event_;
    std::span<const Node> nodes_;
    std::size_t at_ = 0;
    Substitution from_{}; // of the last joined()
};

namespace {

/// Clears an event but keeps the memory of its strings.
void clear(Event& event) {
    Event fresh;
    for (std::string Event::* const member :
         {&Event::provider, &Event::event_source, &Event::channel, &Event::computer, &Event::user,
          &Event::payload_name}) {
        (event.*member).clear();
        (fresh.*member).swap(event.*member);
    }
    event = std::move(fresh);
}

} // namespace

Result<const Event*> EventReader::read(const Record& record) {
    const auto nodes = nodes_.read(record);
    if (!nodes) {
        return std::unexpected(nodes.error());
    }
    clear(event_);
    event_.record_id = record.id;
    used_fields_ = 0;
    joined_.clear();
    if (!Parse(*this, *nodes).run()) {
        return fail(ErrorCode::malformed, "root of an event", record.where);
    }
    event_.fields = std::span<const Field>(fields_).first(used_fields_);
    return &event_;
}

} // namespace etl::evtx
