// --strict: which events are rejected, and why.
#pragma once

#include "cli/exit_code.hpp"
#include "decode/decoder.hpp"

#include <string>

namespace cli {

/// Inspects events one by one. One thread.
class StrictJudge {
public:
    void add(const etl::decode::DecodedEvent& event);

    /// Prints to standard error how many were rejected, where the first ones are, and what to do.
    ExitCode judge() const;

private:
    struct Rejected {
        std::uint64_t count = 0;
        std::string first; // the event, its place, and the reason

        void add(const etl::decode::DecodedEvent& event, const std::string& why);
    };

    std::string problem_of(const etl::decode::DecodedEvent& event);

    Rejected mismatched_, guessed_;
    etl::decode::FieldWalker walker_;
};

} // namespace cli
