#include "sink/text/display_fields.hpp"

#include "sink/json_parts.hpp"

namespace etl::sink {

namespace {

using decode::Step;

bool is_text(decode::Form form) noexcept {
    return form == decode::Form::text16 || form == decode::Form::text8 ||
           form == decode::Form::utf8 || form == decode::Form::char8 ||
           form == decode::Form::char16;
}

} // namespace

void DisplayFields::walk(const decode::DecodedEvent& event, const KindTexts& texts,
                         FunctionRef<void(std::string_view name, std::string_view text)> each) {
    event_options_ = options_for(options_, event);
    walker_.start(event.kind->plan, event.body);
    arrays_ = 0;
    depth_ = 0;
    bool is_wanted = false;
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (depth_ == 0 && begins(step)) {
            text_.clear();
            is_wanted = texts.fields[walker_.field()].is_wanted && !walker_.planned().hidden;
        } else if (is_wanted && begins(step) && !texts.fields[walker_.field()].is_wanted) {
            if (step != Step::value) {
                skip_begun(walker_);
            }
            continue;
        }
        add(step, texts);
        if (depth_ == 0 && is_wanted) {
            each(texts.plain_names[walker_.field()], text_);
        }
    }
}

void DisplayFields::skip(const decode::DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
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
    if (!is_text(value.form) && value.map == nullptr) {
        decode::append_display(text_, value, event_options_);
        return;
    }
    plain_.clear();
    decode::append_display(plain_, value, event_options_);
    append_readable(text_, plain_);
}

} // namespace etl::sink
