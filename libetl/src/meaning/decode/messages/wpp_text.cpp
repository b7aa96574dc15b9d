#include "decode/wpp_text.hpp"

#include "decode/limits.hpp"
#include "decode/messages/wpp_value.hpp"
#include "flow/usable_time.hpp"

namespace etl::decode {

namespace {

using schema::WppPiece;

std::string_view component_of(const DecodedEvent& event) noexcept {
    const EventKind& kind = *event.kind;
    return kind.schema != nullptr && kind.schema->site ? kind.schema->site->component
           : kind.provider                             ? std::string_view(*kind.provider)
                                                       : std::string_view{};
}

std::string_view tag_of(const DecodedEvent& event) noexcept {
    const EventKind& kind = *event.kind;
    return kind.schema != nullptr && kind.schema->site ? kind.schema->symbol
           : kind.event                                ? std::string_view(*kind.event)
                                                       : std::string_view{};
}

// False: not a name that says something.
bool append_name(std::string& to, std::string_view name, const DecodedEvent& event) {
    const schema::EventSchema* schema = event.kind->schema;
    const schema::TraceSite* site = schema != nullptr ? schema->site.get() : nullptr;
    const auto of_site = [&](std::string schema::TraceSite::* member) {
        if (site != nullptr) {
            to.append(site->*member);
        }
        return true;
    };
    if (name == "FUNC") {
        return of_site(&schema::TraceSite::function);
    }
    if (name == "FILE") {
        return of_site(&schema::TraceSite::file);
    }
    if (name == "LINE") {
        return of_site(&schema::TraceSite::line);
    }
    if (name == "FLAGS" || name == "KEYWORDS") {
        return of_site(&schema::TraceSite::flags);
    }
    if (name == "LEVEL") {
        to.append(site == nullptr ? event.kind->level_name : site->level);
    } else if (name == "COMPNAME" || name == "MOD") {
        to.append(component_of(event));
    } else if (name == "TYP") {
        to.append(tag_of(event));
    } else {
        return name == "SUBCOMP"; // nothing that is at hand says it
    }
    return true;
}

} // namespace

void WppText::read_arguments(const DecodedEvent& event) {
    arguments_.clear();
    event_options_ = options_for(options_, event);
    if (event.kind->decoded_by != DecodedBy::wpp) {
        return;
    }
    walker_.start(event.kind->plan, event.body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (step == Step::value) {
            arguments_.push_back(walker_.value());
        }
    }
}

void WppText::append_message(std::string& to, const DecodedEvent& event) {
    const std::size_t begin = to.size();
    read_arguments(event);
    append(to, event.kind->schema->message, event);
    while (to.size() > begin && (to.back() == '\n' || to.back() == '\r')) {
        to.pop_back();
    }
}

void WppText::append_prefix(std::string& to, std::string_view prefix, const DecodedEvent& event) {
    arguments_.clear();
    append(to, prefix, event);
}

void WppText::append(std::string& to, std::string_view format, const DecodedEvent& event) {
    const std::size_t end = to.size() + limits::wpp_message_bytes;
    schema::WppFormat pieces(format);
    for (WppPiece piece; to.size() < end && pieces.next(piece);) {
        const bool is_known =
            piece.kind == WppPiece::Kind::variable ? append_variable(to, piece, event)
            : piece.kind == WppPiece::Kind::name   ? append_name(to, piece.text, event)
                                                   : false;
        if (piece.kind == WppPiece::Kind::text) {
            to.append(piece.text);
        } else if (!is_known) {
            to.append(piece.spelling);
        }
    }
}

// False: there is no such argument in the payload.
bool WppText::append_argument(std::string& to, const WppPiece& piece, const DecodedEvent& event) {
    const std::size_t place = piece.number - schema::first_wpp_argument;
    if (place >= arguments_.size()) {
        return false;
    }
    append_wpp_argument(to, {arguments_[place], event.kind->schema->fields[place].out_type},
                        parse_notation(piece.text), event_options_);
    return true;
}

bool WppText::append_variable(std::string& to, const WppPiece& piece, const DecodedEvent& event) {
    if (piece.number >= schema::first_wpp_argument) {
        return append_argument(to, piece, event);
    }
    const flow::EventHeader& header = event.header;
    const Notation notation = parse_notation(piece.text);
    const std::size_t begin = to.size();
    switch (piece.number) {
    case 1:
        to.append(component_of(event));
        break;
    case 2:
        to.append(tag_of(event));
        break;
    case 3:
        append_wpp_number(to, header.thread_id, 4, notation);
        return true;
    case 4:
        if (const auto time = flow::wall_time(*event.event)) {
            append_wpp_time(to, *time, options_.utc_offset_minutes);
        } else {
            to.push_back('-');
        }
        break;
    case 5:
        append_wpp_number(to, header.kernel_time, 4, notation);
        return true;
    case 6:
        append_wpp_number(to, header.user_time, 4, notation);
        return true;
    case 7:
        append_wpp_number(to, header.sequence, 4, notation);
        return true;
    case 8:
        append_wpp_number(to, header.process_id, 4, notation);
        return true;
    case 9:
        append_wpp_number(to, event.event->buffer->processor, 4, notation);
        return true;
    default:
        return false;
    }
    fit_text(to, begin, notation);
    return true;
}

} // namespace etl::decode
