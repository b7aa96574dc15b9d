// Producers that do not keep to the protocol: random words into everything that they can reach.
#include "format/records.hpp"
#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "host/process.hpp"
#include "link/control_page.hpp"
#include "link/messages.hpp"
#include "link/region.hpp"
#include "link/ring.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstring>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace etl::machine::test::hostile_test {

namespace {

using session::Runtime;
using session::write_number;

/// A link made by hand.
struct RawLink {
    host::LocalSocket socket;
    link::RegionMemory region;

    static std::optional<RawLink> connect(const std::string& directory) {
        auto socket = host::LocalSocket::connect(host::MeetingPlace{directory}.socket());
        if (!socket) {
            return std::nullopt;
        }
        socket->send(encode(link::Hello{.program = "hostile"}));
        std::array<std::byte, 256> packet{};
        std::vector<host::Descriptor> descriptors;
        socket->wait(std::nullopt);
        const auto received = socket->receive(packet, &descriptors);
        const auto welcome = link::decode_welcome(Bytes(packet).first(received.size));
        if (!welcome || descriptors.size() != 2) {
            return std::nullopt;
        }
        auto region = link::RegionMemory::map(descriptors[1], welcome->shape);
        return RawLink{std::move(*socket), std::move(*region)};
    }

    /// Overwrites words, counts, and the beginnings of all rings.
    void scribble(std::mt19937_64& random) const {
        for (std::size_t i = 0; i < link::region_page / 8; ++i) {
            if (random() % 4 == 0) {
                store(reinterpret_cast<std::byte*>(&region.header()) + i * 8, random()); // NOLINT
            }
        }
        for (std::size_t stripe = 0; stripe < region.shape().stripes; ++stripe) {
            link::StripeWords& words = region.header().stripes[stripe];
            words.word = words.consumed + random() % 4096; // plausible
            for (std::size_t at = 0; at < 4096; at += 8) {
                const std::uint64_t head = link::RingHead{link::RingHead::Kind::event,
                                                          static_cast<std::uint32_t>(random() % 64),
                                                          static_cast<std::uint32_t>(random() % 3)}
                                               .bits();
                const std::size_t place = (words.consumed * 8 + at) % region.shape().ring_bytes;
                store(region.ring(stripe) + place, random() % 2 == 0 ? head : random());
            }
            forge_classic(stripe, words, random);
        }
    }

    /// A classic record for any session, nearly as it should be.
    void forge_classic(std::size_t stripe, const link::StripeWords& words,
                       std::mt19937_64& random) const {
        constexpr std::uint64_t record = 0x30, event = format::event_record::size + record;
        constexpr std::array<std::uint64_t, 4> kinds{0xC014'0000, 0xC015'0000, 0x9000'0000, 0};
        const auto put = [&](std::size_t at, std::uint64_t value) {
            store(region.ring(stripe) + (words.consumed * 8 + at) % region.shape().ring_bytes,
                  value);
        };
        put(8, 0xC013'0000 | (event + random() % 4));
        put(8 + format::event_record::size,
            (random() << 32U) | kinds.at(random() % kinds.size()) | (record + random() % 4));
        put(0, link::RingHead{link::RingHead::Kind::event, (8 + event) / 8,
                              link::classic_number(static_cast<std::uint16_t>(random() % 4))}
                   .bits());
    }

    static void store(std::byte* at, std::uint64_t value) {
        reinterpret_cast<std::atomic<std::uint64_t>*>(at)->store(value); // NOLINT
    }
};

/// Until it is killed: links, registers `tea`, and overwrites everything; with `speaks`, it also
/// sends packets of random bytes.
[[noreturn]] void attack(const std::string& directory, std::uint64_t seed, bool speaks) {
    std::mt19937_64 random(seed);
    for (;;) {
        const auto raw = RawLink::connect(directory);
        if (!raw) {
            continue;
        }
        raw->socket.send(encode(link::Register{.registration = 1, .slot = 0, .provider = tea}));
        raw->socket.send(encode(link::Register{.registration = 2, .slot = 1, .provider = tea}));
        raw->socket.send(encode(link::Register{
            .registration = 3, .slot = 2, .is_classic = true, .provider = session::some_guid}));
        for (int i = 0; i < 50; ++i) {
            raw->scribble(random);
            if (raw->socket.send(link::doorbell_packet) == host::LocalSocket::Sent::closed) {
                break;
            }
            if (speaks && i % 10 == 9) {
                std::array<std::byte, 40> packet{};
                std::ranges::generate(packet,
                                      [&] { return static_cast<std::byte>(random() & 7U); });
                raw->socket.send(Bytes(packet).first(1 + random() % packet.size()));
            }
        }
    }
}

TEST(HostileTest, OthersLoseNothingAndStayInOrder) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start(
        {.name = "A", .buffer_kb = 1024, .maximum_buffers = 400, .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("A", tea));
    ASSERT_TRUE(controller.enable("A", session::some_guid)); // classic, in the attackers
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");
    std::vector<pid_t> attackers;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const pid_t child = ::fork();
        if (child == 0) {
            attack(folder / "host", seed, seed == 2);
        }
        attackers.push_back(child);
    }
    constexpr std::uint32_t first = 0x4000'0000, min = 20'000;
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::seconds(asked("ETL_TEST_HOSTILE_SECONDS", 0));
    std::uint32_t count = 0;
    for (; count < min || std::chrono::steady_clock::now() < end; ++count) {
        const std::uint32_t i = count;
        while (write_number(*provider, first + i).lost != 0) {
        }
        if (i % 100 == 99) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    for (const pid_t attacker : attackers) {
        ::kill(attacker, SIGKILL);
        ::waitpid(attacker, nullptr, 0);
    }
    ASSERT_TRUE(controller.stop("A"));
    const auto written = written_to(folder / "a.etl");
    EXPECT_FALSE(written.error.has_value());
    EXPECT_EQ(written.damage, 0);
    std::set<std::uint32_t> distinct;
    for (const auto& [processor, records] : written.streams) {
        std::uint32_t last = 0;
        for (const auto& record : records) {
            using namespace format::event_record;
            if (record.size() < format::event_record::size ||
                load_le<std::uint32_t>(record.data() + process_id.offset) !=
                    static_cast<std::uint32_t>(::getpid()) ||
                load_le<Guid>(record.data() + provider_id.offset) != tea) {
                continue;
            }
            const auto number = load_le<std::uint32_t>(record.data() + record.size() - 8);
            EXPECT_GT(number, last);
            last = number;
            distinct.insert(number);
        }
    }
    EXPECT_EQ(distinct.size(), count);
}

} // namespace

} // namespace etl::machine::test::hostile_test
