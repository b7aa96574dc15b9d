// What a person should know about traces that were read, as lines.
#pragma once

#include "dataset/options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace etl::dataset {

/// Keeps problems, remarks, and damage as lines, of damage the first 1000. Not moved: options refer
/// to it. One thread.
class Messages {
public:
    Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    ~Messages() = default;

    /// Sets the receivers of options, whose dataset this must outlive.
    void receive_from(Options& options);

    /// Damage in an input, with its place. Notes are ignored.
    void add(const Diagnostic& finding, const std::string& input);

    void add(std::string line) { lines_.push_back(std::move(line)); }

    /// Number of findings of damage, those included that are not kept.
    std::uint64_t findings() const noexcept { return findings_; }

    /// All lines, those about damage last. Call it once, at the end.
    std::vector<std::string> take();

private:
    std::vector<std::string> lines_, damage_;
    std::uint64_t findings_ = 0;
};

} // namespace etl::dataset
