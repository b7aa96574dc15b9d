// What a reader sees of a record that a provider made.
#pragma once

#include <etl/provider.hpp>

#include "sink/json.hpp"
#include "tests/support/traces/one_event.hpp"

#include <string>

namespace etl::provider {

/// One line of JSON with these keys.
inline std::string keys_of(const format::EventRecord& record, std::vector<std::string> keys,
                           sink::Options options = {}) {
    const auto one = test::event_of(record);
    options.fields = std::move(keys);
    sink::JsonLines lines(std::move(options));
    std::string text;
    lines.encode(one->event, text);
    text.pop_back(); // the line feed
    return text;
}

/// The object in `data`.
inline std::string data_of(const format::EventRecord& record, sink::Options options = {}) {
    constexpr std::string_view front = R"({"data":)";
    const std::string text = keys_of(record, {"data"}, std::move(options));
    return text.starts_with(front) ? text.substr(front.size(), text.size() - front.size() - 1)
                                   : text;
}

} // namespace etl::provider
