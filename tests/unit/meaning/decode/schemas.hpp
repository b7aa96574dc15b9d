// Arrays and lengths of fields said in a word, and walks written down as text.
#pragma once

#include "base/text.hpp"
#include "decode/field_walker.hpp"
#include "tests/support/schema_fields.hpp"

#include <string>

namespace etl::test {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

inline Field with_count(Field f, Extent::Kind kind, std::uint32_t value = 0) {
    f.count = {kind, value};
    return f;
}

inline Field with_length(Field f, Extent::Kind kind, std::uint32_t value = 0) {
    f.length = {kind, value};
    return f;
}

/// `A=0100 L=[01 02] S={B=ff}`, then `?Field: doubt`, `!Field: problem`, `short`, `+trailing`.
inline std::string walk(const EventSchema& schema, Bytes payload, unsigned pointer_size = 8) {
    const auto plan = decode::Plan::compile(schema, pointer_size);
    decode::FieldWalker walker;
    walker.start(plan, payload);
    std::string text;
    std::string arrays = "0";
    const auto begin = [&] {
        if (!text.empty() && text.back() != '[' && text.back() != '{') {
            text.push_back(' ');
        }
        if (arrays.back() == '0') {
            text.append(schema.fields[walker.field()].name).push_back('=');
        }
    };
    for (decode::Step step = walker.next(); step != decode::Step::end; step = walker.next()) {
        switch (step) {
        case decode::Step::value:
            begin();
            append_hex_bytes(text, walker.bytes());
            break;
        case decode::Step::array_begin:
            begin();
            text.push_back('[');
            arrays.push_back('1');
            break;
        case decode::Step::struct_begin:
            begin();
            text.push_back('{');
            arrays.push_back('0');
            break;
        case decode::Step::array_end:
            text.push_back(']');
            arrays.pop_back();
            break;
        case decode::Step::struct_end:
            text.push_back('}');
            arrays.pop_back();
            break;
        case decode::Step::end:
            break;
        }
    }
    if (const char* const doubt = walker.doubt_text(); doubt != nullptr) {
        text.append(" ?").append(schema.fields[walker.doubtful_field()].name);
        text.append(": ").append(doubt);
    }
    if (walker.failed()) {
        text.append(" !").append(schema.fields[walker.failed_field()].name);
        text.append(": ").append(walker.problem());
    } else if (walker.is_short()) {
        text.append(" short");
    }
    if (!walker.failed() && !walker.trailing().empty()) {
        text.append(" +");
        append_hex_bytes(text, walker.trailing());
    }
    return text;
}

} // namespace etl::test
