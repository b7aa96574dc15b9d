// What stands on the left of a comparison, of one event. Private to match.
#pragma once

#include "base/code_page.hpp"
#include "decode/decoder.hpp"
#include "decode/value.hpp"
#include "flow/event.hpp"
#include "match/literal.hpp"
#include "match/operand.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etl::match {

/// A value of an event in the form that it is compared in. Views; valid as long as the event and
/// `scratch` of whoever made it.
struct Subject {
    enum class Kind : std::uint8_t {
        absent,
        number,
        boolean,
        text,
        time,
        guid,
        address,
    };

    Kind kind = Kind::absent;
    Number number;         // also of booleans
    std::string_view text; // of Kind::text
    Filetime time;
    Guid guid;
    std::array<std::byte, 16> address{};
    std::optional<std::uint16_t> port{};
    const schema::ValueMap* map = nullptr; // of numbers that have names
    decode::ErrorSpace error_space = decode::ErrorSpace::none;
};

Subject number_subject(std::uint64_t value) noexcept;
Subject text_subject(std::string_view text) noexcept;
Subject guid_subject(const Guid& guid) noexcept;
Subject time_subject(Filetime time) noexcept;

/// A value of a payload. Texts are put into `scratch`.
Subject subject_of(const decode::Value& value, const CodePage* code_page, std::string& scratch);

/// Whether an order (below 0, 0, above 0) makes a comparison true; never, if it is none.
bool is_ordered(Operator op, int order) noexcept;

/// Whether one of the meanings makes the comparison true. `scratch` takes texts.
bool holds(const Subject& subject, Operator op, const Meaning& meaning, std::string& scratch);

// Numbers of headers, which are compared as they are.

/// Reads a number of an event, whose header is given. None: the event has no such number.
using HeaderNumber = std::optional<std::uint64_t> (*)(const flow::Event& event,
                                                      const flow::EventHeader& header);

/// Null: the operand is not a number of the header.
HeaderNumber header_number(Operand operand) noexcept;

} // namespace etl::match
