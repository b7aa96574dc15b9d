#include "sink/event_xml.hpp"

#include "sink/selection.hpp"
#include "sink/time_text.hpp"
#include "sink/windows/xml_payload.hpp"

#include <cstdlib>

namespace etl::sink {

namespace {

constexpr char number_mark = '\0'; // no XML contains it

int offset_of(const Options& options, const XmlOptions& xml) noexcept {
    return xml.layout == XmlOptions::Layout::windows ? 0 : options.utc_offset_minutes.value_or(0);
}

/// What follows the seven digits of a time: two more digits in the layout of tracerpt.
std::string zone_of(int offset, const XmlOptions& xml) {
    if (xml.layout == XmlOptions::Layout::windows) {
        return "Z";
    }
    if (offset == 0) {
        return "00Z";
    }
    const int shown = std::abs(offset) - (xml.short_offset ? 1 : 0);
    const auto digit = [](int value) { return static_cast<char>('0' + value); };
    return {'0',
            '0',
            offset < 0 ? '-' : '+',
            digit(shown / 60 / 10 % 10),
            digit(shown / 60 % 10),
            ':',
            digit(shown % 60 / 10),
            digit(shown % 60 % 10)};
}

std::string root_tag(const XmlOptions& xml, std::string_view begin) {
    return xml.root.empty() ? std::string() : std::string(begin).append(xml.root).append(">\n");
}

} // namespace

class EventXml::Writer {
public:
    Writer(Options options, XmlOptions xml)
        : options_(std::move(options)), xml_(std::move(xml)), style_(XmlStyle::of(xml_.layout)),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          model_({.computer = xml_.computer}), kinds_(xml_, style_),
          payload_(options_, xml_, style_), display_(options_.display()),
          time_(offset_of(options_, xml_), zone_of(offset_of(options_, xml_), xml_)),
          utc_time_(0, zone_of(0, xml_)), head_(root_tag(xml_, "<")), tail_(root_tag(xml_, "</")) {
        compose();
    }

    const Options& options() const noexcept { return options_; }

    const XmlOptions& xml() const noexcept { return xml_; }

    std::string_view head() const noexcept { return head_; }

    std::string_view tail() const noexcept { return tail_; }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    const decode::DecodedEvent& last() const noexcept { return *last_; }

    std::uint32_t generation() const noexcept { return decoder_.generation(); }

    bool write(const flow::Event& event, std::string& text) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        last_ = &decoded;
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        guesses_ += decoded.kind->is_guess ? 1U : 0U;
        const WindowsEvent& it = model_.of(decoded);
        const XmlKind& kind = kinds_.of(it, decoder_.generation());
        TextAppender to(text);
        to.text(kind.head);
        to.reserve(max_system);
        created(to, it);
        correlation(to, it.system);
        execution(to, it.system);
        to.text(kind.channel);
        security(to, it.system);
        if (!payload_.append(to, it, kind, display_of(decoded))) {
            ++errors_;
        }
        rendering(to, it, kind);
        to.text(event_end_);
        return true;
    }

private:
    /// Of what is put between the texts of a kind.
    static constexpr std::size_t max_system = 1024;

    bool is_tracerpt() const noexcept { return xml_.layout == XmlOptions::Layout::tracerpt; }

    /// Parameters (`%%1936`) are texts only where Windows makes them so.
    decode::DisplayOptions display_of(const decode::DecodedEvent& decoded) const noexcept {
        decode::DisplayOptions display = options_for(display_, decoded);
        if (!is_tracerpt()) {
            display.parameters = nullptr;
        }
        return display;
    }

    void compose() {
        const auto line = [this](std::size_t depth) { return std::string(style_.line[depth]); };
        empty_end_ = style_.empty_end;
        time_begin_ = std::string(" SystemTime=") + style_.quote;
        record_id_ = is_tracerpt()
                         ? std::string()
                         : std::string("<EventRecordID>") + number_mark + "</EventRecordID>";
        correlation_ = line(2) + "<Correlation";
        execution_ = line(2) + "<Execution";
        security_ = line(2) + "<Security";
        system_end_ = line(1) + "</System>";
        event_end_ = line(0) + "</Event>\n";
    }

    void begin_attribute(TextAppender& to, std::string_view name) const noexcept {
        to.put(name);
        to.put(style_.quote);
    }

    template <std::integral T>
    void number(TextAppender& to, std::string_view name, T value) const noexcept {
        begin_attribute(to, name);
        to.put_decimal(value);
        to.put(style_.quote);
    }

    void guid(TextAppender& to, std::string_view name, const Guid& value) const noexcept {
        begin_attribute(to, name);
        to.put('{');
        to.put_guid(value);
        to.put('}');
        to.put(style_.quote);
    }

    void created(TextAppender& to, const WindowsEvent& event) {
        const bool is_message = format::is_message(event.decoded->event->kind);
        if (event.system.time) {
            to.put(time_begin_);
            (xml_.utc_messages && is_message ? utc_time_ : time_).put(to, *event.system.time);
            to.put(style_.quote);
        }
        if (xml_.raw_times) {
            number(to, " RawTime=", event.system.raw_time);
        }
        to.put(empty_end_);
        if (event.system.record_id && !is_tracerpt()) [[unlikely]] {
            to.put("<EventRecordID>");
            to.put_decimal(*event.system.record_id);
            to.put("</EventRecordID>");
        } else {
            to.put(record_id_);
        }
    }

    void correlation(TextAppender& to, const WindowsSystem& system) const {
        to.put(correlation_);
        if (is_tracerpt() || !system.activity.is_zero()) {
            guid(to, " ActivityID=", system.activity);
        }
        if (system.related_activity) {
            guid(to, " RelatedActivityID=", *system.related_activity);
        }
        to.put(empty_end_);
    }

    void execution(TextAppender& to, const WindowsSystem& system) const {
        to.put(execution_);
        if (is_tracerpt() || system.process_id != flow::no_id) {
            number(to, " ProcessID=", system.process_id);
        }
        if (is_tracerpt() || system.thread_id != flow::no_id) {
            number(to, " ThreadID=", system.thread_id);
        }
        number(to, " ProcessorID=", system.processor);
        if (system.session_id) {
            number(to, " SessionID=", *system.session_id);
        }
        if (system.processor_time) {
            number(to, " ProcessorTime=", *system.processor_time);
        } else if (system.kernel_time || is_tracerpt()) {
            number(to, " KernelTime=", system.kernel_time.value_or(0));
            number(to, " UserTime=", system.user_time.value_or(0));
        }
        to.put(empty_end_);
    }

    void security(TextAppender& to, const WindowsSystem& system) const {
        if (!is_tracerpt() || !system.user_sid.empty()) {
            to.text(security_);
            if (!system.user_sid.empty()) [[unlikely]] {
                to.append_with([&](std::string& text) {
                    text.append(" UserID=").push_back(style_.quote);
                    decode::append_display(text,
                                           {.bytes = system.user_sid, .form = decode::Form::sid});
                    text.push_back(style_.quote);
                });
            }
            to.text(empty_end_);
        }
        to.text(system_end_);
    }

    void rendering(TextAppender& to, const WindowsEvent& event, const XmlKind& kind) {
        to.text(kind.before_message);
        const schema::EventSchema* const schema = event.decoded->kind->schema;
        if (!kind.before_message.empty() && (is_tracerpt() || options_.message) &&
            schema != nullptr && !schema->message.empty() &&
            event.form != PayloadForm::debug_data) {
            to.text(style_.line[2]);
            to.text("<Message>");
            payload_.append_message(to, *event.decoded);
            to.text("</Message>");
        }
        to.text(kind.after_message);
        if (event.tracing) {
            tracing(to, *event.tracing, kind);
        }
    }

    void tracing(TextAppender& to, const WindowsTracing& tracing, const XmlKind& kind) {
        to.text(kind.class_guid);
        if (tracing.instance_id != 0 || tracing.parent_instance_id != 0) [[unlikely]] {
            to.append_with([&](std::string& text) {
                XmlElements elements(text, style_);
                elements.number(2, "InstanceID", tracing.instance_id);
                elements.number(2, "ParentInstanceID", tracing.parent_instance_id);
            });
        }
        to.text(style_.line[1]);
        to.text("</ExtendedTracingInfo>");
    }

    Options options_;
    XmlOptions xml_;
    XmlStyle style_;
    decode::Decoder decoder_;
    const decode::DecodedEvent* last_ = nullptr;
    WantedEvents wanted_;
    WindowsEvents model_;
    XmlKinds kinds_;
    XmlPayload payload_;
    decode::DisplayOptions display_;
    TimeText time_, utc_time_;
    std::string head_, tail_;
    std::string empty_end_, time_begin_, record_id_, correlation_, execution_, security_,
        system_end_, event_end_;
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

EventXml::EventXml(Options options, XmlOptions xml)
    : writer_(std::make_unique<Writer>(std::move(options), std::move(xml))) {}

EventXml::~EventXml() = default;

std::unique_ptr<DecodingEncoder> EventXml::clone_decoding() const {
    return std::make_unique<EventXml>(writer_->options(), writer_->xml());
}

std::string_view EventXml::head() const {
    return writer_->head();
}

std::string_view EventXml::tail() const {
    return writer_->tail();
}

bool EventXml::encode(const flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

flow::DecodeCounts EventXml::decode_counts() const {
    return writer_->counts();
}

const decode::DecodedEvent& EventXml::last() const noexcept {
    return writer_->last();
}

std::uint32_t EventXml::generation() const noexcept {
    return writer_->generation();
}

Result<void> RecordNumbers::write(std::string_view bytes) {
    numbered_.clear();
    for (;;) {
        const std::size_t mark = bytes.find(number_mark);
        numbered_.append(bytes.substr(0, mark));
        if (mark == bytes.npos) {
            return to_->write(numbered_);
        }
        append_decimal(numbered_, next_++);
        bytes.remove_prefix(mark + 1);
    }
}

} // namespace etl::sink
