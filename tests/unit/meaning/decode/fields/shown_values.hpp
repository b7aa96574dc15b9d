// Values as JSON and as Windows displays them.
#pragma once

#include <etl/byte_writer.hpp>

#include "decode/display_value.hpp"
#include "decode/json_value.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace etl::test {

using schema::InType;
using schema::OutType;

struct Shown {
    std::string json;
    std::string display;
};

inline std::string json_of(const decode::Value& value,
                           const decode::JsonValueOptions& options = {}) {
    std::string text = "<"; // something before it, as in life
    {
        TextAppender tail(text);
        decode::append_json_value(tail, value, options);
    }
    return text.substr(1);
}

inline std::string display_of(const decode::Value& value,
                              const decode::DisplayOptions& options = {}) {
    std::string text;
    decode::append_display(text, value, options);
    return text;
}

inline decode::Value value_of(InType in, OutType out, Bytes bytes, unsigned pointer_size = 8) {
    const bool is_number = schema::fixed_size(in, pointer_size) > 0;
    return {.bytes = bytes,
            .form = schema::form_of(in, out, pointer_size),
            .error_space = is_number ? schema::error_space_of(out) : decode::ErrorSpace::none};
}

inline Shown show(InType in, OutType out, Bytes bytes) {
    const decode::Value value = value_of(in, out, bytes);
    return {json_of(value), display_of(value)};
}

template <typename T>
Shown show_number(InType in, OutType out, T number) {
    ByteWriter bytes;
    bytes.value(number);
    return show(in, out, bytes.view());
}

inline void expect(const Shown& shown, std::string_view json, std::string_view display) {
    EXPECT_EQ(shown.json, json);
    EXPECT_EQ(shown.display, display);
}

inline decode::Value mapped(InType in, Bytes bytes, const schema::ValueMap& map) {
    decode::Value value = value_of(in, OutType::none, bytes);
    value.map = &map;
    return value;
}

} // namespace etl::test
