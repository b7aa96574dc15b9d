#include "sink/text/line_head.hpp"

#include "base/readable_text.hpp"
#include "flow/event.hpp"

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

// A line up to its provider, without names, and a little more.
constexpr std::size_t max = 192;
static_assert(max > TimeText::max + trace_width + cpu_width + named_ids_width + 4 * 20);

/// Fills a column that begins at `begin`, and a blank. Room must have been made.
void pad(TextAppender& to, std::size_t begin, std::size_t width) {
    for (std::size_t size = to.size() - begin; size < width; ++size) {
        to.put(' ');
    }
    to.put(' ');
}

void append_column(std::string& to, std::string_view name, std::size_t width) {
    to.append(name).append(width - std::min(width, name.size()) + 1, ' ');
}

/// Number of a process or thread; `-`: the record stores none. Room must have been made.
void put_id(TextAppender& to, std::uint32_t id) {
    if (id == flow::no_id) {
        to.put('-');
    } else {
        to.put_decimal(id);
    }
}

} // namespace

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

void LineHead::put(TextAppender& to, const decode::DecodedEvent& event, const facts::Notes* notes) {
    to.reserve(max);
    std::size_t begin = to.size();
    if (const auto time = flow::wall_time(*event.event)) {
        time_.put(to, *time);
    } else {
        to.put('-');
    }
    pad(to, begin, time_width_);
    if (origins_) {
        put_origin(to, *event.event);
    }
    begin = to.size();
    to.put('[');
    to.put_decimal(event.event->buffer->processor);
    to.put(']');
    pad(to, begin, cpu_width);
    put_ids(to, event.header, notes);
}

void LineHead::put_origin(TextAppender& to, const flow::Event& event) const {
    const std::size_t begin = to.size();
    const facts::Origin* const origin = origins_->find(event);
    to.put('#');
    put_id(to, origin == nullptr ? flow::no_id : origin->trace);
    pad(to, begin, trace_width);
}

void LineHead::put_ids(TextAppender& to, const flow::EventHeader& header,
                       const facts::Notes* notes) const {
    const std::size_t begin = to.size();
    put_id(to, header.process_id);
    const std::string_view process = notes == nullptr                   ? std::string_view{}
                                     : header.process_id != flow::no_id ? notes->logger
                                                                        : notes->process;
    if (!process.empty()) {
        to.append_with([&](std::string& text) { append_in_brackets(text, process); });
        to.reserve(max);
    }
    to.put('.');
    put_id(to, header.thread_id);
    pad(to, begin, ids_width_);
}

} // namespace etl::sink
