// `etl live`: the events of a machine session, as they are written. docs/machine-sessions.md
#include <etl/base/guid.hpp>
#include <etl/host/descriptor.hpp>
#include <etl/host/process.hpp>
#include <etl/machine/controller.hpp>

#include "cli/console.hpp"
#include "verbs/dump/dumping.hpp"
#include "verbs/session/verbs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

namespace cli {

namespace {

/// A named pipe that is gone with its object, and has a reader until then.
class NamedPipe {
public:
    NamedPipe()
        : path_((std::filesystem::temp_directory_path() /
                 ("etl-live-" + etl::to_string(etl::host::new_guid())))
                    .string()) {
        if (etl::host::create_named_pipe(path_)) {
            reader_ = etl::host::open_named_pipe(path_, etl::host::PipeEnd::reader);
        }
    }

    NamedPipe(const NamedPipe&) = delete;
    NamedPipe& operator=(const NamedPipe&) = delete;

    ~NamedPipe() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    const std::string& path() const noexcept { return path_; }

    bool is_open() const noexcept { return static_cast<bool>(reader_); }

private:
    std::string path_;
    etl::host::Descriptor reader_;
};

ExitCode run(DumpOptions options, const std::string& session) {
    auto host = etl::machine::Controller::connect();
    if (!host) {
        say(printable(fmt::format("machine sessions: {}", describe(host.error()))));
        return ExitCode::failed;
    }
    const NamedPipe pipe;
    if (!pipe.is_open()) {
        say(printable(pipe.path()) + ": cannot create a named pipe");
        return ExitCode::failed;
    }
    if (const auto delivered = host->deliver(session, pipe.path()); !delivered) {
        say(printable(
            fmt::format("{}: {}{}", session, describe(delivered.error()),
                        delivered.error().status == etl::session::Status::wmi_instance_not_found
                            ? "; `etl session list` lists the sessions, and "
                              "`etl session start --live` starts one in real-time mode"
                            : "")));
        return ExitCode::failed;
    }
    options.traces.arguments = {pipe.path()};
    return run_dump(std::move(options));
}

} // namespace

void add_live(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb =
        *etl.add_subcommand("live", "Print the events of a session as they are written");
    auto options = std::make_shared<DumpOptions>();
    auto session = std::make_shared<std::string>();
    verb.add_option("NAME", *session, "session in real-time mode, in any case")
        ->required()
        ->type_name("");
    add_event_options(verb, *options);
    verb.footer(R"(Examples:
  etl session start Now --provider MyCompany.Service --live
  etl live Now
  etl live Now --format jsonl --level warning

The first consumer receives the events that were kept while there was none. Ends when the session
stops, or with Ctrl-C. See docs/machine-sessions.md.)");
    verb.callback([options, session, &exit] { exit = run(*options, *session); });
}

} // namespace cli
