// etl view: a page about traces, and the server that answers it. docs/view.md
#include "base/shell_word.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/stop_signals.hpp"
#include "cli/verbs.hpp"
#include "host/programs.hpp"
#include "inputs/live_session.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "io/private_file.hpp"
#include "loopback/access.hpp"
#include "loopback/server.hpp"
#include "outputs/anonymized_copy.hpp"
#include "pages/page.hpp"
#include "verbs/view/following.hpp"
#include "verbs/view/indexing.hpp"
#include "viewer/request.hpp"
#include "viewer/saved_view.hpp"
#include "viewer/service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace cli {

namespace {

constexpr const char* view_footer = R"(Examples:
  etl view trace.etl
  etl view --symbols /srv/symbols trace.etl
  etl view --no-open trace.etl
  etl view kettle.etlview.json
  etl view --anonymize trace.etl
  etl view after.etl --against before.etl
  etl view --follow growing.etl
  etl view --session Morning
Opens a page in the browser that shows the trace: a timeline, tables and flame graphs of what is
selected, events one by one. The page asks this program, which listens on this machine alone, and
ends with Ctrl-C, or a minute after the last page was closed. In your cache, it writes an index
(--no-index: none) and, while it runs, a page that leads to the address; with --anonymize, a copy in
TMPDIR. Exit codes: 0 success, 2 failure, 64 usage error. See docs/view.md.)";

static_assert(etl::loopback::max_body == etl::viewer::max_request);

using Clock = std::chrono::steady_clock;

/// After the last page has gone.
constexpr auto farewell = std::chrono::seconds(60);

/// A question may take so long.
constexpr auto time_limit = std::chrono::seconds(300);

struct ViewOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols;
    AnonymizedCopy copy;
    std::string against; // empty: no trace to compare with
    std::string session; // whose file is followed; empty: traces are named
    bool follow = false;
    unsigned pointer_size = 0;
    bool opens_no_browser = false;
};

etl::dataset::Options dataset_options_of(const ViewOptions& options) {
    const etl::dataset::Options& given = options.traces;
    etl::dataset::Options how = given;
    how.schemas = options.schemas.paths;
    how.culture = options.schemas.culture;
    how.symbols = options.symbols.paths;
    how.pointer_size = options.pointer_size;
    how.is_single_pass = false;
    how.ignores_indexes = how.ignores_indexes || options.copy.is_wanted(); // of the original
    return how;
}

std::string words_of(std::string_view option, const std::vector<std::string>& values) {
    std::string words;
    for (const std::string& value : values) {
        words += fmt::format(" --{} {}", option, etl::shell_word(value));
    }
    return words;
}

etl::viewer::OpenedWith opened_with(const ViewOptions& options) {
    if (options.copy.is_wanted()) { // paths can be personal data
        etl::viewer::OpenedWith with{.traces = AnonymizedCopy::name, .hides_bytes = true};
        with.hidden_paths = options.schemas.paths;
        std::ranges::copy(options.symbols.paths, std::back_inserter(with.hidden_paths));
        return with;
    }
    etl::viewer::OpenedWith with;
    for (const std::string& name : options.traces.arguments) {
        with.traces += (with.traces.empty() ? "" : " ") + etl::shell_word(name);
    }
    with.against = options.against.empty() ? "" : etl::shell_word(options.against);
    with.is_one = options.traces.arguments.size() == 1 && !options.traces.recursive;
    with.options = words_of("schema", options.schemas.paths);
    with.options += options.traces.recursive ? " --recursive" : "";
    with.symbols = words_of("symbols", options.symbols.paths);
    return with;
}

/// Which pages there are: each waits for news all the time.
class Pages {
public:
    /// One request, as long as it lives.
    class Visit {
    public:
        explicit Visit(Pages& pages) : pages_(&pages) { ++pages.visits_; }

        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

        ~Visit() {
            pages_->last_ = Clock::now();
            --pages_->visits_;
            pages_->had_any_ = true;
        }

    private:
        Pages* pages_;
    };

    /// Whether there were pages, and the last one has gone.
    bool are_gone() const {
        return had_any_ && visits_ == 0 && Clock::now() - last_.load() > farewell;
    }

private:
    std::atomic<int> visits_ = 0;
    std::atomic<bool> had_any_ = false;
    std::atomic<Clock::time_point> last_{};
};

/// Answers requests of pages that know the key.
etl::loopback::Reply answer(const etl::loopback::Request& request,
                            const etl::loopback::Access& access, etl::viewer::Service& service,
                            Pages& pages) {
    constexpr unsigned unauthorized = 401;
    const auto refused = [] {
        return etl::loopback::Reply{
            .status = unauthorized,
            .body =
                R"({"error":"the page is of another server: open the address that etl printed",)"
                R"("about":"key"})"};
    };
    if (request.name == "enter") {
        const auto asked = etl::viewer::parse_request(request.body);
        const auto key = asked ? access.enter(asked->token) : std::nullopt;
        return key ? etl::loopback::Reply{.body = fmt::format(R"({{"key":"{}"}})", *key)}
                   : refused();
    }
    if (!access.admits(request.key)) {
        return refused();
    }
    const Pages::Visit visit(pages);
    etl::viewer::Reply reply = service.answer(request.name, request.body);
    return {.status = static_cast<unsigned>(reply.status),
            .type = reply.type,
            .body = std::move(reply.body)};
}

bool has_display() {
    return !etl::io::environment("DISPLAY").empty() ||
           !etl::io::environment("WAYLAND_DISPLAY").empty();
}

/// A page in the cache of the user that leads to an address: command lines of programs can be read
/// by others, and the address contains the token.
class Signpost {
public:
    explicit Signpost(const std::string& address) {
        const std::string cache = etl::io::user_cache_directory();
        if (cache.empty()) {
            return;
        }
        const std::string folder = cache + "/etl/view";
        const std::string page =
            fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"refresh\" content=\"0;url={0}\">\n"
                        "<title>etl view</title>\n<a href=\"{0}\">etl view</a>\n",
                        markup_of(address));
        const std::string name = fmt::format("start-{}.html", etl::now().ticks);
        if (etl::io::create_private_file(folder + "/" + name, std::as_bytes(std::span(page)))) {
            path_ = folder + "/" + name;
        }
    }

    Signpost(const Signpost&) = delete;
    Signpost& operator=(const Signpost&) = delete;

    ~Signpost() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    /// Empty: there is none.
    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// Returns whether a browser was asked to open a page.
bool open_browser(const std::string& page) {
    const std::string opener = etl::host::find_program("xdg-open");
    return !page.empty() && !opener.empty() && has_display() &&
           etl::host::start_in_background(opener, {page}).has_value();
}

void say_address(const std::string& address, std::uint16_t port, bool is_opened) {
    say_plainly(fmt::format(
        "{}{}", is_opened ? "Opened in the browser: " : "Open in a browser: ", address));
    if (!is_opened && !etl::io::environment("SSH_CONNECTION").empty()) {
        say_plainly(fmt::format("From your own machine, first: ssh -N -L {0}:127.0.0.1:{0} "
                                "USER@HOST",
                                port));
    }
    say_plainly("Ctrl-C ends it; it also ends a minute after the last page was closed.");
}

/// `state`: of the page, as its address has it; empty: the first one. `work` is done meanwhile, as
/// by Background.
ExitCode serve(const ViewOptions& options, etl::viewer::Service& service, const std::string& state,
               std::function<bool()> work, etl::Stop& stop) {
    const etl::loopback::Access access;
    Pages pages;
    const auto server = etl::loopback::Server::start(
        html_of({.title = "etl view", .files = viewer_files(), .data = "{}", .has_server = true}),
        [&](const etl::loopback::Request& request) {
            return answer(request, access, service, pages);
        });
    if (!server) {
        say("view", server.error());
        return ExitCode::failed;
    }
    const StopSignals signals;
    const std::string address = fmt::format("{}#token={}{}{}", server->address(), access.token(),
                                            state.empty() ? "" : "&", state);
    std::optional<Signpost> signpost;
    if (!options.opens_no_browser && has_display()) {
        signpost.emplace(address);
    }
    say_address(address, server->port(), signpost && open_browser(signpost->path()));
    const Background background(std::move(work), stop);
    constexpr auto often = std::chrono::milliseconds(200);
    while (!signals.received() && !pages.are_gone() && !background.has_failed()) {
        std::this_thread::sleep_for(often);
        service.stop_longer_than(time_limit);
    }
    service.stop();
    return background.has_failed() ? ExitCode::failed : ExitCode::well;
}

/// A name beside a file, else in the current directory.
std::string beside(const std::string& file, const std::string& name) {
    const std::string there = file.substr(0, file.find_last_of('/') + 1) + name;
    return !name.starts_with('/') && etl::io::is_regular_file(there) ? there : name;
}

/// Reads the only argument if it is a saved view: then the traces are those that it names. Errors
/// are printed.
std::expected<std::optional<etl::viewer::SavedView>, ExitCode> read_saved(ViewOptions& options) {
    std::vector<std::string>& names = options.traces.arguments;
    if (names.size() != 1 || !names.front().ends_with(etl::viewer::saved_view_ending)) {
        return std::nullopt;
    }
    const std::string path = names.front();
    const auto file = etl::io::InputFile::map(path);
    if (!file) {
        say(printable(path), file.error());
        return std::unexpected(ExitCode::failed);
    }
    auto view = etl::viewer::parse_saved_view(etl::as_text((*file)->bytes()));
    if (!view) {
        say(fmt::format("{}: {}", printable(path), view.error().what));
        return std::unexpected(ExitCode::failed);
    }
    names.clear();
    for (const std::string& input : view->inputs) {
        names.push_back(beside(path, input));
    }
    return *std::move(view);
}

/// Whether a view was saved from traces with these times.
bool is_of(const etl::viewer::SavedView& saved, const etl::explore::Explorer& explorer) {
    const etl::explore::Overview facts = explorer.overview(1);
    return saved.begin == std::to_string(facts.begin.ticks) &&
           saved.end == std::to_string(facts.end.ticks);
}

/// Anonymizes the traces, and opens the copy for the service. Returns whether it can be shown.
bool open_copy(Traces& traces, const ViewOptions& options, etl::viewer::Service& service,
               const etl::Stop& stop) {
    const auto show = progress_to(service, "Anonymizing");
    const auto copy =
        options.copy.make(traces, options.schemas,
                          {.pointer_size = options.pointer_size,
                           .progress = [&](double done, std::uint64_t) { show(done); }});
    if (!copy) {
        return stop.is_requested();
    }
    const etl::dataset::Options how = dataset_options_of(options);
    auto explorer =
        etl::explore::Explorer::open_inputs(etl::dataset::Inputs{.files = {*copy}}, how);
    if (!explorer) {
        say(etl::describe(explorer.error()));
        return false;
    }
    service.show({});
    service.replace(*std::move(explorer));
    if (!options.traces.ignores_indexes) {
        add_index_of(*copy, how, service, stop);
    }
    return true;
}

/// Nothing of the traces is shown before the copy exists, and nothing but the copy then.
ExitCode view_anonymized(ViewOptions& options, const std::string& state) {
    if (!options.copy.find_key()) {
        return ExitCode::failed;
    }
    etl::Stop stop;
    TraceOptions reading = options.traces;
    reading.pointer_size = options.pointer_size;
    reading.stop = &stop;
    Traces traces(reading);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    etl::viewer::Service service(opened_with(options));
    return serve(
        options, service, state, [&] { return open_copy(traces, options, service, stop); }, stop);
}

/// What could not be opened, and what was found while opening.
void say_problems(const etl::explore::Explorer& explorer) {
    for (const std::string& problem : explorer.problems()) {
        say(printable(problem));
    }
}

/// Shows a trace while another program writes it.
ExitCode view_growing(const ViewOptions& options, const std::string& state) {
    const std::vector<std::string>& names = options.traces.arguments;
    if (names.size() != 1) {
        say("--follow requires a single trace");
        return ExitCode::usage;
    }
    if (names.front() == "-") {
        say("--follow: not of standard input; write it to a file, and follow that");
        return ExitCode::usage;
    }
    etl::Stop stop;
    auto following = Following::open(names.front(), dataset_options_of(options));
    if (!following) {
        return ExitCode::failed;
    }
    auto explorer = following->next(stop);
    if (!explorer) {
        say(etl::describe(explorer.error()));
        return ExitCode::failed;
    }
    say_problems(**explorer);
    etl::viewer::Service service(**std::move(explorer), opened_with(options));
    const auto follow = [&] {
        following->run(service, stop);
        return true;
    };
    return serve(options, service, state, follow, stop);
}

/// Opens the trace to compare with, if there is one. Errors are printed.
std::expected<std::optional<etl::explore::Explorer>, ExitCode>
open_other(const ViewOptions& options) {
    if (options.against.empty()) {
        return std::nullopt;
    }
    auto other = etl::explore::Explorer::open({options.against}, dataset_options_of(options));
    if (!other) {
        say(etl::describe(other.error()));
        return std::unexpected(ExitCode::failed);
    }
    say_problems(*other);
    return std::optional(*std::move(other));
}

ExitCode run_view(ViewOptions& options) {
    if (!options.session.empty()) {
        auto file = file_of_session(options.session);
        if (!file) {
            return ExitCode::failed;
        }
        options.traces.arguments = {*std::move(file)};
        options.follow = true;
    } else if (options.traces.arguments.empty()) {
        throw RequiredError("FILE");
    }
    const auto saved = read_saved(options);
    if (!saved) {
        return saved.error();
    }
    const std::string state = *saved ? (*saved)->state : "";
    if (options.copy.is_wanted() && !options.against.empty()) {
        say("--against: not with --anonymize; compare anonymized copies, which `etl relog "
            "--anonymize --anonymize-key` writes");
        return ExitCode::usage;
    }
    if (options.copy.is_wanted() && options.follow) {
        say("--anonymize: not of a trace that grows; what is personal is found in all of a trace");
        return ExitCode::usage;
    }
    if (options.copy.is_wanted()) {
        return view_anonymized(options, state);
    }
    if (options.follow) {
        return view_growing(options, state);
    }
    auto explorer =
        etl::explore::Explorer::open(options.traces.arguments, dataset_options_of(options));
    if (!explorer) {
        say(etl::describe(explorer.error()));
        return ExitCode::failed;
    }
    say_problems(*explorer);
    if (*saved && !is_of(**saved, *explorer)) {
        say("note: the view was saved from another trace, or the trace has changed since");
    }
    auto other = open_other(options);
    if (!other) {
        return other.error();
    }
    etl::viewer::Service service(*std::move(explorer), opened_with(options));
    if (*other) {
        service.compare_with(**std::move(other));
    }
    etl::Stop stop;
    const auto index = [&] {
        const etl::dataset::Options how = dataset_options_of(options);
        add_indexes(options.traces.arguments, how, service, stop,
                    [&](etl::explore::Explorer opened) { service.replace(std::move(opened)); });
        if (!options.against.empty()) {
            add_indexes({options.against}, how, service, stop, [&](etl::explore::Explorer opened) {
                service.compare_with(std::move(opened));
            });
        }
        return true;
    };
    return options.traces.ignores_indexes ? serve(options, service, state, {}, stop)
                                          : serve(options, service, state, index, stop);
}

} // namespace

void add_view(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("view", "Look at traces in the browser");
    auto options = std::make_shared<ViewOptions>();
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    options->symbols.add_to(verb);
    add_pointer_size(verb, options->pointer_size);
    options->copy.add_to(verb);
    Option* const file = verb.get_option("FILE")->required(false);
    Option* const against =
        verb.add_option("--against", options->against, "compare with another trace, of before")
            ->type_name("TRACE");
    Option* const follow = verb.add_flag("--follow", options->follow,
                                         "show what is added while another program writes the "
                                         "trace")
                               ->excludes(against);
    verb.add_option("--session", options->session,
                    "instead of FILE, follow the file of this session of the machine")
        ->excludes(file)
        ->excludes(follow)
        ->excludes(against)
        ->type_name("NAME");
    verb.add_flag("--no-open", options->opens_no_browser,
                  "print the address instead of opening a browser");
    verb.footer(view_footer);
    verb.callback([options, &exit] { exit = run_view(*options); });
}

} // namespace cli
