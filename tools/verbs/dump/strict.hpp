// --strict: which events are refused, and why.
#pragma once

#include <etl/decode/decoder.hpp>

#include "cli/exit_code.hpp"

#include <string>

namespace cli {

/// Looks at events one after the other. One thread.
class StrictJudge {
public:
    void add(const etl::decode::DecodedEvent& event);

    /// Says on standard error how many were refused, where the first ones are, and what to do.
    ExitCode judge() const;

private:
    struct Refused {
        std::uint64_t count = 0;
        std::string first; // which event, where, and why

        void add(const etl::decode::DecodedEvent& event, const std::string& why);
    };

    std::string problem_of(const etl::decode::DecodedEvent& event);

    Refused contradicting_, guessed_;
    etl::decode::FieldWalker walker_;
};

} // namespace cli
