// etld: the host of machine sessions. docs/machine-sessions.md
#include <etl/machine.hpp>

#include "cli/help.hpp"
#include "cli/verb.hpp"
#include "io/output_file.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

etl::machine::Host* running = nullptr;

void stop_running(int) {
    running->stop();
}

int run(const etl::machine::HostOptions& options) {
    auto host = etl::machine::Host::open(options);
    if (!host) {
        std::fprintf(stderr, "etld: %s\n", describe(host.error()).c_str());
        return 2;
    }
    running = &*host;
    std::signal(SIGTERM, stop_running);
    std::signal(SIGINT, stop_running);
    std::signal(SIGHUP, SIG_IGN);
    host->run();
    std::_Exit(0); // all that takes writes is complete; the rest may hang
}

/// Prints what a command line asked for, or what is wrong with it.
int finish(const cli::Verb& app, const cli::ParseEnd& end) {
    using Why = cli::ParseEnd::Why;
    if (end.why == Why::help || end.why == Why::version) {
        const std::string text = end.why == Why::help ? cli::help_of(app) : end.text + '\n';
        return std::fputs(text.c_str(), stdout) < 0 ? 2 : 0;
    }
    std::fprintf(stderr, "etld: %s\nRun `etld --help` for the options.\n", end.text.c_str());
    return 64;
}

} // namespace

int main(int count, char** arguments) {
    cli::Verb app("Host of the sessions of this machine; `etl session` starts it when it is needed",
                  "etld");
    app.set_version_flag("-v,--version", "etld " ETL_VERSION, "print the version");
    app.set_help_flag("-h,--help", "print this help");
    etl::machine::HostOptions options{.may_be_activated = true};
    options.report = [](const std::string& line) {
        std::fprintf(stderr, "etld: %s\n", line.c_str());
    };
    bool stays = false, asks_man_page = false;
    app.add_option("--directory", options.directory,
                   "directory of the socket (default: ETL_HOST; else /run/etl for root, etl in "
                   "XDG_RUNTIME_DIR, or /tmp/etl-UID)")
        ->type_name("DIR");
    app.add_flag("--all-users", options.is_for_all_users,
                 "serve the programs and controllers of all users, as in /run/etl");
    app.add_flag("--stay", stays, "do not end when no session and no controller is left");
    app.add_flag("--man-page", asks_man_page, "print the man page and end");
    if (const auto end = app.parse({arguments + std::min(count, 1), arguments + count})) {
        return finish(app, *end);
    }
    if (asks_man_page) {
        return std::fputs(cli::man_page(app).c_str(), stdout) < 0 ? 2 : 0;
    }
    if (stays) {
        options.idle_limit.reset();
    }
    etl::io::ignore_closed_pipes();
    etl::io::ignore_file_size_signal();
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "etld: %s\n", error.what());
        return 2;
    }
}
