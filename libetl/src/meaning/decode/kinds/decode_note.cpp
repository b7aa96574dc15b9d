#include "decode/decode_note.hpp"

namespace etl::decode {

namespace {

// A guess says of which version the layout is; that it does not match is no news.
bool has_unsaid_misfit(const DecodedEvent& event, const FieldWalker& walked) noexcept {
    return !event.kind->is_guess && walked.doubt() != Doubt::unknown_length &&
           is_misfit(event, walked);
}

} // namespace

Certainty certainty_of(const DecodedEvent& event, const FieldWalker& walked) noexcept {
    if (event.problem != nullptr || !event.kind->problem.empty() || walked.failed() ||
        walked.doubt() == Doubt::invalid_value) {
        return Certainty::contradicting;
    }
    if (event.kind->is_guess) {
        return Certainty::guessed;
    }
    if (walked.is_short()) {
        return Certainty::too_short;
    }
    if (!walked.consumed_exactly()) {
        return Certainty::trailing;
    }
    return walked.doubt() <= Doubt::odd_value ? Certainty::exact : Certainty::guessed;
}

bool is_misfit(const DecodedEvent& event, const FieldWalker& walked) noexcept {
    return event.kind->is_built_in() && !walked.failed() && !walked.consumed_exactly();
}

bool has_decode_note(const DecodedEvent& event, const FieldWalker* walked) noexcept {
    return event.header.has_invalid_items || !event.kind->note.empty() ||
           (walked != nullptr &&
            (walked->doubt() != Doubt::none || has_unsaid_misfit(event, *walked)));
}

void append_decode_note(std::string& to, const DecodedEvent& event, const FieldWalker* walked) {
    const std::size_t begin = to.size();
    const auto begin_part = [&]() -> std::string& {
        return to.append(to.size() > begin ? "; " : "");
    };
    if (event.header.has_invalid_items) {
        begin_part().append("invalid extended data items");
    }
    if (!event.kind->note.empty()) {
        begin_part().append(event.kind->note);
    }
    if (walked == nullptr) {
        return;
    }
    if (const char* const doubt = walked->doubt_text(); doubt != nullptr) {
        begin_part()
            .append(event.kind->schema->fields[walked->doubtful_field()].name)
            .append(": ")
            .append(doubt);
    }
    if (has_unsaid_misfit(event, *walked)) {
        begin_part().append("built-in schema does not match");
    }
}

} // namespace etl::decode
