#include "sink/event_log.hpp"

#include "decode/message_text.hpp"
#include "evtx/event.hpp"
#include "sink/log/log_shapes.hpp"
#include "sink/log/log_user_data.hpp"
#include "sink/log/log_values.hpp"
#include "sink/selection.hpp"
#include "sink/windows/xml_elements.hpp"
#include "sink/windows_event.hpp"

#include <optional>

namespace etl::sink {

// The System element of an event for an event log. docs/output.md#evtx

/// Sets everything except strings; the SID remains a view.
inline void set_properties(evtx::Event& to, const WindowsSystem& from) {
    const auto id_of = [](std::uint32_t id) {
        return id == flow::no_id ? std::nullopt : std::optional(id);
    };
    to.id = from.id;
    to.qualifiers = from.qualifiers;
    to.version = from.version;
    to.level = from.level;
    to.task = from.task;
    to.opcode = from.opcode;
    to.keywords = from.keywords;
    to.time = from.time;
    to.record_id = from.record_id.value_or(0);
    to.activity = from.activity.is_zero() ? std::nullopt : std::optional(from.activity);
    to.related_activity = from.related_activity;
    to.process_id = id_of(from.process_id);
    to.thread_id = id_of(from.thread_id);
    to.processor = from.processor;
    to.session = from.session_id;
    to.kernel_time = from.kernel_time;
    to.user_time = from.user_time;
    to.processor_time = from.processor_time;
    to.user_sid = from.user_sid;
}

namespace {

using evtx::PayloadKind;
using format::LogPayload;

PayloadKind kind_of(LogPayload payload) noexcept {
    static_assert(static_cast<int>(LogPayload::other) == static_cast<int>(PayloadKind::other) &&
                  static_cast<int>(LogPayload::user_data) ==
                      static_cast<int>(PayloadKind::user_data));
    return static_cast<PayloadKind>(payload);
}

} // namespace

class EventLog::Mapping {
public:
    Mapping(Options options, EventLogOptions log)
        : options_(std::move(options)), log_(std::move(log)),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          model_({.computer = log_.computer}), display_(options_.display()),
          data_(log_.accept_short_payloads ? WindowsData::ShortPayloads::accepted
                                           : WindowsData::ShortPayloads::errors),
          message_(display_) {}

    const Options& options() const noexcept { return options_; }

    const EventLogOptions& log() const noexcept { return log_; }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    bool write(const flow::Event& event, std::string& to) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const WindowsEvent& it = model_.of(decoded);
        set_properties(event_, it.system);
        pack(to, it);
        errors_ += has_error_ ? 1U : 0U;
        return true;
    }

private:
    static constexpr std::size_t no_field = ~std::size_t{0};

    /// Strings and names of fields are needed only for a shape that is not known.
    void pack(std::string& to, const WindowsEvent& it) {
        const bool may_be_known = shapes_.begin(it.decoded->kind->number, decoder_.generation());
        if (may_be_known) {
            fields_.set_named(false);
            payload(it);
            const evtx::Shape* const shape =
                has_own_fields_ ? nullptr : shapes_.find(event_, sources_);
            fields_.set_named(true);
            if (shape != nullptr) [[likely]] {
                return evtx::pack(to, event_, *shape);
            }
        }
        names(it);
        payload(it);
        if (has_own_fields_) {
            evtx::pack(to, event_);
        } else {
            evtx::pack(to, event_, shapes_.add(event_, sources_));
        }
    }

    /// The strings, with the names of classic and of self-describing events.
    void names(const WindowsEvent& it) {
        const WindowsSystem& from = it.system;
        event_.provider = from.provider;
        event_.provider_guid = from.provider_guid;
        event_.event_source = from.event_source;
        event_.channel = from.channel;
        event_.computer = from.computer;
        event_.payload_name.clear();
        const decode::EventKind& kind = *it.decoded->kind;
        if (it.tracing) {
            const WindowsRendering rendering = it.rendering();
            event_.provider = rendering.provider;
            event_.event_source = rendering.event_name;
            event_.payload_name = kind.event ? std::string_view(*kind.event) : std::string_view();
        } else if (kind.is_self_describing() && kind.event) {
            event_.payload_name = kind.log ? std::string_view(kind.schema->event_name)
                                           : std::string_view(*kind.event);
        }
    }

    void payload(const WindowsEvent& it) {
        fields_.clear();
        sources_.clear();
        has_own_fields_ = has_error_ = false;
        bool has_values = true;
        switch (it.form) {
        case PayloadForm::none:
            event_.payload = PayloadKind::none;
            has_values = false;
            break;
        case PayloadForm::binary_event_data:
            event_.payload = PayloadKind::binary_event_data;
            fields_.add_binary({}, it.payload);
            has_values = false;
            break;
        case PayloadForm::processing_error:
            error(it.processing_error());
            has_values = false;
            break;
        case PayloadForm::debug_data:
            event_.payload = PayloadKind::debug_data;
            has_own_fields_ = true;
            debug_data(it);
            break;
        case PayloadForm::elements:
            event_.payload = kind_of(it.decoded->kind->log->payload);
            elements(it);
            break;
        case PayloadForm::user_data:
            if (user_data_.start(it, decoder_.generation())) {
                return user_data(it);
            }
            [[fallthrough]];
        case PayloadForm::event_data:
        case PayloadForm::string:
            event_.payload = PayloadKind::event_data;
            values(it);
            break;
        }
        check_values(has_values);
        event_.fields = fields_.list();
    }

    /// Replaces values that contradict their schema.
    bool check_values(bool has_values) {
        const auto problem = has_values ? data_.error() : std::nullopt;
        if (problem) [[unlikely]] {
            error(*problem);
        }
        return !problem;
    }

    decode::DisplayOptions display_of(const WindowsEvent& it) const noexcept {
        decode::DisplayOptions display = options_for(display_, *it.decoded);
        display.parameters = nullptr;
        return display;
    }

    void user_data(const WindowsEvent& it) {
        const decode::DisplayOptions display = display_of(it);
        const schema::Field* const schema = it.decoded->kind->schema->fields.data();
        event_.payload = PayloadKind::user_data;
        event_.payload_name = user_data_.root();
        WindowsDatum datum;
        for (data_.start(it); data_.next(datum);) {
            const schema::Field& field = schema[datum.field];
            user_data_.add(datum.field, by_in_type(datum.value, field.in_type), is_array(field),
                           display);
        }
        event_.fields = check_values(true) ? user_data_.list() : fields_.list();
    }

    /// An event of an event log: as it was.
    void elements(const WindowsEvent& it) {
        using decode::Step;
        namespaces_.use(*it.decoded->kind->log);
        const bool is_user_data = event_.payload == PayloadKind::user_data;
        if (is_user_data) {
            add_namespaces(0, 0);
        }
        const decode::DisplayOptions display = display_of(it);
        const schema::Field* const schema = it.decoded->kind->schema->fields.data();
        unsigned depth = 0;
        std::size_t array = no_field;
        WindowsDatum datum;
        data_.start(it);
        for (Step step = data_.step(datum); step != Step::end; step = data_.step(datum)) {
            if (step == Step::struct_end) {
                --depth;
                continue;
            }
            const schema::Field& field = schema[datum.field];
            const bool is_unnamed = (field.tags & format::unnamed_field_tag) != 0;
            const std::string_view name = is_unnamed ? std::string_view() : datum.name;
            const bool has_namespaces =
                is_user_data && !is_array(field) && namespaces_.has(datum.field + 1);
            if (step == Step::struct_begin || has_namespaces) {
                begin_element(name, datum.field, depth);
            }
            if (step == Step::struct_begin) {
                ++depth;
                continue;
            }
            if (has_namespaces) {
                add({}, datum.field, by_in_type(datum.value, field.in_type), false, display, array);
                fields_.last().depth = depth + 1;
                continue;
            }
            add(name, datum.field, by_in_type(datum.value, field.in_type), is_array(field), display,
                array);
            fields_.last().depth = depth;
            fields_.last().is_attribute =
                (field.tags & format::attribute_field_tag) != 0 && is_user_data;
        }
    }

    void begin_element(std::string_view name, std::uint32_t field, unsigned depth) {
        fields_.add_structure(name);
        fields_.last().depth = depth;
        sources_.resize(fields_.size(), field);
        add_namespaces(field + 1, depth + 1);
    }

    /// Adds the declarations of an element whose members have this depth.
    void add_namespaces(std::uint32_t element, unsigned depth) {
        namespaces_.for_each(element, [&](const LogNamespace& one) {
            if (!one.uri.empty()) { // not every reader accepts an attribute without text
                fields_.add_text(one.name, one.uri);
                fields_.last().depth = depth;
                fields_.last().is_attribute = fields_.last().is_literal = true;
            }
        });
        sources_.resize(fields_.size(), element == 0 ? 0 : element - 1);
    }

    /// Adds a value or an item of an array. `array`: the field of the last value, if it is an
    /// array.
    void add(std::string_view name, std::uint32_t field, const decode::Value& value, bool is_item,
             const decode::DisplayOptions& display, std::size_t& array) {
        if (!is_item || !fields_.add_item(name, value, display, array != field)) {
            fields_.add(name, value, display);
        }
        array = is_item ? field : no_field;
        sources_.resize(fields_.size(), field);
    }

    void values(const WindowsEvent& it) {
        const decode::DisplayOptions display = display_of(it);
        const schema::Field* const schema = it.decoded->kind->schema->fields.data();
        const bool has_names = it.form != PayloadForm::string;
        std::size_t array = no_field;
        WindowsDatum datum;
        for (data_.start(it); data_.next(datum);) {
            const schema::Field& field = schema[datum.field];
            add(has_names ? datum.name : std::string_view(), datum.field,
                by_in_type(datum.value, field.in_type), is_array(field), display, array);
        }
    }

    void debug_data(const WindowsEvent& it) {
        const decode::DecodedEvent& decoded = *it.decoded;
        const schema::TraceSite* const site = it.site();
        const auto add = [&](std::string_view name, std::string_view value) {
            if (!value.empty()) {
                fields_.add_text(name, value);
            }
        };
        const auto of_site = [site](std::string schema::TraceSite::* member) {
            return site != nullptr ? std::string_view(site->*member) : std::string_view();
        };
        if (decoded.header.has_sequence) {
            fields_.add_number("SequenceNumber", decoded.header.sequence);
        }
        add("FlagsName", of_site(&schema::TraceSite::flags));
        add("LevelName", of_site(&schema::TraceSite::level));
        fields_.add_text("Component", of_site(&schema::TraceSite::component));
        add("FileLine", decoded.kind->schema->symbol);
        add("Function", of_site(&schema::TraceSite::function));
        text_.clear();
        message_.append(text_, decoded);
        fields_.add_text("Message", text_);
        WindowsDatum datum;
        for (data_.start(it); data_.next(datum);) {
        }
    }

    void error(const ProcessingError& problem) {
        has_error_ = has_own_fields_ = true;
        fields_.clear();
        fields_.set_named(true);
        event_.payload = evtx::PayloadKind::processing_error_data;
        event_.payload_name.clear();
        fields_.add_number("ErrorCode", problem.code);
        fields_.add_text("DataItemName", problem.item);
        fields_.add_binary("EventPayload", problem.payload);
    }

    Options options_;
    EventLogOptions log_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    WindowsEvents model_;
    decode::DisplayOptions display_;
    WindowsData data_;
    decode::EventMessage message_;
    LogFields fields_;
    LogUserData user_data_;
    LogNamespaces namespaces_;
    LogShapes shapes_;
    std::vector<std::uint32_t> sources_; // of fields_: their fields in the schema
    evtx::Event event_;
    std::string text_;
    bool has_own_fields_ = false; // fields that other events of the kind need not have
    bool has_error_ = false;
    std::uint64_t errors_ = 0, guesses_ = 0;
};

EventLog::EventLog(Options options, EventLogOptions log)
    : mapping_(std::make_unique<Mapping>(std::move(options), std::move(log))) {}

EventLog::~EventLog() = default;

std::unique_ptr<flow::Encoder> EventLog::clone() const {
    return std::make_unique<EventLog>(mapping_->options(), mapping_->log());
}

bool EventLog::encode(const flow::Event& event, std::string& to) {
    return mapping_->write(event, to);
}

flow::DecodeCounts EventLog::decode_counts() const {
    return mapping_->counts();
}

} // namespace etl::sink
