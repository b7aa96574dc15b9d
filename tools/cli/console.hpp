// Output to standard error: messages, findings, progress. One thread.
#pragma once

#include <etl/error.hpp>

#include "base/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Text from a file, the system, or the command line, safe for a terminal (append_visible_front).
std::string printable(std::string_view text);

/// `TEXT`, a line that names its file itself.
void say_plainly(std::string_view text);
/// `etl: TEXT`
void say(std::string_view text);
/// `etl: NAME: TEXT`
void say(std::string_view name, const etl::Error& error);

/// Prints findings as `FILE:0xOFFSET: warning: TEXT`, up to a limit; then only counts them.
class FindingPrinter final : public etl::DiagnosticSink {
public:
    FindingPrinter() = default;

    /// For report(). `names` are those of the inputs, by number; the list may grow.
    explicit FindingPrinter(const std::vector<std::string>& names) : names_(&names) {}

    FindingPrinter(const FindingPrinter&) = delete;
    FindingPrinter& operator=(const FindingPrinter&) = delete;
    ~FindingPrinter() override;

    void report(const etl::Diagnostic& finding) override;
    void print(const etl::Diagnostic& finding, std::string_view name);

    std::uint64_t warnings() const noexcept { return warnings_; }

private:
    static constexpr std::uint64_t shown = 50;

    const std::vector<std::string>* names_ = nullptr;
    std::uint64_t warnings_ = 0;
    std::uint64_t findings_ = 0;
};

/// A bar with rate and time left, redrawn a few times a second, only on a terminal.
class ProgressBar {
public:
    enum class Mode : unsigned char { automatic, always, never };

    explicit ProgressBar(Mode mode);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();

    /// `done` is a fraction from 0 to 1.
    void show(double done, std::uint64_t events);

private:
    using Clock = std::chrono::steady_clock;

    bool active_ = false;
    bool drawn_ = false;
    int columns_ = 80;
    double done_ = 0;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_{};
};

// Counts and lists in messages.

using etl::plural;

/// `a, b, or c`
inline std::string list_of(std::span<const std::string> words, std::string_view conjunction) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(", {} ", conjunction);
        text += words[i];
    }
    return text;
}

} // namespace cli
