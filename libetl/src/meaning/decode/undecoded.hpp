// Counts of undecoded events by kind, and the type of schema that would decode them. One Undecoded
// per thread; combine() joins them. docs/schemas.md
#pragma once

#include "decode/decoder.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace etl::decode {

/// The type of schema needed to decode an event.
enum class NeededSchema : std::uint8_t {
    manifest, // an instrumentation manifest, or an executable that contains one
    mof,      // a MOF class
    tmf,      // a TMF file, or a PDB file that contains one
    nothing,  // the event's own description is damaged, or no format exists
};

/// Returns "manifest", "mof", "tmf", or "nothing".
std::string_view name(NeededSchema needed) noexcept;

/// A kind of event that one schema would decode.
struct UndecodedKind {
    NeededSchema needed = NeededSchema::nothing;
    Guid provider; // mof: the class; tmf: the message GUID, which is also the name of the TMF
    std::uint16_t id = 0; // mof: the event type; tmf: the message number
    std::uint8_t version = 0;
    RawReason reason = RawReason::none;

    constexpr auto operator<=>(const UndecodedKind&) const = default;
};

/// The number of events, and the best known names; empty: none.
struct UndecodedEvents {
    std::uint64_t events = 0;
    std::string provider;
    std::string event;
};

/// Counts events that should have been decoded. Payloads left raw on request (Payloads::raw),
/// manifest chunks, and embedded schemas do not count.
class Undecoded {
public:
    using Kinds = std::map<UndecodedKind, UndecodedEvents>;

    Undecoded() = default;
    Undecoded(const Undecoded&) = delete;
    Undecoded& operator=(const Undecoded&) = delete;
    Undecoded(Undecoded&&) = default;
    Undecoded& operator=(Undecoded&&) = default;
    ~Undecoded() = default;

    /// `generation` is the generation of the decoder of the event; always use the same decoder.
    void add(const DecodedEvent& event, std::uint32_t generation) {
        if (event.kind->schema == nullptr) [[unlikely]] {
            add_raw(event, generation);
        }
    }

    void combine(const Undecoded& other);

    /// Returns at most limits::undecoded_kinds kinds; others() counts the events of further kinds.
    const Kinds& kinds() const noexcept { return kinds_; }

    std::uint64_t others() const noexcept { return others_; }

    /// Returns the number of events of all kinds.
    std::uint64_t total() const noexcept;

private:
    void add_raw(const DecodedEvent& event, std::uint32_t generation);
    UndecodedEvents* find_or_add(const UndecodedKind& kind);

    /// Cached result for one of the decoder's kinds.
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

// Counts of events that built-in schemas decoded although they do not match. One Misfits per
// thread; combine() joins them. docs/schemas.md

class Misfits {
public:
    /// By provider; kernel records by class.
    using Providers = std::map<Guid, UndecodedEvents>;

    Misfits() = default;
    Misfits(const Misfits&) = delete;
    Misfits& operator=(const Misfits&) = delete;
    Misfits(Misfits&&) = default;
    Misfits& operator=(Misfits&&) = default;
    ~Misfits() = default;

    void add(const DecodedEvent& event) {
        if (event.kind->is_built_in() &&
            event.kind->plan.size_fit(event.body.size()) != SizeFit::exact) [[unlikely]] {
            judge(event);
        }
    }

    void combine(const Misfits& other);

    /// Returns at most limits::undecoded_kinds providers; total() includes the others.
    const Providers& providers() const noexcept { return providers_; }

    std::uint64_t total() const noexcept { return total_; }

private:
    void judge(const DecodedEvent& event);

    Providers providers_;
    std::uint64_t total_ = 0;
    FieldWalker walker_;
};

} // namespace etl::decode
