// All fields of an event as cells: of manifest events, TraceLogging, and classes that xperf does
// not name itself. Private to dumper.
#pragma once

#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "dumper/lines.hpp"

#include <string>

namespace etl::dumper {

class FieldTexts {
public:
    /// Appends `, VALUE` for each field of the line. Arrays are `[a; b]`, structures
    /// `{name : a; name : b}`; texts are in quotes. False: the payload contradicts its schema;
    /// nothing is appended.
    bool append(std::string& to, const decode::DecodedEvent& event, const Line& line);

private:
    void add(decode::Step step, const schema::EventSchema& schema);
    void begin_value(const schema::EventSchema& schema);
    void add_value();

    decode::DisplayOptions options_;
    decode::FieldWalker walker_;
    std::string cell_, plain_;
    std::uint32_t arrays_ = 0; // a bit for each thing that is open, set for arrays
    unsigned depth_ = 0;
};

} // namespace etl::dumper
