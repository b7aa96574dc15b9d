// The line of each kind of event: its name, its columns, and where their fields are. Private to
// dumper.
#pragma once

#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "dumper/kinds.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::dumper {

/// FILETIME ticks.
inline constexpr std::int64_t per_microsecond = 10;

/// Group of the records that contain stacks.
inline constexpr unsigned stack_group = 0x18;

/// The line of all events of one kind of a decoder.
struct Line {
    enum class Form : std::uint8_t {
        silent,  // the log file header and stacks, which are parts of other lines
        known,   // one of kinds()
        fields,  // of a class or a provider: all fields
        unknown, // without a schema
    };

    Form form = Form::unknown;
    std::uint8_t kind = unknown_classic; // of Form::known; of others that of an invalid payload
    bool is_event = false;               // of a manifest provider or TraceLogging
    std::string name;                    // of Form::fields
    std::string schema;                  // its columns after the name
    std::vector<std::uint16_t> fields;   // Form::fields: in this order
    std::vector<std::uint16_t> widths;   // of their headings
    std::vector<std::uint16_t> first, second;            // Form::known: fields of the columns
    std::uint16_t process = no_field, thread = no_field; // fields of whom it is about
};

/// Returns the schema line of a kind.
std::string schema_of(const Kind& kind, ShownColumns shown, bool is_64_bit);

/// Appends the name of a kind as each of its lines begins, with the comma.
void append_name(std::string& to, std::string_view name);

/// The lines of the kinds of one decoder.
class Lines {
public:
    const Line& of(const decode::DecodedEvent& event, std::uint32_t generation) {
        const std::uint32_t number = event.kind->number;
        if (generation == generation_ && number < lines_.size() && lines_[number]) [[likely]] {
            return *lines_[number];
        }
        return make(event, generation);
    }

private:
    const Line& make(const decode::DecodedEvent& event, std::uint32_t generation);

    std::uint32_t generation_ = 0;
    std::vector<std::unique_ptr<Line>> lines_; // by number of the kind
};

// All fields of an event as cells: of manifest events, TraceLogging, and classes that xperf does
// not name itself.

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
