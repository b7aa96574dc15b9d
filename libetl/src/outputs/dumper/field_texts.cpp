#include "dumper/field_texts.hpp"

#include "dumper/clean_text.hpp"

#include <algorithm>

namespace etl::dumper {

namespace {

using decode::Form;
using decode::Step;

bool is_text(const decode::Value& value) noexcept {
    return value.form == Form::text16 || value.form == Form::text8 || value.form == Form::utf8;
}

} // namespace

bool FieldTexts::append(std::string& to, const decode::DecodedEvent& event, const Line& line) {
    if (event.problem != nullptr || !event.kind->problem.empty()) {
        return false;
    }
    const std::size_t before = to.size();
    options_ = decode::options_for({}, event);
    walker_.start(event.kind->plan, event.body);
    arrays_ = 0;
    depth_ = 0;
    std::size_t next = 0; // of line.fields
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (depth_ == 0) {
            cell_.clear();
        }
        add(step, *event.kind->schema);
        if (depth_ == 0 && next < line.fields.size() && line.fields[next] == walker_.field()) {
            to.append(", ");
            append_padded(to, cell_, line.widths[next]);
            ++next;
        }
    }
    const bool is_good = !walker_.failed() && !walker_.is_short();
    if (!is_good) {
        to.resize(before);
    }
    return is_good;
}

void FieldTexts::add(Step step, const schema::EventSchema& schema) {
    switch (step) {
    case Step::value:
        begin_value(schema);
        add_value();
        break;
    case Step::array_begin:
    case Step::struct_begin:
        begin_value(schema);
        cell_.push_back(step == Step::array_begin ? '[' : '{');
        arrays_ = arrays_ << 1U | (step == Step::array_begin ? 1U : 0U);
        ++depth_;
        break;
    case Step::array_end:
    case Step::struct_end:
        cell_.push_back(step == Step::array_end ? ']' : '}');
        arrays_ >>= 1U;
        --depth_;
        break;
    case Step::end:
        break;
    }
}

void FieldTexts::begin_value(const schema::EventSchema& schema) {
    if (depth_ == 0) {
        return;
    }
    if (cell_.back() != '[' && cell_.back() != '{') {
        cell_.append("; ");
    }
    if ((arrays_ & 1U) == 0) {
        append_cell_text(cell_, schema.fields[walker_.field()].name);
        cell_.append(" : ");
    }
}

void FieldTexts::add_value() {
    const decode::Value value = walker_.value();
    plain_.clear();
    decode::append_display(plain_, value, options_);
    if (is_text(value)) {
        append_quoted(cell_, plain_);
    } else {
        append_cell_text(cell_, plain_);
    }
}

} // namespace etl::dumper
