// Which kinds of events stay raw, how often, and what sort of schema would decode them. One
// Undecoded per thread; combine() joins them. docs/schemas.md
#pragma once

#include <etl/decode/decoder.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace etl::decode {

/// What describes events of a sort.
enum class NeededSchema : std::uint8_t {
    manifest, // an instrumentation manifest, or the executable that contains one
    mof,      // a MOF class
    tmf,      // a TMF file, or the PDB file that contains one
    nothing,  // the event describes itself, and that description is damaged; or no format exists
};

/// "manifest", "mof", "tmf", "nothing".
std::string_view name(NeededSchema needed) noexcept;

/// Events that one schema would decode.
struct UndecodedKind {
    NeededSchema needed = NeededSchema::nothing;
    Guid provider;        // mof: the class; tmf: the message GUID, which is the name of the TMF
    std::uint16_t id = 0; // mof: the event type; tmf: the message number
    std::uint8_t version = 0;
    RawReason reason = RawReason::none;

    constexpr auto operator<=>(const UndecodedKind&) const = default;
};

/// How many, and the best known names; empty: none.
struct UndecodedEvents {
    std::uint64_t events = 0;
    std::string provider;
    std::string event;
};

/// Counts what should have been decoded. Payloads that are raw on purpose (Payloads::raw), pieces
/// of manifests, and embedded schemas do not count.
class Undecoded {
public:
    using Kinds = std::map<UndecodedKind, UndecodedEvents>;

    Undecoded() = default;
    Undecoded(const Undecoded&) = delete;
    Undecoded& operator=(const Undecoded&) = delete;
    Undecoded(Undecoded&&) = default;
    Undecoded& operator=(Undecoded&&) = default;
    ~Undecoded() = default;

    /// `generation` is that of the decoder of the event; always the same decoder.
    void add(const DecodedEvent& event, std::uint32_t generation) {
        if (event.kind->schema == nullptr) [[unlikely]] {
            add_raw(event, generation);
        }
    }

    void combine(const Undecoded& other);

    /// At most limits::undecoded_kinds; events of more kinds are in others().
    const Kinds& kinds() const noexcept { return kinds_; }

    std::uint64_t others() const noexcept { return others_; }

    /// Events of all kinds.
    std::uint64_t total() const noexcept;

private:
    void add_raw(const DecodedEvent& event, std::uint32_t generation);
    UndecodedEvents* find_or_add(const UndecodedKind& kind);

    /// By number of the decoder's kind.
    struct Known {
        enum class Where : std::uint8_t { unknown, nowhere, kind, others };

        Where where = Where::unknown;
        UndecodedEvents* events = nullptr; // Where::kind
    };

    Known know(const DecodedEvent& event);

    Kinds kinds_;
    std::uint64_t others_ = 0;
    std::uint32_t generation_ = 0;
    std::vector<Known> known_;
};

} // namespace etl::decode
