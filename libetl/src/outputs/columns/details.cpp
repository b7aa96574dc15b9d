#include "columns/details.hpp"

#include "base/text.hpp"
#include "columns/layout.hpp"
#include "decode/decode_note.hpp"

#include <array>
#include <string>
#include <string_view>

namespace etl::columns {

using decode::DecodedEvent;
using decode::FieldWalker;

namespace {

class Row {
public:
    Row(Converter& convert, std::span<Filling> fillings, std::size_t row)
        : convert_(&convert), fillings_(fillings), row_(row) {}

    template <typename T>
    void number(Origin origin, T value) {
        at(origin).values.add(value);
    }

    /// Null if empty.
    void label(Origin origin, std::string_view text) {
        if (!text.empty()) {
            at(origin).add_label(row_, text);
        }
    }

    /// Null if empty.
    void guid(Origin origin, Bytes bytes) {
        if (!bytes.empty()) {
            convert_->add(Conversion::guid, {.bytes = bytes, .form = decode::Form::guid},
                          at(origin).at(row_));
        }
    }

    void binary(Origin origin, Bytes bytes) { at(origin).at(row_).add_bytes(bytes); }

private:
    Filling& at(Origin origin) { return fillings_[static_cast<std::size_t>(origin)]; }

    Converter* convert_;
    std::span<Filling> fillings_;
    std::size_t row_;
};

/// How the payload contradicts its schema, as `decode_error` in docs/output.md; empty: it does not.
std::string error_of(const DecodedEvent& event, const FieldWalker* walked) {
    if (!event.kind->problem.empty()) {
        return event.kind->problem;
    }
    if (event.problem != nullptr) {
        return event.problem;
    }
    if (walked != nullptr && walked->failed()) {
        return event.kind->schema->fields[walked->failed_field()].name + ": " + walked->problem();
    }
    return {};
}

void add_name(Row& row, std::string_view name) {
    if (is_valid_utf8(name)) {
        return row.label(Origin::file, name);
    }
    std::string text;
    append_utf8(text, std::as_bytes(std::span(name)));
    row.label(Origin::file, text);
}

} // namespace

std::span<const Origin> shared_origin(bool has_details) noexcept {
    static constexpr std::array columns = {
        Origin::provider, Origin::event, // of all layouts
        Origin::file,     Origin::provider_guid, Origin::id,   Origin::version, Origin::channel,
        Origin::level,    Origin::opcode,        Origin::task, Origin::keyword, Origin::source};
    return std::span(columns).first(has_details ? columns.size() : 2);
}

void add_shared_details(const DecodedEvent& event, Converter& convert, std::span<Filling> fillings,
                        std::size_t row) {
    Row to(convert, fillings, row);
    const flow::EventHeader& header = event.header;
    add_name(to, event.event->trace().name);
    to.guid(Origin::provider_guid, header.provider.bytes);
    to.number(Origin::id, header.id);
    to.number(Origin::version, header.version);
    to.number(Origin::channel, header.channel);
    to.number(Origin::level, header.level);
    to.number(Origin::opcode, header.opcode);
    to.number(Origin::task, header.task);
    to.number(Origin::keyword, header.keyword);
    to.label(Origin::source, name(event.kind->decoded_by));
}

void add_details(const DecodedEvent& event, const FieldWalker* walked, Converter& convert,
                 std::span<Filling> fillings, std::size_t row) {
    Row to(convert, fillings, row);
    const flow::EventHeader& header = event.header;
    to.guid(Origin::activity_id,
            header.activity.is_zero() ? Bytes() : Bytes(header.activity.bytes));
    to.guid(Origin::related_activity_id, event.items.related_activity);
    const std::string error = error_of(event, walked);
    to.label(Origin::decode_error, error);
    if (has_decode_note(event, walked)) [[unlikely]] {
        std::string note;
        append_decode_note(note, event, walked);
        to.label(Origin::decode_note, note);
    }
    if (walked == nullptr || !error.empty()) {
        to.binary(Origin::payload, header.payload);
    }
}

} // namespace etl::columns
