#include "sink/tracerpt_csv.hpp"

#include <etl/guid.hpp>

#include "base/text.hpp"
#include "decode/message_text.hpp"
#include "sink/selection.hpp"
#include "sink/windows/tracerpt_header.hpp"
#include "sink/windows/value_text.hpp"
#include "sink/windows_event.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

// The columns and names of tracerpt's CSV. docs/tracerpt.md#csv

struct TracerptColumn {
    std::string_view name;
    std::size_t width;
};

namespace tracerpt {
enum CsvColumn : std::size_t {
    event_name,
    type_name,
    event_id,
    version,
    channel,
    level,
    opcode,
    task,
    keyword,
    process,
    thread,
    processor,
    instance,
    parent_instance,
    activity,
    related_activity,
    clock_time,
    kernel_time,
    user_time,
};
} // namespace tracerpt

inline constexpr TracerptColumn tracerpt_columns[] = {
    {"Event Name", 18},  {"Type", 10},
    {"Event ID", 10},    {"Version", 10},
    {"Channel", 10},     {"Level", 10},
    {"Opcode", 10},      {"Task", 10},
    {"Keyword", 18},     {"PID", 10},
    {"TID", 10},         {"Processor Number", 16},
    {"Instance ID", 18}, {"Parent Instance ID", 18},
    {"Activity ID", 38}, {"Related Activity ID", 38},
    {"Clock-Time", 19},  {"Kernel(ms)", 10},
    {"User(ms)", 10},
};

inline constexpr std::string_view last_column = "User Data";
inline constexpr std::string_view after_cell = ", ";

inline void append_padded(std::string& to, std::string_view text, std::size_t width) {
    to.append(width - std::min(width, text.size()), ' ').append(text);
}

/// A name among cells: quoted only if it would not remain one cell.
std::string tracerpt_cell(std::string_view text);

/// `0x0000000000000010`, as wide as its column.
template <std::size_t digits>
std::array<char, digits + 2> hex_text(std::uint64_t value) noexcept {
    std::array<char, digits + 2> text{'0', 'x'};
    for (std::size_t i = 0; i < digits; ++i) {
        text[1 + digits - i] = "0123456789ABCDEF"[value >> (4 * i) & 15U];
    }
    return text;
}

/// The two names by which tracerpt lists events.
struct TracerptName {
    std::string event; // class of classic events, provider, or component of WPP messages
    std::string type;  // opcode, event name (TraceLogging), or place in the source (WPP)
};

TracerptName tracerpt_name_of(const WindowsEvent& event);

namespace {

std::string braced(const Guid& guid) {
    return "{" + to_string(guid) + "}";
}

} // namespace

std::string tracerpt_cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) {
        return std::string(text);
    }
    std::string quoted;
    append_csv_quoted(quoted, text);
    return quoted;
}

TracerptName tracerpt_name_of(const WindowsEvent& it) {
    const decode::DecodedEvent& event = *it.decoded;
    const WindowsRendering names = it.rendering();
    TracerptName name{std::string(names.provider), std::string(names.opcode)};
    if (it.tracing) {
        name.event = names.event_name;
    } else if (format::is_message(event.event->kind)) {
        const schema::TraceSite* const site = it.site();
        name.event = site != nullptr ? site->component : std::string();
        name.type = event.kind->schema != nullptr ? event.kind->schema->symbol
                                                  : std::to_string(event.header.id);
    } else if (event.kind->is_self_describing()) {
        name.type = names.task;
    }
    if (name.event.empty()) {
        name.event = braced(event.header.provider);
    }
    if (name.type.empty()) {
        name.type = std::to_string(event.header.opcode);
    }
    return name;
}

std::uint64_t milliseconds_of(const flow::TraceInfo& trace, std::uint32_t ticks) noexcept {
    constexpr std::uint64_t per_millisecond = Filetime::per_second / 1000;
    const std::uint64_t resolution = trace.header.timer_resolution;
    return resolution == 0 ? ticks : ticks * resolution / per_millisecond;
}

class TracerptCsv::Writer {
public:
    Writer(Options options, TracerptCsvOptions csv)
        : options_(std::move(options)), csv_(std::move(csv)),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_),
          values_(XmlOptions::Layout::tracerpt, options_.enumerations, ValueTexts::Escapes::none),
          data_(csv_.accept_short_payloads ? WindowsData::ShortPayloads::accepted
                                           : WindowsData::ShortPayloads::errors),
          message_(options_.display()) {
        for (const TracerptColumn& column : tracerpt_columns) {
            append_padded(head_, column.name, column.width);
            head_.append(after_cell);
        }
        head_.append(last_column).append("\r\n");
    }

    const Options& options() const noexcept { return options_; }

    const TracerptCsvOptions& csv() const noexcept { return csv_; }

    std::string_view head() const noexcept { return head_; }

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
        text.append(kind_cells(it));
        header_cells(text, it);
        payload_cells(text, it);
        text.append("\r\n");
        return true;
    }

private:
    static void cell(std::string& to, tracerpt::CsvColumn column, std::string_view text) {
        append_padded(to, text, tracerpt_columns[column].width);
        to.append(after_cell);
    }

    static void cell(std::string& to, tracerpt::CsvColumn column, std::uint64_t value) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        cell(to, column, std::string_view(digits, end));
    }

    template <std::size_t digits>
    static void hex_cell(std::string& to, tracerpt::CsvColumn column, std::uint64_t value) {
        const auto text = hex_text<digits>(value);
        cell(to, column, std::string_view(text.data(), text.size()));
    }

    /// As wide as its column.
    static void guid_cell(std::string& to, const Guid& guid) {
        to.push_back('{');
        append_guid(to, guid);
        to.append("}").append(after_cell);
    }

    /// The cells that all events of a kind share.
    const std::string& kind_cells(const WindowsEvent& event) {
        if (decoder_.generation() != generation_) {
            kinds_.clear();
            generation_ = decoder_.generation();
        }
        const std::uint32_t number = event.decoded->kind->number;
        if (number >= kinds_.size()) {
            kinds_.resize(number + 1UL);
        }
        std::string& cells = kinds_[number];
        if (cells.empty()) {
            const TracerptName name = tracerpt_name_of(event);
            const WindowsSystem& system = event.system;
            cell(cells, tracerpt::event_name, tracerpt_cell(name.event));
            cell(cells, tracerpt::type_name, tracerpt_cell(name.type));
            cell(cells, tracerpt::event_id, system.id);
            cell(cells, tracerpt::version, system.version);
            cell(cells, tracerpt::channel, event.decoded->header.channel);
            cell(cells, tracerpt::level, system.level);
            cell(cells, tracerpt::opcode, system.opcode);
            cell(cells, tracerpt::task, system.task);
            hex_cell<16>(cells, tracerpt::keyword, system.keywords);
        }
        return cells;
    }

    void header_cells(std::string& to, const WindowsEvent& event) const {
        const WindowsSystem& system = event.system;
        const auto number_if_set = [&](tracerpt::CsvColumn column, std::uint32_t value) {
            value == 0 ? cell(to, column, "") : cell(to, column, value);
        };
        hex_cell<8>(to, tracerpt::process, system.process_id);
        hex_cell<8>(to, tracerpt::thread, system.thread_id);
        cell(to, tracerpt::processor, system.processor);
        number_if_set(tracerpt::instance, event.tracing ? event.tracing->instance_id : 0);
        number_if_set(tracerpt::parent_instance,
                      event.tracing ? event.tracing->parent_instance_id : 0);
        guid_cell(to, system.activity);
        if (system.related_activity) {
            guid_cell(to, *system.related_activity);
        } else {
            cell(to, tracerpt::related_activity, "");
        }
        const flow::TraceInfo& trace = event.decoded->event->trace();
        append_time(to, system);
        cell(to, tracerpt::kernel_time, milliseconds_of(trace, system.kernel_time.value_or(0)));
        cell(to, tracerpt::user_time, milliseconds_of(trace, system.user_time.value_or(0)));
    }

    void append_time(std::string& to, const WindowsSystem& system) const {
        scratch_.clear();
        if (csv_.raw_times) {
            append_decimal(scratch_, system.raw_time);
        } else if (system.time) {
            append_decimal(scratch_, system.time->ticks);
        }
        cell(to, tracerpt::clock_time, scratch_);
    }

    void payload_cells(std::string& to, const WindowsEvent& event) {
        const std::size_t begin = to.size();
        if (event.form == PayloadForm::none) {
            to.resize(to.size() - after_cell.size());
            return;
        }
        if (event.form == PayloadForm::binary_event_data ||
            event.form == PayloadForm::processing_error) {
            raw(to, event.payload);
            return;
        }
        const decode::DisplayOptions display =
            decode::options_for(options_.display(), *event.decoded);
        const bool is_header = is_log_file_header(event);
        WindowsDatum datum;
        for (data_.start(event); data_.next(datum);) {
            const bool is_listed = !is_header || !tracerpt_header_name(datum.name).empty();
            if (event.form != PayloadForm::debug_data && is_listed) {
                value(to, datum.value, display);
                to.append(after_cell);
            }
            if (is_header && datum.name == before_file_name_pointer) {
                value(to, FileNamePointer(event).value(), display);
                to.append(after_cell);
            }
        }
        if (data_.error()) {
            ++errors_;
            to.resize(begin);
            raw(to, event.payload);
            return;
        }
        if (csv_.trailing && !data_.walker().trailing().empty()) {
            csv_.trailing->fetch_add(1, std::memory_order_relaxed);
        }
        if (event.form == PayloadForm::debug_data) {
            scratch_.clear();
            message_.append(scratch_, *event.decoded);
            append_csv_quoted(to, scratch_);
            to.append(after_cell);
        }
        to.resize(to.size() - after_cell.size());
    }

    static void raw(std::string& to, Bytes payload) {
        to.append("0x");
        TextAppender hex(to);
        append_upper_hex(hex, payload);
    }

    void value(std::string& to, const decode::Value& value, const decode::DisplayOptions& display) {
        using decode::Form;
        const bool is_text = value.form == Form::text16 || value.form == Form::text8 ||
                             value.form == Form::utf8 || value.form == Form::char8 ||
                             value.form == Form::char16 || value.form == Form::sid ||
                             values_.has_name(value);
        if (!is_text) {
            TextAppender plain(to);
            values_.append(plain, value, display);
            return;
        }
        scratch_.clear();
        {
            TextAppender plain(scratch_);
            values_.append(plain, value, display);
        }
        append_csv_quoted(to, scratch_);
    }

    Options options_;
    TracerptCsvOptions csv_;
    decode::Decoder decoder_;
    const decode::DecodedEvent* last_ = nullptr;
    WantedEvents wanted_;
    WindowsEvents model_;
    ValueTexts values_;
    WindowsData data_;
    decode::EventMessage message_;
    std::vector<std::string> kinds_; // cells, by number of the kind
    std::uint32_t generation_ = 0;
    std::string head_;
    mutable std::string scratch_;
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

TracerptCsv::TracerptCsv(Options options, TracerptCsvOptions csv)
    : writer_(std::make_unique<Writer>(std::move(options), std::move(csv))) {}

TracerptCsv::~TracerptCsv() = default;

std::unique_ptr<DecodingEncoder> TracerptCsv::clone_decoding() const {
    return std::make_unique<TracerptCsv>(writer_->options(), writer_->csv());
}

std::string_view TracerptCsv::head() const {
    return writer_->head();
}

bool TracerptCsv::encode(const flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

flow::DecodeCounts TracerptCsv::decode_counts() const {
    return writer_->counts();
}

const decode::DecodedEvent& TracerptCsv::last() const noexcept {
    return writer_->last();
}

std::uint32_t TracerptCsv::generation() const noexcept {
    return writer_->generation();
}

} // namespace etl::sink
