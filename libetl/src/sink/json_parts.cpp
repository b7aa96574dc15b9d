#include "sink/json_parts.hpp"

#include <etl/base/json_text.hpp>

namespace etl::sink {

using decode::Step;

void JsonData::append(TextTail& to, const decode::DecodedEvent& event, const KindTexts& texts) {
    walker_.start(event.kind->plan, event.body);
    // A bit for each thing that is open, set for arrays; the innermost lowest.
    std::uint32_t arrays = 0;
    unsigned depth = 0;
    // A member brings its comma along, which the first one has to give back; an element brings
    // none.
    const auto begin_value = [&] {
        if ((arrays & 1U) != 0) {
            to.room(1);
            if (to.back() != '[') {
                to.put(',');
            }
            return;
        }
        const std::string_view key = texts.name_of(walker_.field());
        to.room(key.size());
        to.put(to.back() == '{' ? key.substr(1) : key);
    };
    to.text('{');
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        const bool begins =
            step == Step::value || step == Step::array_begin || step == Step::struct_begin;
        if (depth == 0 && begins && !texts.fields[walker_.field()].is_wanted) {
            if (step != Step::value) {
                skip_field();
            }
            continue;
        }
        switch (step) {
        case Step::value:
            begin_value();
            decode::append_json_value(to, walker_.value(), values_);
            break;
        case Step::array_begin:
        case Step::struct_begin:
            begin_value();
            to.text(step == Step::array_begin ? '[' : '{');
            arrays = arrays << 1U | (step == Step::array_begin ? 1U : 0U);
            ++depth;
            break;
        case Step::array_end:
        case Step::struct_end:
            to.text(step == Step::array_end ? ']' : '}');
            arrays >>= 1U;
            --depth;
            break;
        case Step::end:
            break;
        }
    }
    to.text('}');
}

// Steps over what has just begun.
void JsonData::skip_field() {
    for (int open = 1; open > 0;) {
        const Step step = walker_.next();
        open += step == Step::array_begin || step == Step::struct_begin ? 1 : 0;
        open -= step == Step::array_end || step == Step::struct_end ? 1 : 0;
    }
}

void JsonData::skip(const decode::DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
}

void append_guess(std::string& to, const decode::DecodedEvent& event) {
    to.append(" (guess: ").append(event.kind->note).push_back(')');
}

void append_problem(std::string& to, const schema::EventSchema& schema,
                    const decode::FieldWalker& walker) {
    to.append(schema.fields[walker.failed_field()].name).append(": ").append(walker.problem());
}

} // namespace etl::sink
