// Service: answers what a page asks about opened traces. Values in and out: no HTTP.
// docs/view.md#interface
//
//     viewer::Service service(*explore::Explorer::open(paths, options), {.traces = "trace.etl"});
//     const viewer::Reply reply = service.answer("table", R"({"name": "cpu"})");
#pragma once

#include "explore/explorer.hpp"
#include "viewer/command.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace etl::viewer {

/// How an answer went. Values are the status codes of HTTP.
enum class Status : unsigned {
    ok = 200,
    wrong = 400, // the request
    not_found = 404,
    stopped = 409,
    failed = 500,
    preparing = 503, // the traces are not opened yet
};

struct Reply {
    Status status = Status::ok;
    std::string_view type = "application/json"; // of the body
    std::string body;
};

/// What goes on besides.
struct Progress {
    std::string what;           // `Indexing`
    std::optional<double> part; // 0 to 1; none: unknown
};

/// Of traces that another program is writing.
struct Growth {
    bool has_ended = false; // nothing is added any more
    std::string why{};      // it has ended, as a sentence
};

/// Thread-safe: each request is answered by the thread that asks.
class Service {
public:
    Service(explore::Explorer explorer, OpenedWith with);

    /// Knows nothing of the traces before replace(): questions about them are refused until then.
    explicit Service(OpenedWith with);
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    ~Service();

    /// Answers the request of this name. `wait` returns when something changes, at the latest after
    /// `patience` (service.cpp), or after stop().
    Reply answer(std::string_view name, std::string_view body);

    /// Shows pages what goes on; nothing: no more.
    void show(std::optional<Progress> progress);

    /// Answers from now on with another explorer of the same traces: the first one, one with
    /// indexes, or one of more that was written. Questions under way keep theirs.
    void replace(explore::Explorer explorer);

    /// Shows pages that the traces grow, or do not any more.
    void show_growth(Growth growth);

    /// From now on, questions can compare with another trace, OpenedWith::against: with this one,
    /// or with one of the same trace that has an index.
    void compare_with(explore::Explorer explorer);

    /// Ends the questions that have taken longer. Call it from time to time.
    void stop_longer_than(std::chrono::seconds limit);

    /// Ends all answers soon, and those that follow.
    void stop() noexcept;

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::viewer
