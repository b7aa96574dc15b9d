#include "sink/display_fields.hpp"

#include <etl/base/text_tail.hpp>
#include <etl/decode/display_value.hpp>

#include <algorithm>

namespace etl::sink {

namespace {

using decode::Step;

bool is_control(std::string_view text, std::size_t at) noexcept {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 || c == 0x7F) {
        return true;
    }
    // U+0080 to U+009F: some terminals obey them.
    return c == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

void append_escaped(std::string& to, std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_control(text, at)) {
            to.push_back(text[at]);
            continue;
        }
        switch (text[at]) {
        case '\n':
            to.append("\\n");
            break;
        case '\r':
            to.append("\\r");
            break;
        case '\t':
            to.append("\\t");
            break;
        default:
            at += static_cast<unsigned char>(text[at]) == 0xC2 ? 1U : 0U;
            to.append("\\x");
            append_hex_bytes(to, std::as_bytes(std::span(text.substr(at, 1))));
        }
    }
}

bool wants_quotes(std::string_view text) noexcept {
    return text.empty() || text.find_first_of(" \t\r\n\",[]{}") != std::string_view::npos;
}

bool begins(Step step) noexcept {
    return step == Step::value || step == Step::array_begin || step == Step::struct_begin;
}

bool is_text(decode::Form form) noexcept {
    return form == decode::Form::text16 || form == decode::Form::text8 ||
           form == decode::Form::utf8 || form == decode::Form::char8 ||
           form == decode::Form::char16;
}

} // namespace

void append_readable(std::string& to, std::string_view text) {
    if (!wants_quotes(text)) {
        append_escaped(to, text);
        return;
    }
    to.push_back('"');
    append_escaped(to, text);
    to.push_back('"');
}

void DisplayFields::walk(const decode::DecodedEvent& event, const KindTexts& texts,
                         FunctionRef<void(std::string_view name, std::string_view text)> each) {
    walker_.start(event.kind->plan, event.body);
    arrays_ = 0;
    depth_ = 0;
    bool is_wanted = false;
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (depth_ == 0 && begins(step)) {
            text_.clear();
            is_wanted = texts.fields[walker_.field()].is_wanted && !walker_.planned().hidden;
        }
        add(step, texts);
        if (depth_ == 0 && is_wanted) {
            each(texts.plain_names[walker_.field()], text_);
        }
    }
}

void DisplayFields::add(Step step, const KindTexts& texts) {
    switch (step) {
    case Step::value:
        begin_value(texts);
        add_value();
        break;
    case Step::array_begin:
    case Step::struct_begin:
        begin_value(texts);
        text_.push_back(step == Step::array_begin ? '[' : '{');
        arrays_ = arrays_ << 1U | (step == Step::array_begin ? 1U : 0U);
        ++depth_;
        break;
    case Step::array_end:
    case Step::struct_end:
        text_.push_back(step == Step::array_end ? ']' : '}');
        arrays_ >>= 1U;
        --depth_;
        break;
    case Step::end:
        break;
    }
}

void DisplayFields::begin_value(const KindTexts& texts) {
    if (depth_ == 0) {
        return;
    }
    if (text_.back() != '[' && text_.back() != '{') {
        text_.append(", ");
    }
    if ((arrays_ & 1U) == 0) {
        text_.append(texts.plain_names[walker_.field()]).push_back('=');
    }
}

void DisplayFields::add_value() {
    const decode::Value value = walker_.value();
    if (!is_text(value.form)) {
        decode::append_display(text_, value);
        return;
    }
    plain_.clear();
    decode::append_display(plain_, value);
    append_readable(text_, plain_);
}

} // namespace etl::sink
