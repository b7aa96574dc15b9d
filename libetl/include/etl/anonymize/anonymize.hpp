// Private data out of a trace: names, addresses, paths become pseudonyms of the same length, the
// same one for the same value, so that the trace stays as readable as it was. docs/anonymize.md
//     NameCollector collector(store);             // who and what the trace speaks of
//     collector.add(events);                      // of all buffers, in any order
//     Anonymizer edit(store, {.key = key_of(secret), .names = collector.take()});
//     relog::EditedSource edited(reader, edit);
//     edit.anonymize(recording.header);           // what the file says of itself
#pragma once

#include <etl/anonymize/names.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/format/logfile_header.hpp>
#include <etl/relog/edit.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::anonymize {

/// What kind of private thing a value is.
enum class Kind : std::uint8_t {
    user,
    computer,
    sid,
    ip_address,
    mac_address,
    command_line,
    path,
    redacted, // wiped: by Options::redact, payload of packets, bytes whose meaning is not known
};

inline constexpr std::size_t kind_count = 8;

/// "user name", "SID", ...
std::string_view name(Kind kind) noexcept;

using Key = std::array<std::uint8_t, 16>;

/// A key out of a secret of any length.
Key key_of(Bytes secret) noexcept;

/// Fields that are to go, whatever they hold: each part may have `*` and `?`.
struct Redaction {
    std::string provider, event, field;
};

/// Whether private values are looked for, or only what Options::redact names.
enum class Scope : std::uint8_t { everything, redactions_only };

struct Options {
    Key key{}; // the same key gives the same pseudonyms; keep it secret
    Names names;
    std::vector<Redaction> redact;
    Scope scope = Scope::everything;
    bool drop_undecodable = false; // an event that cannot be decoded may hold anything
    decode::DecoderOptions decoder;
};

/// What was changed, and what was not looked into: for people to check.
struct Report {
    struct Field {
        std::string provider, event, field;
        Kind kind = Kind::redacted;
        std::uint64_t values = 0; // that changed
    };

    /// Fields of bytes that are no text and whose meaning is not known: wiped.
    struct Binary {
        std::string provider, event, field;
        std::uint64_t values = 0;
    };

    /// Events of one provider that were not, or not wholly, decoded. What follows the last field is
    /// wiped; in the others names that were learned are replaced, wherever they stand as text, and
    /// nothing else is.
    struct Unchecked {
        std::uint64_t undecodable = 0; // no schema, or one that the payload contradicts
        std::uint64_t packed = 0;      // compressed text
        std::uint64_t trailing = 0;    // bytes behind the last field
    };

    std::vector<Field> fields;                                    // sorted
    std::array<std::uint64_t, kind_count> values{};               // by kind
    std::vector<Binary> binary;                                   // sorted
    std::map<std::string, std::uint64_t, std::less<>> unredacted; // asked for, but others' lengths
    std::vector<std::uint64_t> redactions; // by Options::redact: the fields that each one fits
    std::map<std::string, Unchecked, std::less<>> unchecked; // by provider
    std::uint64_t events = 0;
    std::uint64_t changed = 0;     // events
    std::uint64_t undecodable = 0; // events, packed ones included
    std::uint64_t dropped = 0;     // of those
};

/// The edit. Sizes of values, and so of payloads, stay. Events with nothing private are passed as
/// they are; so are records that carry schemas. One thread.
class Anonymizer final : public relog::Edit {
public:
    Anonymizer(schema::SchemasByTrace schemas, Options options);
    ~Anonymizer() override;
    Anonymizer(const Anonymizer&) = delete;
    Anonymizer& operator=(const Anonymizer&) = delete;
    Anonymizer(Anonymizer&&) = delete;
    Anonymizer& operator=(Anonymizer&&) = delete;

    void edit(const flow::Event& event, relog::Output& to) override;

    /// The names of session and file in the header of a trace.
    void anonymize(format::LogfileHeader& header) const;

    Report report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::anonymize
