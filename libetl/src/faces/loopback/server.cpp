#include "loopback/server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <cstring>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <utility>

namespace etl::loopback {

namespace {

constexpr std::string_view api = "/api/";

/// Bytes of the headers of a request.
constexpr std::size_t max_headers = std::size_t{32} << 10U;

constexpr std::array<std::pair<const char*, const char*>, 7> common_headers{{
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy", "frame-ancestors 'none'"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
}};

std::string_view header_of(MHD_Connection* connection, const char* name) {
    const char* const value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value != nullptr ? value : std::string_view();
}

/// `:45123`.
bool is_port(std::string_view text, std::uint16_t port) noexcept {
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number == port;
}

/// Sends a reply. `body` is copied.
MHD_Result send(MHD_Connection* connection, unsigned status, const char* type,
                std::string_view body) {
    MHD_Response* const response = MHD_create_response_from_buffer(
        body.size(), const_cast<char*>(body.data()), MHD_RESPMEM_MUST_COPY);
    if (response == nullptr) {
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (const auto& [name, value] : common_headers) {
        MHD_add_response_header(response, name, value);
    }
    const MHD_Result sent = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return sent;
}

MHD_Result refuse(MHD_Connection* connection, unsigned status, std::string_view why) {
    return send(connection, status, "application/json",
                std::string("{\"error\":\"").append(why).append("\",\"about\":\"\"}"));
}

/// What has arrived of the body of a request.
struct Body {
    std::string text;
    bool is_too_long = false;

    void add(std::string_view more) {
        is_too_long = is_too_long || more.size() > max_body - text.size();
        if (!is_too_long) {
            text += more;
        }
    }
};

} // namespace

bool is_own_host(std::string_view host, std::uint16_t port) noexcept {
    for (const std::string_view name : {"127.0.0.1:", "localhost:", "[::1]:"}) {
        if (host.starts_with(name)) {
            return is_port(host.substr(name.size() - 1), port);
        }
    }
    return false;
}

bool is_own_origin(std::string_view origin, std::uint16_t port) noexcept {
    constexpr std::string_view scheme = "http://";
    return origin.empty() ||
           (origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()), port));
}

struct Server::State {
    std::string page;
    Handler handler;
    std::uint16_t port = 0;
    MHD_Daemon* daemon = nullptr;  // 127.0.0.1
    MHD_Daemon* daemon6 = nullptr; // ::1; null: there is none

    State(std::string html, Handler answers) : page(std::move(html)), handler(std::move(answers)) {}

    State(const State&) = delete;
    State& operator=(const State&) = delete;

    ~State() {
        for (MHD_Daemon* const one : {daemon, daemon6}) {
            if (one != nullptr) {
                MHD_stop_daemon(one);
            }
        }
    }

    bool listen();

    /// Returns the status with which a request is refused for its headers; 0: it is not.
    unsigned refusal_of(MHD_Connection* connection, std::string_view path,
                        std::string_view method) const;

    MHD_Result answer(MHD_Connection* connection, std::string_view path, std::string_view method,
                      const Body& body) const;

    /// Called for the headers of a request, for each piece of its body, and at its end. What is
    /// thrown is answered with 500: it must not reach the library, which is written in C.
    static MHD_Result on_request(void* state, MHD_Connection* connection, const char* url,
                                 const char* method, const char* version, const char* data,
                                 std::size_t* size, void** of_request) noexcept;

    MHD_Result take(MHD_Connection* connection, std::string_view url, std::string_view method,
                    std::string_view data, std::size_t* size, void** of_request) const;

    static void on_end(void* state, MHD_Connection* connection, void** of_request,
                       MHD_RequestTerminationCode why);

    /// Returns null if the system has no such address.
    MHD_Daemon* listen_at(const sockaddr* address, unsigned flags);
};

namespace {

bool is_json(std::string_view type) noexcept {
    constexpr std::string_view json = "application/json";
    return type.starts_with(json) && (type.size() == json.size() || type[json.size()] == ';');
}

} // namespace

unsigned Server::State::refusal_of(MHD_Connection* connection, std::string_view path,
                                   std::string_view method) const {
    if (!is_own_host(header_of(connection, MHD_HTTP_HEADER_HOST), port) ||
        !is_own_origin(header_of(connection, MHD_HTTP_HEADER_ORIGIN), port)) {
        return MHD_HTTP_FORBIDDEN;
    }
    if (path == "/") {
        return method == MHD_HTTP_METHOD_GET ? 0 : MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (!path.starts_with(api)) {
        return MHD_HTTP_NOT_FOUND;
    }
    if (method != MHD_HTTP_METHOD_POST) {
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    // A form of another page cannot send this type without asking first.
    return is_json(header_of(connection, MHD_HTTP_HEADER_CONTENT_TYPE))
               ? 0
               : MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
}

MHD_Result Server::State::answer(MHD_Connection* connection, std::string_view path,
                                 std::string_view method, const Body& body) const {
    if (const unsigned status = refusal_of(connection, path, method); status != 0) {
        return refuse(connection, status, "not for this server");
    }
    if (path == "/") {
        return send(connection, MHD_HTTP_OK, "text/html; charset=utf-8", page);
    }
    if (body.is_too_long) {
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "the request is too long");
    }
    const Reply reply = handler({.name = path.substr(api.size()),
                                 .key = header_of(connection, "X-Etl-Key"),
                                 .body = body.text});
    return send(connection, reply.status, reply.type.data(), reply.body);
}

MHD_Result Server::State::take(MHD_Connection* connection, std::string_view url,
                               std::string_view method, std::string_view data, std::size_t* size,
                               void** of_request) const {
    auto* body = static_cast<Body*>(*of_request);
    if (body == nullptr) {
        // Before a body is sent in vain.
        if (const unsigned status = refusal_of(connection, url, method); status != 0) {
            return refuse(connection, status, "not for this server");
        }
        *of_request = new Body; // on_end() deletes it
        return MHD_YES;
    }
    if (!data.empty()) {
        body->add(data);
        *size = 0;
        return MHD_YES;
    }
    return answer(connection, url, method, *body);
}

MHD_Result Server::State::on_request(void* state, MHD_Connection* connection, const char* url,
                                     const char* method, const char* /*version*/, const char* data,
                                     std::size_t* size, void** of_request) noexcept {
    try {
        return static_cast<const State*>(state)->take(connection, url, method, {data, *size}, size,
                                                      of_request);
    } catch (...) {
        constexpr std::string_view why = R"({"error":"not enough memory","about":""})";
        MHD_Response* const response = MHD_create_response_from_buffer(
            why.size(), const_cast<char*>(why.data()), MHD_RESPMEM_PERSISTENT);
        if (response == nullptr) {
            return MHD_NO;
        }
        const MHD_Result sent =
            MHD_queue_response(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, response);
        MHD_destroy_response(response);
        return sent;
    }
}

void Server::State::on_end(void* /*state*/, MHD_Connection* /*connection*/, void** of_request,
                           MHD_RequestTerminationCode /*why*/) {
    delete static_cast<Body*>(*of_request);
    *of_request = nullptr;
}

MHD_Daemon* Server::State::listen_at(const sockaddr* address, unsigned flags) {
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | flags, 0, nullptr,
        nullptr, on_request, this, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_CONNECTION_LIMIT,
        max_connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, max_headers, MHD_OPTION_NOTIFY_COMPLETED, on_end,
        nullptr, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

namespace {

/// The form in which sockets take addresses of all families.
const sockaddr* general(const void* address) noexcept {
    return static_cast<const sockaddr*>(address);
}

} // namespace

bool Server::State::listen() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    daemon = listen_at(general(&address), MHD_NO_FLAG);
    const MHD_DaemonInfo* const info =
        daemon != nullptr ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : nullptr;
    if (info == nullptr) {
        return false;
    }
    port = info->port;
    sockaddr_in6 address6{};
    address6.sin6_family = AF_INET6;
    address6.sin6_addr = in6addr_loopback;
    address6.sin6_port = htons(port);
    daemon6 = listen_at(general(&address6), MHD_USE_IPv6);
    return true;
}

Server::Server(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

Result<Server> Server::start(std::string page, Handler handler) {
    auto state = std::make_unique<State>(std::move(page), std::move(handler));
    if (!state->listen()) {
        return fail(ErrorCode::io_failure, "a port of this machine to listen on");
    }
    return Server(std::move(state));
}

std::uint16_t Server::port() const noexcept {
    return state_->port;
}

std::string Server::address() const {
    return "http://127.0.0.1:" + std::to_string(state_->port) + "/";
}

} // namespace etl::loopback
