#include "sink/text/display_fields.hpp"

#include "base/readable_text.hpp"

namespace etl::sink {

namespace {

using decode::Step;

bool is_text(decode::Form form) noexcept {
    return form == decode::Form::text16 || form == decode::Form::text8 ||
           form == decode::Form::utf8 || form == decode::Form::char8 ||
           form == decode::Form::char16;
}

// Most values: what decode::append_display() does with them, without a string in between.
bool is_decimal(const decode::Value& value) noexcept {
    return schema::is_integer(value.form) && !schema::is_hex(value.form) && value.map == nullptr &&
           value.error_space == decode::ErrorSpace::none;
}

} // namespace

void DisplayFields::append(TextAppender& to, const decode::DecodedEvent& event,
                           const KindTexts& texts, Done done) {
    event_options_ = options_for(options_, event);
    walker_.start(event.kind->plan, event.body);
    open_ = {};
    std::size_t begin = 0;
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (begins(step)) {
            if (!is_wanted(texts)) {
                if (step != Step::value) {
                    skip_begun(walker_);
                }
                continue;
            }
            if (open_.depth == 0) {
                to.text(texts.plain_names[walker_.field()]);
                begin = to.size();
            }
        }
        add(to, step, texts);
        if (open_.depth == 0) {
            done(to, begin);
        }
    }
}

bool DisplayFields::is_wanted(const KindTexts& texts) const noexcept {
    return texts.fields[walker_.field()].is_wanted &&
           (open_.depth > 0 || !walker_.planned().hidden);
}

void DisplayFields::skip(const decode::DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
}

void DisplayFields::add(TextAppender& to, Step step, const KindTexts& texts) {
    switch (step) {
    case Step::value:
        begin_value(to, texts);
        add_value(to);
        break;
    case Step::array_begin:
    case Step::struct_begin:
        begin_value(to, texts);
        to.text(step == Step::array_begin ? '[' : '{');
        open_.begin(step == Step::array_begin);
        break;
    case Step::array_end:
    case Step::struct_end:
        to.text(step == Step::array_end ? ']' : '}');
        open_.end();
        break;
    case Step::end:
        break;
    }
}

void DisplayFields::begin_value(TextAppender& to, const KindTexts& texts) const {
    if (open_.depth == 0) {
        return;
    }
    if (to.back() != '[' && to.back() != '{') {
        to.text(", ");
    }
    if ((open_.arrays & 1U) == 0) {
        to.text(std::string_view(texts.plain_names[walker_.field()]).substr(1));
    }
}

void DisplayFields::add_value(TextAppender& to) const {
    constexpr std::size_t max_number = 24;
    const decode::Value value = walker_.value();
    if (is_decimal(value)) {
        to.reserve(max_number);
        schema::is_signed(value.form) ? to.put_decimal(signed_of(value))
                                      : to.put_decimal(bits_of(value));
        return;
    }
    to.append_with([&](std::string& text) {
        const std::size_t begin = text.size();
        decode::append_display(text, value, event_options_);
        if (is_text(value.form) || value.map != nullptr) {
            make_readable(text, begin);
        }
    });
}

} // namespace etl::sink
