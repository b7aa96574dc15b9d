// How much of a trace could be decoded, by what, and why not the rest; counted per provider. One
// Coverage per thread; combine() joins them.
#pragma once

#include <etl/decode/decoder.hpp>

#include <array>
#include <string_view>
#include <unordered_map>

namespace etl::decode {

/// "no_schema", "unknown_provider", ...; "none" for what is decoded.
std::string_view name(RawReason reason) noexcept;

/// Events of one provider, or of all.
struct CoverageCounts {
    std::array<std::uint64_t, decoded_by_count> decoded_by{};
    std::array<std::uint64_t, raw_reason_count> raw_by_reason{};
    std::uint64_t exact = 0;          // consumed to the last byte by a schema for these events
    std::uint64_t guessed = 0;        // consumed to the last byte by a guess (EventKind::is_guess)
    std::uint64_t trailing = 0;       // bytes left over
    std::uint64_t short_payloads = 0; // ended before the last field
    std::uint64_t contradicting = 0;  // decoding stopped: the payload is not what its schema says

    /// Those with a schema, however well it fits.
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

    /// Kernel records count under their class.
    const std::unordered_map<Guid, CoverageCounts>& providers() const noexcept {
        return providers_;
    }

    CoverageCounts total() const noexcept;

private:
    CoverageCounts& counts_of(const Guid& provider);
    void add_decoded(const DecodedEvent& event, CoverageCounts& counts);

    std::unordered_map<Guid, CoverageCounts> providers_;
    Guid last_guid_;
    CoverageCounts* last_ = nullptr; // of last_guid_
    FieldWalker walker_;
};

} // namespace etl::decode
