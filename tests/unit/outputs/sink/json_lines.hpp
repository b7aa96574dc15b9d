// An event as its line of JSON.
#pragma once

#include "format/records.hpp"
#include "sink/json.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etl::test {

inline std::string json(const OneEvent& one, sink::Options options = {}) {
    sink::JsonLines lines(std::move(options));
    return encode(lines, one);
}

/// What stands in `data`.
inline std::string data_of(std::vector<schema::Field> fields, Bytes payload,
                           std::vector<std::shared_ptr<const schema::ValueMap>> maps = {}) {
    schema::EventSchema schema;
    schema.id = 1;
    schema.fields = std::move(fields);
    schema.maps = std::move(maps);
    const auto one = event_of(brewing_record(payload));
    const std::string line = json(*one, {.schemas = store_with({schema}), .fields = {"data"}});
    EXPECT_EQ(line.substr(0, 8), R"({"data":)");
    return line.substr(8, line.size() - 10);
}

} // namespace etl::test
