#include "session/attach/host_link.hpp"

#include "host/process.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace etl::session {

namespace {

using Clock = std::chrono::steady_clock;

Result<host::LocalSocket> say_hello(const host::MeetingPlace& place) {
    if (!host::is_trusted_place(place)) {
        return fail(ErrorCode::not_found, "host of machine sessions");
    }
    auto socket = host::LocalSocket::connect(place.socket());
    if (!socket) {
        return socket;
    }
    const auto hello =
        encode(link::Hello{.role = link::Role::provider, .program = host::executable_name()});
    if (socket->send(hello) != host::LocalSocket::Sent::done) {
        return fail(ErrorCode::io_failure, "host of machine sessions");
    }
    return socket;
}

} // namespace

Result<std::unique_ptr<HostLink>> HostLink::connect(const host::MeetingPlace& place,
                                                    Milliseconds wait) {
    auto socket = say_hello(place);
    if (!socket) {
        return std::unexpected(socket.error());
    }
    std::array<std::byte, 256> packet{};
    std::vector<host::Descriptor> descriptors;
    if (!socket->wait(wait.count())) {
        return fail(ErrorCode::io_failure, "the host does not answer");
    }
    const auto received = socket->receive(packet, &descriptors);
    if (received.state == host::LocalSocket::Received::State::closed) {
        return fail(ErrorCode::io_failure, "the host has closed the connection");
    }
    const Bytes answer = Bytes(packet).first(received.size);
    if (const auto refusal = link::decode_refusal(answer)) {
        const bool is_version = refusal->reason == link::Refusal::Reason::version;
        return fail(is_version ? ErrorCode::unsupported : ErrorCode::limit,
                    link::describe(refusal->reason));
    }
    const auto welcome = link::decode_welcome(answer);
    if (!welcome || welcome->version != link::protocol_version || descriptors.size() != 2) {
        return fail(ErrorCode::unsupported, "the host has another version than the program");
    }
    auto control =
        host::Mapping::of(descriptors[0], 0, sizeof(link::ControlPage), host::Sharing::read_only);
    auto region = link::RegionMemory::map(descriptors[1], welcome->shape);
    if (!control || !region) {
        return std::unexpected(control ? region.error() : control.error());
    }
    return std::make_unique<HostLink>(std::make_shared<link::RegionWriter>(
        std::move(*region), std::move(*control), std::move(*socket)));
}

std::uint32_t HostLink::request(const link::ProviderMessage& message, Milliseconds wait) {
    send(message, wait);
    return ++requests_;
}

void HostLink::send(const link::ProviderMessage& message, Milliseconds wait) {
    const host::LocalSocket& socket = region_->socket();
    if (!socket.is_intact()) {
        return; // the program closed the descriptor
    }
    const auto packet = encode(message);
    auto sent = socket.send(packet);
    if (sent == host::LocalSocket::Sent::would_block && socket.wait_to_send(wait.count())) {
        sent = socket.send(packet);
    }
    if (sent != host::LocalSocket::Sent::done) {
        end();
    }
}

void HostLink::wait_until_handled(std::uint32_t number, Milliseconds wait) {
    constexpr Milliseconds look{100}; // the end of the host does not change the number
    const auto deadline = is_late_ ? Clock::time_point::min() : Clock::now() + wait;
    for (;;) {
        const std::uint32_t handled = control().handled.load(std::memory_order_acquire);
        if (static_cast<std::int32_t>(handled - number) >= 0) {
            is_late_ = false;
            return;
        }
        const auto now = Clock::now();
        if (now >= deadline) {
            is_late_ = true;
            return;
        }
        if (region_->socket().has_ended()) {
            return;
        }
        const auto left = std::chrono::ceil<Milliseconds>(deadline - now);
        host::wait_while(control().handled, handled, std::min(left, look).count());
    }
}

} // namespace etl::session
