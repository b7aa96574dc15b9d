#include "cli/console.hpp"

#include "base/readable_text.hpp"
#include "io/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

/// Ignores errors: a full disk must not stop the work. Lines stay; words of the command line in
/// messages of the parser have not been escaped yet.
void put(std::string_view text) {
    etl::VisibleText visible;
    std::string shown(visible.add(text));
    shown += visible.finish();
    static_cast<void>(std::fwrite(shown.data(), 1, shown.size(), stderr));
}

} // namespace

std::string printable(std::string_view text) {
    return etl::printable(text);
}

void say_plainly(std::string_view text) {
    put(fmt::format("{}\n", text));
}

void say(std::string_view text) {
    put(fmt::format("etl: {}\n", text));
}

void say(std::string_view name, const etl::Error& error) {
    put(fmt::format("etl: {}: {}\n", printable(name), etl::describe(error)));
}

void FindingPrinter::report(const etl::Diagnostic& finding) {
    const bool has_name = names_ != nullptr && finding.file < names_->size();
    print(finding, has_name ? std::string_view((*names_)[finding.file]) : "?");
}

void FindingPrinter::print(const etl::Diagnostic& finding, std::string_view name) {
    warnings_ += finding.severity == etl::Severity::warning ? 1U : 0U;
    if (++findings_ <= shown) {
        put(fmt::format("{}:{}\n", printable(name), etl::describe(finding)));
    }
}

FindingPrinter::~FindingPrinter() {
    if (findings_ > shown) {
        put(fmt::format("etl: {}; `etl check` lists them all\n",
                        plural(findings_ - shown, "more finding")));
    }
}

ProgressBar::ProgressBar(Mode mode) {
    const etl::io::Terminal terminal = etl::io::standard_error_terminal();
    // Data on the same terminal would break up the bar.
    const bool is_alone = mode == Mode::always || !etl::io::standard_output_is_terminal();
    active_ = mode != Mode::never && terminal.interactive && is_alone;
    columns_ = terminal.columns;
}

ProgressBar::~ProgressBar() {
    if (drawn_) {
        put(fmt::format("\r{:{}}\r", "", std::max(0, columns_ - 1)));
    }
}

void ProgressBar::show(double done, std::uint64_t events) {
    using namespace std::chrono_literals;
    if (!active_) {
        return;
    }
    const auto now = Clock::now();
    if (now - last_ < 200ms) {
        return;
    }
    last_ = now;
    done_ = std::clamp(std::max(done, done_), 0.0, 1.0);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (seconds < 0.5) {
        return;
    }
    const std::string facts = fmt::format(" {:3.0f}%  {:.1f} M events/s  {:.0f} s left",
                                          100 * done_, static_cast<double>(events) / seconds / 1e6,
                                          done_ > 0 ? seconds / done_ - seconds : 0.0);
    const int width = std::max(0, columns_ - static_cast<int>(facts.size()) - 4);
    const int filled = static_cast<int>(done_ * width);
    put(fmt::format("\r[{:=<{}}{:{}}]{}", "", filled, "", width - filled, facts));
    drawn_ = true;
}

} // namespace cli
