// Gzip (RFC 1952) on the way to an output. Private to profiles.
#pragma once

#include "base/output.hpp"

#include <memory>

namespace etl::profiles {

/// One member, without a name and time, so that equal content has equal bytes.
class GzipOutput final : public Output {
public:
    /// `to` must outlive it.
    explicit GzipOutput(Output& to);
    ~GzipOutput() override;

    /// Errors: those of the output.
    Result<void> write(std::string_view bytes) override;

    /// Writes the rest. Call once, last. Errors: those of the output.
    Result<void> finish();

private:
    struct State;

    Result<void> deflate(int flush);

    Output* to_;
    std::unique_ptr<State> state_;
};

} // namespace etl::profiles
