// Counts of events that built-in schemas decoded although they do not match. One Misfits per
// thread; combine() joins them. docs/schemas.md
#pragma once

#include "decode/undecoded.hpp"

#include <map>

namespace etl::decode {

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
