// Decoding statistics per provider: how events were decoded, and why others were not. One Coverage
// per thread; combine() joins them.
#pragma once

#include "decode/decode_note.hpp"

#include <array>
#include <string_view>
#include <unordered_map>

namespace etl::decode {

/// Returns "no_schema", "unknown_provider", ...; "none" for decoded events.
std::string_view name(RawReason reason) noexcept;

/// Event counts of one provider, or of all.
struct CoverageCounts {
    std::array<std::uint64_t, decoded_by_count> decoded_by{};
    std::array<std::uint64_t, raw_reason_count> raw_by_reason{};
    // By Certainty; their sum is decoded().
    std::uint64_t exact = 0;
    std::uint64_t guessed = 0;
    std::uint64_t trailing = 0;
    std::uint64_t short_payloads = 0;
    std::uint64_t contradicting = 0;

    /// Returns the number of events with a schema, regardless of how well it matches.
    std::uint64_t decoded() const noexcept;
    std::uint64_t raw() const noexcept;

    std::uint64_t events() const noexcept { return decoded() + raw(); }

    CoverageCounts& operator+=(const CoverageCounts& other) noexcept;
};

class Coverage {
public:
    Coverage() = default;
    Coverage(const Coverage&) = delete;
    Coverage& operator=(const Coverage&) = delete;
    Coverage(Coverage&&) = default;
    Coverage& operator=(Coverage&&) = default;
    ~Coverage() = default;

    void add(const DecodedEvent& event);
    void combine(const Coverage& other);

    /// Returns counts by provider. Kernel records are counted under their class.
    const std::unordered_map<Guid, CoverageCounts>& providers() const noexcept {
        return providers_;
    }

    CoverageCounts total() const noexcept;

private:
    CoverageCounts& counts_of(const Guid& provider);
    void add_decoded(const DecodedEvent& event, CoverageCounts& counts);

    std::unordered_map<Guid, CoverageCounts> providers_;
    Guid last_guid_;
    CoverageCounts* last_ = nullptr; // counts of last_guid_
    FieldWalker walker_;
};

} // namespace etl::decode
