// Anonymization of traces: names, addresses, and paths are replaced with pseudonyms of the same
// length, consistently for equal values, so that the trace stays useful. docs/anonymize.md
//     NameCollector collector(store);             // names in the trace
//     collector.add(events);                      // events of all buffers, in any order
//     Anonymizer edit(store, {.key = key_of(secret), .names = collector.take()});
//     relog::EditedSource edited(reader, edit);
//     edit.anonymize(recording.header);           // names in the file header
#pragma once

#include "anonymize/names.hpp"
#include "decode/decoder.hpp"
#include "format/logfile_header.hpp"
#include "relog/edit.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::anonymize {

/// The kind of personal data in a value.
enum class Kind : std::uint8_t {
    user,
    computer,
    sid,
    ip_address,
    mac_address,
    command_line,
    path,
    secret,         // passwords, tokens, keys, cookies
    account_number, // of payment cards and bank accounts
    phone_number,
    window_title,
    redacted, // cleared: by Options::redact, packet payloads, bytes of unknown meaning
};

inline constexpr std::size_t kind_count = 12;

/// Returns "user name", "SID", ...
std::string_view name(Kind kind) noexcept;

using Key = std::array<std::uint8_t, 16>;

/// Derives a key from a secret of any length.
Key key_of(Bytes secret) noexcept;

/// Fields to clear, regardless of content; `*` and `?` match in each part. A class of kernel events
/// can be the provider: `Process`, `Start`, `CommandLine`.
struct Redaction {
    std::string provider, event, field;
};

/// What a captured packet begins with.
enum class Link : std::uint8_t {
    unknown, // Ethernet if it looks like it; otherwise all of it becomes zeros
    ethernet,
    wifi, // 802.11, already decrypted; Ethernet if it looks like it
    ip,
};

/// What becomes of events that cannot be decoded, which may contain any data.
enum class Undecodable : std::uint8_t {
    keep, // names that are found as text are replaced
    drop,
    clear, // payload and extended data become zeros; numbers among the items stay
};

/// Whether all personal data is anonymized, or only Options::redact is applied.
enum class Scope : std::uint8_t { everything, redactions_only };

struct Options {
    Key key{}; // the same key yields the same pseudonyms; keep it secret
    Names names;
    std::vector<Redaction> redact;
    Scope scope = Scope::everything;
    Undecodable undecodable = Undecodable::keep;
    /// Fragments of captured packets are passed unchanged: the caller joins them, and passes each
    /// joined packet to Anonymizer::scrub_packet. Otherwise later fragments become zeros.
    bool keep_fragments = false;
    decode::DecoderOptions decoder;
};

/// Report of changed and unchecked data, for review.
struct Report {
    struct Field {
        std::string provider, event, field;
        Kind kind = Kind::redacted;
        std::uint64_t values = 0; // changed values
    };

    /// Binary fields of unknown meaning, which were cleared.
    struct Binary {
        std::string provider, event, field;
        std::uint64_t values = 0;
    };

    /// A field with texts that stayed as they were, because nothing in them was recognized. A
    /// person can decide by the shape whether that is right.
    struct Kept {
        std::string provider, event, field;
        std::uint64_t values = 0; // unchanged ones that are no placeholders
        std::uint64_t partly = 0; // values of which only parts were changed
        /// The first unchanged one, at most limits::shape_units of it: uppercase letters as `A`,
        /// others as `a`, digits as `0`; other ASCII characters as they are.
        std::string shape;
    };

    /// Events of one provider that were not completely decoded. Bytes after the last field are
    /// cleared, and so are extended data items; in undecoded events, only collected names found as
    /// text are replaced.
    struct Unchecked {
        std::uint64_t undecodable = 0; // no schema, or contradicted by the payload
        std::uint64_t packed = 0;      // compressed text
        std::uint64_t trailing = 0;    // bytes after the last field
        std::uint64_t items = 0;       // extended data items of unknown type or invalid size
    };

    std::vector<Field> fields;                      // sorted
    std::array<std::uint64_t, kind_count> values{}; // by kind
    std::vector<Binary> binary;                     // sorted
    std::vector<Kept> kept;                         // sorted
    /// Requested redactions that were not applied, because the fields are lengths of others.
    std::map<std::string, std::uint64_t, std::less<>> unredacted;
    std::vector<std::uint64_t> redactions; // number of matching fields, by index in Options::redact
    std::map<std::string, Unchecked, std::less<>> unchecked; // by provider
    std::uint64_t events = 0;
    std::uint64_t changed = 0;     // changed events
    std::uint64_t undecodable = 0; // events, including those with compressed text
    std::uint64_t dropped = 0;     // undecodable events that were dropped
    std::uint64_t cleared = 0;     // undecodable events whose content was cleared
};

/// The edit. Sizes of values and payloads are unchanged. Events without personal data, and records
/// that contain schemas, are passed unchanged. Not thread-safe.
class Anonymizer final : public relog::Edit {
public:
    Anonymizer(schema::SchemasByTrace schemas, Options options);
    ~Anonymizer() override;
    Anonymizer(const Anonymizer&) = delete;
    Anonymizer& operator=(const Anonymizer&) = delete;
    Anonymizer(Anonymizer&&) = delete;
    Anonymizer& operator=(Anonymizer&&) = delete;

    void edit(const flow::Event& event, relog::Output& to) override;

    /// Anonymizes the names of session, file, and time zone in a trace header, and clears its
    /// pointers. A missing file name becomes "trace.etl", so that no writer stores its own path.
    void anonymize(format::LogfileHeader& header) const;

    /// Anonymizes a captured packet in place, as edit() does with packets of one event. Nothing:
    /// its beginning is missing, so all of it becomes zeros.
    void scrub_packet(MutableBytes packet, std::optional<Link> link);

    Report report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::anonymize
