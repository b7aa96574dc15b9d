#include "sink/json_parts.hpp"

#include "base/json_text.hpp"
#include "decode/decode_note.hpp"

namespace etl::sink {

using decode::Step;

bool begins(Step step) noexcept {
    return step == Step::value || step == Step::array_begin || step == Step::struct_begin;
}

void append_step(TextAppender& to, Step step, const decode::FieldWalker& walker, Nesting& open,
                 const KindTexts& texts, const decode::JsonValueOptions& values) {
    // A member brings its comma along, which the first one has to give back; an element brings
    // none.
    const auto begin_value = [&] {
        if ((open.arrays & 1U) != 0) {
            to.reserve(1);
            if (to.back() != '[') {
                to.put(',');
            }
            return;
        }
        const std::string_view key = texts.name_of(walker.field());
        to.reserve(key.size());
        to.put(to.back() == '{' ? key.substr(1) : key);
    };
    switch (step) {
    case Step::value:
        begin_value();
        decode::append_json_value(to, walker.value(), values);
        break;
    case Step::array_begin:
    case Step::struct_begin:
        begin_value();
        to.text(step == Step::array_begin ? '[' : '{');
        open.begin(step == Step::array_begin);
        break;
    case Step::array_end:
    case Step::struct_end:
        to.text(step == Step::array_end ? ']' : '}');
        open.end();
        break;
    case Step::end:
        break;
    }
}

void JsonData::append(TextAppender& to, const decode::DecodedEvent& event, const KindTexts& texts) {
    walker_.start(event.kind->plan, event.body);
    Nesting open;
    to.text('{');
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (begins(step) && !texts.fields[walker_.field()].is_wanted) {
            if (step != Step::value) {
                skip_begun(walker_);
            }
            continue;
        }
        append_step(to, step, walker_, open, texts, values_);
    }
    to.text('}');
}

void skip_begun(decode::FieldWalker& walker) {
    for (int open = 1; open > 0;) {
        const Step step = walker.next();
        open += step == Step::array_begin || step == Step::struct_begin ? 1 : 0;
        open -= step == Step::array_end || step == Step::struct_end ? 1 : 0;
    }
}

void JsonData::skip(const decode::DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
}

void append_note(std::string& to, const decode::DecodedEvent& event,
                 const decode::FieldWalker* walked) {
    if (!decode::has_decode_note(event, walked)) [[likely]] {
        return;
    }
    to.append(event.kind->is_guess ? " (guess: " : " (note: ");
    decode::append_decode_note(to, event, walked);
    to.push_back(')');
}

void append_problem(std::string& to, const schema::EventSchema& schema,
                    const decode::FieldWalker& walker) {
    to.append(schema.fields[walker.failed_field()].name).append(": ").append(walker.problem());
}

} // namespace etl::sink
