#include "explore/opened.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace etl::explore {

namespace {

using dataset::covers;
using dataset::Dataset;
using dataset::Known;

/// What is kept of questions about single windows.
constexpr std::size_t max_windows = 8;
constexpr std::size_t max_kept_bytes = std::size_t{32} << 20U; // of facts

/// How often a question that waits for another one looks whether it is stopped.
constexpr auto patience = std::chrono::milliseconds(10);

/// The expression that `processes` are part of.
std::string where_of(const Selection& selection) {
    if (selection.processes.empty()) {
        return selection.where;
    }
    std::string words;
    for (const std::string& process : selection.processes) {
        words.append(words.empty() ? "" : ", ").append(quoted(process));
    }
    return selection.where.empty()
               ? fmt::format("process in ({})", words)
               : fmt::format("({}) and process in ({})", selection.where, words);
}

/// Bytes of names and stacks.
std::size_t size_of(const facts::FactsByTrace& facts) {
    std::size_t bytes = 0;
    for (const facts::Facts& one : facts) {
        bytes += one.counts().bytes;
    }
    return bytes;
}

} // namespace

dataset::Needs usual_needs() {
    return {.schemas = gather::SchemaScope::everything,
            .facts = facts::Scope::processes,
            .origins = true};
}

OpenedTraces::OpenedTraces(Dataset traces) : traces_(std::move(traces)) {
    is_indexed_ = traces_.is_indexed(); // reads the indexes: nothing changes any more
    static_cast<void>(traces_.symbols());
}

std::string quoted(const std::string& text) {
    std::string to = "'";
    for (const char letter : text) {
        to.append(letter == '\'' ? 2 : 1, letter);
    }
    return to + "'";
}

TraceError stopped_error() {
    return {{.code = ErrorCode::stopped, .what = "the question"}, {}, {}};
}

std::unexpected<TraceError> wrong(ErrorCode code, std::string about, std::string detail) {
    return std::unexpected(
        TraceError{{.code = code, .what = "question"}, std::move(about), std::move(detail)});
}

std::expected<void, TraceError> check_count(std::uint64_t rows) {
    if (rows > max_rows) {
        return wrong(ErrorCode::invalid_option, "count", fmt::format("at most {} rows", max_rows));
    }
    return {};
}

std::expected<void, TraceError> OpenedTraces::prepare(const Asked& asked) {
    std::unique_lock lock(mutex_);
    while (is_preparing_ && !known_) {
        if (is_stopped(asked.traces.options().stop)) {
            return std::unexpected(stopped_error());
        }
        prepared_.wait_for(lock, patience);
    }
    if (known_) {
        return {};
    }
    is_preparing_ = true;

    // Others go on even if it fails.
    struct Preparing {
        OpenedTraces& opened;
        std::unique_lock<std::mutex>& lock;

        ~Preparing() {
            if (!lock.owns_lock()) {
                lock.lock();
            }
            opened.is_preparing_ = false;
            opened.prepared_.notify_all();
        }
    } const end{*this, lock};

    lock.unlock();
    auto preparing = traces_.again(asked.traces.options());
    auto context =
        preparing ? preparing->context(usual_needs()) : std::unexpected(preparing.error());
    lock.lock();
    if (is_stopped(asked.traces.options().stop)) {
        return std::unexpected(stopped_error());
    }
    if (!context) {
        return std::unexpected(context.error());
    }
    known_ = preparing->known();
    return {};
}

void OpenedTraces::recall(Asked& asked, const flow::TimeFilter::Window& window) const {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(
        of_windows_, [&](const Known& one) { return covers(one.needs.stacks, window); });
    asked.traces.recall(found != of_windows_.end() ? *found : *known_);
}

std::expected<Asked, TraceError> OpenedTraces::ask(const Selection& selection, const Stop* stop,
                                                   ProcessFilter processes) {
    auto where = dataset::compile_where(selection.where, traces_.bounds());
    if (!where) { // by itself, so that its columns are those of the text
        return std::unexpected(std::move(where.error()));
    }
    dataset::Options options = traces_.options();
    options.where = processes == ProcessFilter::events ? where_of(selection) : selection.where;
    options.from = selection.from;
    options.to = selection.to;
    options.stop = stop;
    auto messages = std::make_unique<dataset::Messages>();
    messages->receive_from(options);
    options.findings = {}; // of the whole file: they were reported when it was opened
    auto traces = traces_.again(std::move(options));
    if (!traces) {
        return std::unexpected(std::move(traces.error()));
    }
    auto filters = traces->filters();
    if (!filters) {
        return std::unexpected(std::move(filters.error()));
    }
    Asked asked{std::move(messages), *std::move(traces), *std::move(filters)};
    if (auto prepared = prepare(asked); !prepared) {
        return std::unexpected(std::move(prepared.error()));
    }
    recall(asked, asked.filters.window);
    return asked;
}

void OpenedTraces::keep(const Asked& asked) {
    const Known known = asked.traces.known();
    if (is_stopped(asked.traces.options().stop) || known.needs.facts != facts::Scope::everything ||
        size_of(*known.context.facts) > max_kept_bytes) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    std::erase_if(of_windows_,
                  [&](const Known& one) { return covers(known.needs.stacks, one.needs.stacks); });
    of_windows_.push_front(known);
    of_windows_.resize(std::min(of_windows_.size(), max_windows));
}

} // namespace etl::explore
