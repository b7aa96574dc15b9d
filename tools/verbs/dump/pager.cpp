#include "verbs/dump/pager.hpp"

#include "cli/console.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace cli {

#ifdef _WIN32

// No pager: `more` would break colors and wide lines, and the terminal scrolls.
struct Pager::Process {};

std::unique_ptr<Pager> Pager::start() {
    return nullptr;
}

Pager::Pager(std::unique_ptr<Process> process) : process_(std::move(process)) {}

Pager::~Pager() = default;

etl::Result<void> Pager::write(std::string_view) {
    return {};
}

#else

namespace {

/// Whether the first word of a command is a program.
bool is_program(const std::string& command) {
    const std::string word = command.substr(0, command.find(' '));
    std::error_code ignored;
    if (word.find('/') != std::string::npos) {
        return std::filesystem::is_regular_file(word, ignored);
    }
    const std::string path = etl::io::environment("PATH");
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        if (std::filesystem::is_regular_file(path.substr(at, end - at) + "/" + word, ignored)) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

std::optional<std::string> pager_command() {
    if (std::getenv("PAGER") == nullptr) {
        for (const char* const known : {"less", "more"}) {
            if (is_program(known)) {
                return known;
            }
        }
        return std::nullopt;
    }
    std::string asked = etl::io::environment("PAGER");
    if (asked.empty() || asked == "cat") {
        return std::nullopt;
    }
    if (!is_program(asked)) {
        say(fmt::format("note: PAGER: program '{}' not found; the output is not paged",
                        printable(asked)));
        return std::nullopt;
    }
    return asked;
}

} // namespace

struct Pager::Process {
    std::FILE* pipe = nullptr;
    void (*on_interrupt)(int) = SIG_DFL; // the previous handler
};

Pager::Pager(std::unique_ptr<Process> process) : process_(std::move(process)) {}

std::unique_ptr<Pager> Pager::start() {
    if (!etl::io::standard_input_is_terminal() ||
        !etl::io::standard_output_terminal().interactive) {
        return nullptr;
    }
    const auto command = pager_command();
    if (!command) {
        return nullptr;
    }
    // Pass colors through, quit if the output fits on one screen, and keep the screen.
    if (etl::io::environment("LESS").empty()) {
        ::setenv("LESS", "FRX", 1);
    }
    auto process = std::make_unique<Process>();
    process->pipe = ::popen(command->c_str(), "w");
    if (process->pipe == nullptr) {
        return nullptr;
    }
    process->on_interrupt = std::signal(
        SIGINT, SIG_IGN); // after the pager has started, so that it does not inherit this
    return std::unique_ptr<Pager>(new Pager(std::move(process)));
}

Pager::~Pager() {
    ::pclose(process_->pipe);
    std::signal(SIGINT, process_->on_interrupt);
}

etl::Result<void> Pager::write(std::string_view bytes) {
    if (closed_) {
        return {};
    }
    const bool is_written =
        std::fwrite(bytes.data(), 1, bytes.size(), process_->pipe) == bytes.size() &&
        std::fflush(process_->pipe) == 0;
    if (is_written) {
        return {};
    }
    closed_ = errno == EPIPE;
    return closed_
               ? etl::Result<void>{}
               : std::unexpected(etl::Error{
                     .code = etl::ErrorCode::io_failure, .what = "pager output", .os_code = errno});
}

#endif

} // namespace cli
