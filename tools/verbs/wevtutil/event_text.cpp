#include "verbs/wevtutil/event_text.hpp"

#include <etl/time.hpp>

#include "cli/console.hpp"
#include "decode/display_value.hpp"
#include "decode/message_text.hpp"
#include "sink/windows_event.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace cli {

namespace {

constexpr char number_mark = '\0'; // sink::RecordNumbers replaces it

std::string_view or_none(std::string_view name) {
    return name.empty() ? std::string_view("N/A") : name;
}

void add_line(std::string& to, const char* name, std::string_view value) {
    to += fmt::format("  {}: {}\n", name, printable(value));
}

/// The lines of a message, without control characters.
void add_message(std::string& to, std::string_view message) {
    to += "  Description: \n";
    while (!message.empty()) {
        const std::size_t end = std::min(message.find('\n'), message.size());
        std::string_view line = message.substr(0, end);
        message.remove_prefix(std::min(end + 1, message.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        to.append(printable(line)).push_back('\n');
    }
}

} // namespace

class WevtutilText::Writer {
public:
    Writer(etl::sink::Options options, std::string computer)
        : options_(std::move(options)), computer_(std::move(computer)),
          decoder_(options_.schemas, options_.decoder()), matcher_(options_.matcher()),
          model_({.computer = computer_}), message_(options_.display()) {}

    std::unique_ptr<WevtutilText> copy() const {
        return std::make_unique<WevtutilText>(options_, computer_);
    }

    etl::flow::DecodeCounts counts() const noexcept { return {0, decoder_.guesses()}; }

    bool write(const etl::flow::Event& event, std::string& to) {
        if (matcher_ && !(*matcher_)(event)) {
            return false;
        }
        const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
        add_properties(to, model_.of(decoded));
        text_.clear();
        message_.append(text_, decoded);
        add_message(to, text_);
        to.push_back('\n');
        return true;
    }

private:
    void add_properties(std::string& to, const etl::sink::WindowsEvent& event) {
        const etl::sink::WindowsSystem& system = event.system;
        const etl::sink::WindowsRendering names = event.rendering();
        to += "Event[";
        to.push_back(number_mark);
        to += "]:\n";
        add_line(to, "Log Name", system.channel);
        add_line(to, "Source", system.provider);
        text_.clear();
        if (system.time) {
            etl::append_rfc3339(text_, *system.time);
        }
        add_line(to, "Date", or_none(text_));
        add_line(to, "Event ID", std::to_string(system.id));
        add_line(to, "Task", or_none(names.task));
        add_line(to, "Level", or_none(names.level));
        add_line(to, "Opcode", or_none(names.opcode));
        add_line(to, "Keyword", fmt::format("{}", fmt::join(names.keywords, ",")));
        text_.clear();
        if (!system.user_sid.empty()) {
            etl::decode::append_display(text_,
                                        {.bytes = system.user_sid, .form = etl::decode::Form::sid});
        }
        add_line(to, "User", or_none(text_));
        add_line(to, "User Name", "N/A");
        add_line(to, "Computer", system.computer);
    }

    etl::sink::Options options_;
    std::string computer_;
    etl::decode::Decoder decoder_;
    std::optional<etl::match::Matcher> matcher_;
    etl::sink::WindowsEvents model_;
    etl::decode::EventMessage message_;
    std::string text_;
};

WevtutilText::WevtutilText(etl::sink::Options options, std::string computer)
    : writer_(std::make_unique<Writer>(std::move(options), std::move(computer))) {}

WevtutilText::~WevtutilText() = default;

std::unique_ptr<etl::flow::Encoder> WevtutilText::clone() const {
    return writer_->copy();
}

bool WevtutilText::encode(const etl::flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

etl::flow::DecodeCounts WevtutilText::decode_counts() const {
    return writer_->counts();
}

} // namespace cli
