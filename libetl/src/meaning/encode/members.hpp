// The members of an object, taken by name: in order where that is their order. Private to encode.
#pragma once

#include "encode/input_value.hpp"

namespace etl::encode {

class Members {
public:
    /// `object` with everything inside, or nothing at all: no members. `most`: of them that can be
    /// taken; of a larger object only one more is looked at.
    Members(std::span<const InputValue> object, std::size_t most) noexcept
        : all_(object), next_(object), most_(most) {}

    /// The member with everything inside; empty: there is none of this name.
    std::span<const InputValue> take(std::string_view name) noexcept {
        if (!next_.empty() && next_.front().front().name == name) [[likely]] {
            const std::span<const InputValue> found = next_.front();
            next_.pop_front();
            ++taken_;
            return found;
        }
        return look_up(name);
    }

    /// Every member was taken.
    bool all_taken() const noexcept { return is_disordered_ ? taken_ == count() : next_.empty(); }

    /// The members from the first one on, one more than can be taken at most.
    template <typename Visit>
    void each(Visit visit) const {
        std::size_t seen = 0;
        for (InputValueList at = all_; !at.empty() && seen <= most_; at.pop_front(), ++seen) {
            visit(at.front());
        }
    }

private:
    std::size_t count() const noexcept {
        std::size_t count = 0;
        each([&](std::span<const InputValue>) { ++count; });
        return count;
    }

    // From the next one on to the end, then from the front.
    std::span<const InputValue> look_up(std::string_view name) noexcept {
        std::size_t seen = 0;
        for (InputValueList at = next_; !at.empty() && seen <= most_; ++seen) {
            const std::span<const InputValue> found = at.front();
            at.pop_front();
            if (found.front().name == name) {
                next_ = at;
                is_disordered_ = true;
                ++taken_;
                return found;
            }
        }
        std::span<const InputValue> found;
        if (is_disordered_) {
            each([&](std::span<const InputValue> member) {
                if (found.empty() && member.front().name == name) {
                    found = member;
                }
            });
            taken_ += found.empty() ? 0U : 1U;
        }
        return found;
    }

    InputValueList all_;
    InputValueList next_;
    std::size_t most_;
    std::size_t taken_ = 0;
    bool is_disordered_ = false; // some were passed over
};

} // namespace etl::encode
