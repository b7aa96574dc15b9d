// Messages between a process and the host, one per packet. Values; encode and decode are inverse.
// Every message of a process that does not decode ends its link.
// docs/machine-sessions-internals.md#messages
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "link/region.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace etl::link {

/// Changes with every change of messages, ControlPage, or region.
inline constexpr std::uint32_t protocol_version = 5;

/// No packet of a provider is larger: traits are at most 64 KB.
inline constexpr std::size_t max_packet_bytes = (64U << 10U) + 64;

enum class Role : std::uint8_t { provider = 1, controller = 2 };

/// The first message of a connection.
struct Hello {
    std::uint32_t version = protocol_version;
    Role role = Role::provider;
    std::string program{}; // file name, without directories; for reports only

    friend bool operator==(const Hello&, const Hello&) = default;
};

/// The answer. To a provider, with the descriptors of its control page and its region.
struct Welcome {
    std::uint32_t version = protocol_version;
    std::uint32_t process_id = 0; // of the host
    RegionShape shape{};

    friend bool operator==(const Welcome& a, const Welcome& b) {
        return a.version == b.version && a.process_id == b.process_id &&
               a.shape.stripes == b.shape.stripes && a.shape.ring_bytes == b.shape.ring_bytes;
    }
};

/// In place of any other answer, to a program or a controller; the host then closes the connection.
/// Its layout never changes: processes of any version understand it.
struct Refusal {
    enum class Reason : std::uint8_t {
        version = 1,     // the host has another version of the protocol
        programs = 2,    // the user has too many programs
        connections = 3, // the user has too many connections
        controllers = 4, // the user has too many connections of controllers
        resources = 5,   // the host gets no memory, descriptor, or thread for the connection
    };

    std::uint32_t version = protocol_version; // of the host
    Reason reason = Reason::version;

    friend bool operator==(const Refusal&, const Refusal&) = default;
};

struct Register {
    std::uint32_t registration = 0; // chosen by the process, never reused on a link; not 0
    std::uint16_t slot = 0;         // in ControlPage::registrations
    bool is_classic = false;
    Guid provider{};

    friend bool operator==(const Register&, const Register&) = default;
};

struct Unregister {
    std::uint32_t registration = 0;

    friend bool operator==(const Unregister&, const Unregister&) = default;
};

struct SetTraits {
    std::uint32_t registration = 0;
    std::vector<std::byte> traits{};

    friend bool operator==(const SetTraits&, const SetTraits&) = default;
};

/// The process has applied what was published up to this count, and its callbacks have run.
struct Confirm {
    std::uint32_t published = 0;

    friend bool operator==(const Confirm&, const Confirm&) = default;
};

/// The ring is half full, or an event found no space.
struct Doorbell {
    friend bool operator==(const Doorbell&, const Doorbell&) = default;
};

using ProviderMessage = std::variant<Hello, Register, Unregister, SetTraits, Confirm, Doorbell>;

std::vector<std::byte> encode(const ProviderMessage& message);
std::vector<std::byte> encode(const Welcome& message);
std::vector<std::byte> encode(const Refusal& message);

/// Returns nothing unless the bytes are exactly one message.
std::optional<ProviderMessage> decode_provider_message(Bytes packet);
std::optional<Welcome> decode_welcome(Bytes packet);
std::optional<Refusal> decode_refusal(Bytes packet);

/// Returns a sentence for the user of the refused program; valid forever.
const char* describe(Refusal::Reason reason) noexcept;

/// Doorbell, encoded: writers send it, and must not allocate.
inline constexpr std::array doorbell_packet{std::byte{7}};

/// The host's only message after Welcome: there is something new in the control page.
inline constexpr std::array look_packet{std::byte{0x4C}};

} // namespace etl::link
