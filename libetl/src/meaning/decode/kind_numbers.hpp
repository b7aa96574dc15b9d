// Numbers the kinds of events of a trace: for those who ask of a kind once what holds for all of
// its events. One per thread.
#pragma once

#include "flow/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::decode {

/// Events with the same number are records of one family, and have everything in common by which a
/// Decoder chooses schemas, except for payloads, processes, and times; so they have the same
/// Decoder::possible_kinds(), but for sizes. Events that a Decoder does not tell apart may have
/// different numbers.
class KindNumbers {
public:
    /// No number: limits::numbered_kinds or numbered_kind_bytes are reached.
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    /// Returns the number of the kind of an event, from 0 on in the order in which kinds are met.
    /// Does not allocate for kinds met before.
    std::uint32_t of(const flow::Event& event) {
        const Head head = head_of(event);
        const Recent& recent = recent_[head.slot()];
        if (head.is_whole && recent.head == head) [[likely]] {
            return recent.number;
        }
        return find(event, head);
    }

    /// Returns the number that the kind with a number of `other` has here.
    std::uint32_t of(const KindNumbers& other, std::uint32_t number);

    /// Returns how many kinds have numbers.
    std::size_t size() const noexcept { return identities_.size(); }

private:
    /// What tells the kind of most events, read without parsing their headers.
    struct Head {
        std::array<std::uint64_t, 5> words{};
        bool is_whole = false; // nothing else does

        bool operator==(const Head&) const = default;

        std::size_t slot() const noexcept;
    };

    struct Recent {
        Head head;
        std::uint32_t number = none;
    };

    struct Hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };

    static Head head_of(const flow::Event& event) noexcept;
    std::uint32_t find(const flow::Event& event, const Head& head);
    std::uint32_t number_of(std::string_view identity);

    std::array<Recent, 256> recent_{};
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> identities_; // by number; keys of numbers_
    std::size_t bytes_ = 0;                      // of them
    std::string identity_;                       // of the event at hand
};

/// What is found out once for each kind of event of a trace, as far as kinds have numbers. One per
/// thread.
template <typename Value>
class ByKind {
public:
    /// Returns the value of the kind of an event, at first `Value()`. Null: the kind has no number.
    /// Valid until the next call.
    Value* find(const flow::Event& event) {
        const std::uint32_t number = numbers_.of(event);
        if (number == KindNumbers::none) [[unlikely]] {
            return nullptr;
        }
        if (number >= values_.size()) [[unlikely]] {
            values_.resize(number + std::size_t{1});
        }
        return &values_[number];
    }

private:
    KindNumbers numbers_;
    std::vector<Value> values_; // by number
};

} // namespace etl::decode
