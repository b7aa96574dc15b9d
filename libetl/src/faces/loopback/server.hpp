// Server: HTTP on this machine alone, for a page in a browser. Free of ETW terms.
// docs/decisions/0050-viewer.md
//
//     const auto server = loopback::Server::start(page, [](const loopback::Request& request) {
//         return loopback::Reply{.body = "{}"};
//     });
//     std::puts(server->address().c_str()); // http://127.0.0.1:45123/
#pragma once

#include <etl/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace etl::loopback {

/// Connections at a time, bytes of the body of a request, and seconds in which nothing happens on a
/// connection.
inline constexpr unsigned max_connections = 64;
inline constexpr std::size_t max_body = std::size_t{1} << 20U;
inline constexpr unsigned idle_seconds = 60;

/// A request to post something. Views; valid during the call.
struct Request {
    std::string_view name; // what follows `/api/`
    std::string_view key;  // of the header `X-Etl-Key`; empty: there is none
    std::string_view body;
};

struct Reply {
    unsigned status = 200;
    std::string_view type = "application/json"; // static
    std::string body;
};

/// Called by many threads at a time.
using Handler = std::function<Reply(const Request& request)>;

/// Listens on 127.0.0.1, and on ::1 if the system has it, at a port that the system chooses.
/// `GET /` returns the page. `POST /api/NAME` is for the handler, if the body is JSON. Requests
/// for other hosts, and from pages of other origins, are refused: no other page of the browser
/// gets an answer, also not through a name that resolves to this machine.
class Server {
public:
    /// `page` is HTML. Errors: io_failure.
    static Result<Server> start(std::string page, Handler handler);

    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Waits for the handler to end.
    ~Server();

    std::uint16_t port() const noexcept;

    /// `http://127.0.0.1:45123/`.
    std::string address() const;

private:
    struct State;

    explicit Server(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// Whether a request names this server: the header `Host`. Pure.
bool is_own_host(std::string_view host, std::uint16_t port) noexcept;

/// Whether a request comes from its page, or from no page: the header `Origin`; empty: there is
/// none. Pure.
bool is_own_origin(std::string_view origin, std::uint16_t port) noexcept;

} // namespace etl::loopback
