// etld: the host of machine sessions. docs/machine-sessions.md
#include "cli/help.hpp"
#include "cli/man_page.hpp"
#include "io/output_file.hpp"
#include "machine/host.hpp"

#include <CLI/CLI.hpp>

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

} // namespace

int main(int count, char** arguments) {
    CLI::App app("Host of the sessions of this machine; `etl session` starts it when it is needed",
                 "etld");
    app.formatter(std::make_shared<cli::HelpFormatter>(cli::help_width()));
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
    CLI11_PARSE(app, count, arguments);
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
