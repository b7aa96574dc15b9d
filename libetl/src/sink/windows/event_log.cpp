#include <etl/decode/message_text.hpp>
#include <etl/sink/event_log.hpp>
#include <etl/sink/windows_event.hpp>

#include "sink/wanted_events.hpp"
#include "sink/windows/log_values.hpp"

namespace etl::sink {

namespace {

/// The name of the first element of a UserData template.
std::string_view root_of(std::string_view user_data) noexcept {
    const std::size_t begin = std::min(user_data.find('<'), user_data.size());
    const std::string_view rest = user_data.substr(std::min(begin + 1, user_data.size()));
    return rest.substr(0, rest.find_first_of(" \t\r\n/>"));
}

bool is_array(const schema::Field& field) noexcept {
    return field.count.kind != schema::Extent::Kind::natural;
}

/// Windows stores integers by their in type: the out type hex is for display only.
decode::Value by_in_type(decode::Value value, schema::InType type) noexcept {
    const bool is_plain = type >= schema::InType::int8 && type <= schema::InType::uint64;
    if (is_plain && schema::is_hex(value.form)) {
        constexpr int to_unsigned =
            static_cast<int>(decode::Form::hex8) - static_cast<int>(decode::Form::uint8);
        value.form = static_cast<decode::Form>(static_cast<int>(value.form) - to_unsigned);
    }
    return value;
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
        system(it.system);
        names(it);
        payload(it);
        event_.fields = fields_.list();
        evtx::pack(to, event_);
        return true;
    }

private:
    static std::optional<std::uint32_t> id_of(std::uint32_t id) noexcept {
        return id == flow::no_id ? std::nullopt : std::optional(id);
    }

    void system(const WindowsSystem& from) {
        event_.provider = from.provider;
        event_.provider_guid = from.provider_guid;
        event_.id = from.id;
        event_.version = from.version;
        event_.level = from.level;
        event_.task = from.task;
        event_.opcode = from.opcode;
        event_.keywords = from.keywords;
        event_.time = from.time;
        event_.activity = from.activity.is_zero() ? std::nullopt : std::optional(from.activity);
        event_.related_activity = from.related_activity;
        event_.process_id = id_of(from.process_id);
        event_.thread_id = id_of(from.thread_id);
        event_.processor = from.processor;
        event_.session = from.session_id;
        event_.kernel_time = from.kernel_time;
        event_.user_time = from.user_time;
        event_.processor_time = from.processor_time;
        event_.channel = from.channel;
        event_.computer = from.computer;
        event_.user_sid = from.user_sid;
    }

    /// What has no place in System: the names of classic and of self-describing events.
    void names(const WindowsEvent& it) {
        event_.event_source.clear();
        event_.payload_name.clear();
        const decode::EventKind& kind = *it.decoded->kind;
        if (it.form == PayloadForm::user_data) {
            event_.payload_name = root_of(it.user_data);
        } else if (it.tracing) {
            const WindowsRendering rendering = it.rendering();
            event_.provider = rendering.provider;
            event_.event_source = rendering.event_name;
            event_.payload_name = kind.event ? std::string_view(*kind.event) : std::string_view();
        } else if (kind.decoded_by == decode::DecodedBy::tracelogging && kind.event) {
            event_.payload_name = *kind.event;
        }
    }

    void payload(const WindowsEvent& it) {
        fields_.clear();
        using evtx::PayloadKind;
        switch (it.form) {
        case PayloadForm::none:
            event_.payload = PayloadKind::none;
            return;
        case PayloadForm::binary_event_data:
            event_.payload = PayloadKind::binary_event_data;
            return fields_.add_binary({}, it.payload);
        case PayloadForm::processing_error:
            return error(it.processing_error());
        case PayloadForm::debug_data:
            event_.payload = PayloadKind::debug_data;
            debug_data(it);
            break;
        case PayloadForm::user_data:
        case PayloadForm::event_data:
        case PayloadForm::string:
            event_.payload = it.form == PayloadForm::user_data ? PayloadKind::user_data
                                                               : PayloadKind::event_data;
            values(it);
            break;
        }
        if (const auto problem = data_.error()) [[unlikely]] {
            error(*problem);
        }
    }

    void values(const WindowsEvent& it) {
        decode::DisplayOptions display = options_for(display_, *it.decoded);
        display.parameters = nullptr;
        const schema::Field* const schema = it.decoded->kind->schema->fields.data();
        const bool has_names = it.form != PayloadForm::string;
        constexpr std::uint32_t none = ~std::uint32_t{0};
        std::uint32_t array = none; // the field of the last value, if it is an array
        WindowsDatum datum;
        for (data_.start(it); data_.next(datum);) {
            const std::string_view name = has_names ? datum.name : std::string_view();
            const bool is_item = is_array(schema[datum.field]);
            const decode::Value value = by_in_type(datum.value, schema[datum.field].in_type);
            if (!is_item || !fields_.add_item(name, value, display, array != datum.field)) {
                fields_.add(name, value, display);
            }
            array = is_item ? datum.field : none;
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
        ++errors_;
        fields_.clear();
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
    evtx::Event event_;
    std::string text_;
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
