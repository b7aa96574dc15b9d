// Private data out of a trace: names, addresses, paths become pseudonyms of the same length, the
// same one for the same value, so that the trace stays as readable as it was. docs/anonymize.md
#pragma once

#include <etl/decode/decoder.hpp>
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
    redacted, // by Options::redact
};

inline constexpr std::size_t kinds = 8;

/// "user name", "SID", ...
std::string_view name(Kind kind) noexcept;

/// Fields that are to go, whatever they hold: each part may have `*` and `?`.
struct Redaction {
    std::string provider, event, field;
};

struct Options {
    std::array<std::uint8_t, 16> key{}; // the same key gives the same pseudonyms; keep it secret
    std::vector<Redaction> redact;
    bool drop_undecodable = false; // an event that cannot be decoded may hold anything
};

/// What was changed: for people to check.
struct Report {
    struct Field {
        std::string provider, event, field;
        Kind kind = Kind::redacted;
        std::uint64_t values = 0;
    };

    std::vector<Field> fields;                 // sorted
    std::array<std::uint64_t, kinds> values{}; // by kind
    std::uint64_t undecodable = 0;             // events that were not looked into
    std::uint64_t dropped = 0;                 // of those
    std::map<std::string, std::uint64_t> undecodable_by_provider;
};

/// The edit. Sizes of values, and so of payloads, stay.
class Anonymizer final : public relog::Edit {
public:
    /// `store` is frozen.
    Anonymizer(std::shared_ptr<const schema::SchemaStore> store, Options options);
    ~Anonymizer() override;

    void edit(const flow::Event& event, relog::Output& to) override;

    Report report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::anonymize
