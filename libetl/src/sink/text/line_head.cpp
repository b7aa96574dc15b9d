#include "sink/text/line_head.hpp"

#include <etl/base/text_appender.hpp>

#include "sink/readable.hpp"

#include <algorithm>
#include <span>

namespace etl::sink {

namespace {

// The columns; what is wider pushes the rest of its line on.
constexpr std::size_t plain_time_width = 27;
constexpr std::size_t trace_width = 5;
constexpr std::size_t cpu_width = 5;
constexpr std::size_t plain_ids_width = 13;
constexpr std::size_t named_ids_width = 30;

/// Fills a column that begins at `begin`, and a blank.
void pad(std::string& to, std::size_t begin, std::size_t width) {
    to.append(width - std::min(width, to.size() - begin) + 1, ' ');
}

void append_column(std::string& to, std::string_view name, std::size_t width) {
    const std::size_t begin = to.size();
    to.append(name);
    pad(to, begin, width);
}

} // namespace

void append_id(std::string& to, std::uint32_t id) {
    if (id == flow::no_id) {
        to.push_back('-');
    } else {
        append_decimal(to, id);
    }
}

void append_in_brackets(std::string& to, std::string_view text) {
    to.push_back('(');
    append_escaped(to, text);
    to.push_back(')');
}

LineHead::LineHead(const Options& options, bool has_text)
    : origins_(options.show_origins ? options.origins : nullptr),
      time_width_(has_text ? plain_time_width
                           : plain_time_width + TimeText::zone_size(options.utc_offset_minutes)),
      ids_width_(options.facts ? named_ids_width : plain_ids_width),
      time_(options.utc_offset_minutes,
            has_text ? TimeText::Style::plain : TimeText::Style::rfc3339) {
    if (has_text) {
        describe(options);
    }
}

void LineHead::describe(const Options& options) {
    describe_origins();
    append_column(text_, "time (" + TimeText::zone_name(options.utc_offset_minutes) + ")",
                  time_width_);
    if (origins_) {
        append_column(text_, "trace", trace_width);
    }
    append_column(text_, "cpu", cpu_width);
    append_column(text_, options.facts ? "pid(process).tid" : "pid.tid", ids_width_);
    text_.append("provider event data\n");
}

void LineHead::describe_origins() {
    constexpr std::size_t shown = 50;
    if (!origins_) {
        return;
    }
    const auto& all = origins_->all();
    for (const facts::Origin& origin : std::span(all).first(std::min(shown, all.size()))) {
        text_.push_back('#');
        append_decimal(text_, origin.trace);
        text_.append(" is ");
        append_escaped(text_, origin.file);
        if (!origin.machine.empty()) {
            text_.append(" of ");
            append_escaped(text_, origin.machine);
        }
        text_.push_back('\n');
    }
    if (all.size() > shown) {
        text_.append("and ");
        append_decimal(text_, all.size() - shown);
        text_.append(" more\n");
    }
}

void LineHead::put(std::string& to, const decode::DecodedEvent& event, const facts::Notes* notes) {
    std::size_t begin = to.size();
    if (event.event->has_time) {
        TextAppender tail(to);
        tail.reserve(TimeText::most);
        time_.put(tail, event.event->time());
    } else {
        to.push_back('-');
    }
    pad(to, begin, time_width_);
    if (origins_) {
        begin = to.size();
        const facts::Origin* const origin = origins_->find(*event.event);
        to.push_back('#');
        append_id(to, origin == nullptr ? flow::no_id : origin->trace);
        pad(to, begin, trace_width);
    }
    begin = to.size();
    to.push_back('[');
    append_decimal(to, event.event->buffer->processor);
    to.push_back(']');
    pad(to, begin, cpu_width);
    begin = to.size();
    append_id(to, event.header.process_id);
    if (notes != nullptr && !notes->process.empty()) {
        append_in_brackets(to, notes->process);
    }
    to.push_back('.');
    append_id(to, event.header.thread_id);
    pad(to, begin, ids_width_);
}

} // namespace etl::sink
