#include <etl/host/clock.hpp>
#include <etl/host/process.hpp>
#include <etl/machine/host.hpp>

#include "machine/host_state.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace etl::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t listening_tag = 0;

/// Links that have ended and whose regions have not been drained. Regions are large.
constexpr std::size_t most_ended = 64;

session::RuntimeOptions runtime_options(const std::atomic<std::int64_t>& time,
                                        session::SessionObserver observer) {
    session::RuntimeOptions options;
    options.registrations = std::numeric_limits<std::uint16_t>::max();
    options.time = &time;
    options.observer = std::move(observer);
    return options;
}

} // namespace

Host::State::State(const HostOptions& options, host::Descriptor wake_file, host::Mapping wake_page,
                   host::LocalSocket listening, host::Poller poller)
    : options_(options), wake_file_(std::move(wake_file)), wake_page_(std::move(wake_page)),
      listening_(std::move(listening)), poller_(std::move(poller)),
      opened_(std::chrono::steady_clock::now()), time_(host::monotonic_ticks()),
      runtime_(runtime_options(time_, [this](const session::SessionEvent&) { poller_.wake(); })) {
    drain_.emplace(runtime_, time_);
    static_cast<void>(poller_.add(listening_.number(), listening_tag));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
    auto& hosts = *reinterpret_cast<std::atomic<std::uint32_t>*>(wake_page_.data());
    hosts.fetch_add(1, std::memory_order_release);
    woken_ = host::wake_waiting(hosts);
}

Host::State::~State() {
    is_stopping_ = true;
    for (const ControllerThread& controller : controllers_) {
        controller.socket.shut_down();
    }
    join_controllers(true);
    for (const auto& link : drain_->links()) {
        link->socket().shut_down();
        link->end();
    }
    drain_->settle();
    drain_.reset();
}

void Host::State::stop() noexcept {
    is_stopping_ = true;
    poller_.wake();
}

void Host::State::run() {
    auto needed_at = Clock::now();
    while (!is_stopping_) {
        join_controllers(false);
        std::optional<std::int64_t> wait;
        if (is_needed()) {
            needed_at = Clock::now();
        } else if (options_.idle_limit) {
            const auto left = *options_.idle_limit - (Clock::now() - needed_at);
            wait = std::chrono::ceil<std::chrono::milliseconds>(left).count();
            if (*wait <= 0) {
                return;
            }
        }
        for (const std::uint64_t tag : poller_.wait(wait)) {
            if (tag == listening_tag) {
                accept_all();
            } else {
                serve(tag);
            }
        }
    }
}

bool Host::State::is_needed() {
    return !controllers_.empty() || !new_.empty() ||
           !runtime_.sessions(session::Runtime::Private::included).empty();
}

void Host::State::accept_all() {
    constexpr std::size_t most_new = 1024; // connections that have not said what they are
    while (auto socket = listening_.accept()) {
        const std::uint64_t tag = ++tags_;
        if (new_.size() < most_new && poller_.add(socket->number(), tag)) {
            new_.emplace(tag, std::move(*socket));
        }
    }
}

void Host::State::serve(std::uint64_t tag) {
    if (new_.contains(tag)) {
        begin(tag);
        return;
    }
    const auto found = links_.find(tag);
    if (found == links_.end()) {
        return;
    }
    bool ring_bell = false;
    const bool goes_on = found->second->serve(ring_bell);
    if (ring_bell) {
        drain_->wake();
    }
    if (!goes_on) {
        end_link(tag);
    }
}

/// The first packet of a connection.
void Host::State::begin(std::uint64_t tag) {
    host::LocalSocket socket = std::move(new_.at(tag));
    std::array<std::byte, 4096> packet{};
    const auto received = socket.receive(packet);
    if (received.state == host::LocalSocket::Received::State::would_block) {
        new_.at(tag) = std::move(socket);
        return;
    }
    new_.erase(tag);
    const auto message = link::decode_provider_message(Bytes(packet).first(received.size));
    const auto* hello = message ? std::get_if<link::Hello>(&*message) : nullptr;
    poller_.remove(socket.number());
    if (hello == nullptr || hello->version != link::protocol_version) {
        return; // closes it
    }
    if (hello->role == link::Role::controller) {
        begin_controller(std::move(socket));
        return;
    }
    const int number = socket.number();
    if (auto link = ProviderLink::accept(runtime_, std::move(socket), *hello)) {
        if (poller_.add(number, tag)) {
            links_.emplace(tag, *link);
            drain_->add(*link);
        }
    }
}

void Host::State::end_link(std::uint64_t tag) {
    const auto found = links_.find(tag);
    poller_.remove(found->second->socket().number());
    found->second->socket().shut_down();
    found->second->end();
    links_.erase(found);
    if (drain_->links().size() < links_.size() + most_ended) {
        drain_->wake();
    } else { // processes that come and go faster than they are drained wait
        drain_->settle();
    }
}

void Host::State::begin_controller(host::LocalSocket socket) {
    ControllerThread& controller = controllers_.emplace_back();
    controller.socket = std::move(socket);
    controller.thread = std::thread([this, &controller] {
        host::become_helper_thread("etl-controller");
        serve_controller(controller);
        controller.has_ended = true;
        poller_.wake();
    });
}

void Host::State::join_controllers(bool all) {
    std::erase_if(controllers_, [&](ControllerThread& controller) {
        if (!all && !controller.has_ended) {
            return false;
        }
        controller.thread.join();
        return true;
    });
}

Host::Host(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Host::Host(Host&&) noexcept = default;
Host& Host::operator=(Host&&) noexcept = default;
Host::~Host() = default;

void Host::run() {
    state_->run();
}

void Host::stop() noexcept {
    state_->stop();
}

Result<Host> Host::open(const HostOptions& options) {
    constexpr unsigned for_all = 0666, for_user = 0600;
    const host::MeetingPlace place =
        options.directory.empty() ? host::own_place() : host::MeetingPlace{options.directory};
    const bool is_public = host::is_place_of_machine(place);
    if (auto prepared = host::prepare_place(place, is_public); !prepared) {
        return std::unexpected(prepared.error());
    }
    auto wake_file = host::open_wake_page(place, host::WakePageUse::host);
    if (!wake_file) {
        return std::unexpected(wake_file.error());
    }
    auto page = host::Mapping::of(*wake_file, 0, host::wake_page_bytes, host::Sharing::read_write);
    auto listening = host::LocalSocket::listen(place.socket(), is_public ? for_all : for_user);
    auto poller = host::Poller::create();
    if (!page || !listening || !poller) {
        return std::unexpected(!page        ? page.error()
                               : !listening ? listening.error()
                                            : poller.error());
    }
    host::raise_descriptor_limit();
    return Host(std::make_unique<State>(options, std::move(*wake_file), std::move(*page),
                                        std::move(*listening), std::move(*poller)));
}

} // namespace etl::machine
