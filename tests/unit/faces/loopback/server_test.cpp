// The server, over sockets: what is answered, and who is refused.
#include "loopback/server.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <atomic>
#include <netinet/in.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace etl::loopback::server_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A connection to a server.
class Client {
public:
    explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address),
                  0);
    }

    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    ~Client() { ::close(socket_); }

    void send(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) {
                return; // the server has refused it already
            }
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    void end() const { ::shutdown(socket_, SHUT_WR); }

    /// All that comes until the server closes the connection.
    std::string rest() const {
        std::string text;
        std::array<char, 4096> block{};
        for (ssize_t size = 0; (size = ::recv(socket_, block.data(), block.size(), 0)) > 0;) {
            text.append(block.data(), static_cast<std::size_t>(size));
        }
        return text;
    }

private:
    int socket_;
};

class LoopbackServer : public testing::Test {
protected:
    LoopbackServer() {
        auto started = Server::start("<html>page</html>", [this](const Request& request) {
            ++requests_;
            if (request.name == "throw") {
                throw std::bad_alloc();
            }
            return Reply{.status = 200,
                         .type = "text/plain",
                         .body = std::string(request.name) + "|" + std::string(request.key) + "|" +
                                 std::to_string(request.body.size())};
        });
        EXPECT_TRUE(started);
        server_ = std::make_unique<Server>(*std::move(started));
    }

    std::string ask(std::string_view text) const {
        const Client client(server_->port());
        client.send(text);
        return client.rest();
    }

    std::string host() const {
        return "Host: 127.0.0.1:" + std::to_string(server_->port()) + "\r\n";
    }

    std::string post(std::string_view path, std::string_view headers, std::string_view body) const {
        return ask("POST " + std::string(path) + " HTTP/1.1\r\nConnection: close\r\n" +
                   std::string(headers) + "Content-Length: " + std::to_string(body.size()) +
                   "\r\n\r\n" + std::string(body));
    }

    std::string json_headers() const { return host() + "Content-Type: application/json\r\n"; }

    static std::string status_of(const std::string& answer) {
        return answer.size() > 12 ? answer.substr(9, 3) : answer;
    }

    std::unique_ptr<Server> server_;
    std::atomic<int> requests_ = 0;
};

TEST_F(LoopbackServer, ReturnsThePage) {
    const std::string answer = ask("GET / HTTP/1.1\r\nConnection: close\r\n" + host() + "\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(answer, HasSubstr("<html>page</html>"));
    for (const char* const header : {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                                     "Referrer-Policy: no-referrer", "frame-ancestors 'none'",
                                     "Cross-Origin-Resource-Policy: same-origin"}) {
        EXPECT_THAT(answer, HasSubstr(header));
    }
    EXPECT_THAT(answer, testing::Not(HasSubstr("Access-Control-Allow")));
    EXPECT_EQ(requests_, 0);
}

TEST_F(LoopbackServer, PassesRequestsOn) {
    const std::string answer =
        post("/api/table", json_headers() + "X-Etl-Key: secret\r\n", R"({"name":"cpu"})");
    EXPECT_THAT(answer, HasSubstr("table|secret|14"));
    EXPECT_THAT(post("/api/open",
                     json_headers() +
                         "Origin: http://localhost:" + std::to_string(server_->port()) + "\r\n",
                     ""),
                HasSubstr("open||0"));
    EXPECT_EQ(requests_, 2);
}

TEST_F(LoopbackServer, RefusesOtherHostsAndOrigins) {
    const std::string type = "Content-Type: application/json\r\n";
    const std::string port = std::to_string(server_->port());
    for (const std::string& other : std::vector<std::string>{
             "evil.example:" + port, "127.0.0.1", "127.0.0.1:" + port + "0",
             "127.0.0.1.evil.example:" + port, "localhost:", "127.0.0.1: " + port}) {
        EXPECT_EQ(status_of(post("/api/open", "Host: " + other + "\r\n" + type, "{}")), "403")
            << other;
        EXPECT_EQ(
            status_of(ask("GET / HTTP/1.1\r\nConnection: close\r\nHost: " + other + "\r\n\r\n")),
            "403")
            << other;
    }
    for (const std::string& origin : std::vector<std::string>{
             "http://evil.example", "null", "https://127.0.0.1:" + port, "http://127.0.0.1:1"}) {
        EXPECT_EQ(status_of(post("/api/open", host() + type + "Origin: " + origin + "\r\n", "{}")),
                  "403")
            << origin;
    }
    EXPECT_EQ(requests_, 0);
}

TEST_F(LoopbackServer, RefusesWhatIsNoRequest) {
    const auto get = [&](const std::string& path) {
        return status_of(
            ask("GET " + path + " HTTP/1.1\r\nConnection: close\r\n" + host() + "\r\n"));
    };
    EXPECT_EQ(get("/api/open"), "405");
    EXPECT_EQ(get("/etc/passwd"), "404");
    EXPECT_EQ(get("/../../etc/passwd"), "404");
    EXPECT_EQ(status_of(post("/", json_headers(), "{}")), "405");
    EXPECT_EQ(status_of(post("/api/open", host() + "Content-Type: text/plain\r\n", "{}")), "415");
    EXPECT_EQ(status_of(post("/api/open", host(), "{}")), "415");
    EXPECT_EQ(status_of(post("/api/open", json_headers(), std::string(max_body + 1, ' '))), "413");
    EXPECT_EQ(requests_, 0);
}

TEST_F(LoopbackServer, AnswersWhatItHasNoMemoryFor) {
    EXPECT_EQ(status_of(post("/api/throw", json_headers(), "{}")), "500");
    EXPECT_THAT(post("/api/table", json_headers(), "{}"), HasSubstr("table||2"));
}

TEST_F(LoopbackServer, ServesOthersWhileOneIsSlow) {
    const Client slow(server_->port());
    slow.send("POST /api/open HTTP/1.1\r\n" + json_headers() + "Content-Length: 10\r\n\r\n{");
    const Client silent(server_->port());
    EXPECT_THAT(post("/api/table", json_headers(), "{}"), HasSubstr("table||2"));
}

/// Any bytes: it answers afterwards.
TEST_F(LoopbackServer, SurvivesOtherBytes) {
    std::mt19937 random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    const std::string whole = "POST /api/open HTTP/1.1\r\n" + json_headers() +
                              "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
    for (int i = 0; i < 300; ++i) {
        std::string changed = whole;
        for (int j = 0; j < 4; ++j) {
            changed[random() % changed.size()] = static_cast<char>(random());
        }
        const Client client(server_->port());
        client.send(changed);
        client.end();
        static_cast<void>(client.rest());
    }
    EXPECT_THAT(post("/api/table", json_headers(), "{}"), HasSubstr("table||2"));
}

TEST(LoopbackNames, AreExact) {
    EXPECT_TRUE(is_own_host("127.0.0.1:80", 80));
    EXPECT_TRUE(is_own_host("localhost:80", 80));
    EXPECT_TRUE(is_own_host("[::1]:80", 80));
    EXPECT_FALSE(is_own_host("", 80));
    EXPECT_FALSE(is_own_host("127.0.0.1:", 0));
    EXPECT_FALSE(is_own_host("127.0.0.1:65616", 80)); // 80 + 65536
    EXPECT_FALSE(is_own_host("127.0.0.1:+80", 80));
    EXPECT_TRUE(is_own_origin("", 80));
    EXPECT_TRUE(is_own_origin("http://127.0.0.1:80", 80));
    EXPECT_FALSE(is_own_origin("http://127.0.0.1:80/", 80));
    EXPECT_FALSE(is_own_origin("127.0.0.1:80", 80));
}

} // namespace
} // namespace etl::loopback::server_test
