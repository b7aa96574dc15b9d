#include "link/messages.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"

namespace etl::link {

namespace {

constexpr std::uint32_t magic = 0x4C54'4501; // a packet of something else is not a Hello

enum class Tag : std::uint8_t {
    hello = 1,
    welcome,
    register_provider,
    unregister,
    set_traits,
    confirm,
    doorbell,
    refusal,
};

ByteWriter begin(Tag tag) {
    ByteWriter to;
    to.u8(static_cast<std::uint8_t>(tag));
    return to;
}

void put(ByteWriter& to, Bytes bytes) {
    to.u32(static_cast<std::uint32_t>(bytes.size())).bytes(bytes);
}

Bytes take_bytes(Cursor& in) {
    return in.bytes("bytes", in.u32("size of bytes"));
}

struct Encoder {
    std::vector<std::byte> operator()(const Hello& hello) const {
        ByteWriter to = begin(Tag::hello);
        to.u32(magic).u32(hello.version).u8(static_cast<std::uint8_t>(hello.role));
        put(to, std::as_bytes(std::span(hello.program)));
        return to.take();
    }

    std::vector<std::byte> operator()(const Register& it) const {
        ByteWriter to = begin(Tag::register_provider);
        to.u32(it.registration).u16(it.slot).u8(it.is_classic ? 1 : 0).guid(it.provider);
        return to.take();
    }

    std::vector<std::byte> operator()(const Unregister& it) const {
        return begin(Tag::unregister).u32(it.registration).take();
    }

    std::vector<std::byte> operator()(const SetTraits& it) const {
        ByteWriter to = begin(Tag::set_traits);
        put(to.u32(it.registration), it.traits);
        return to.take();
    }

    std::vector<std::byte> operator()(const Confirm& it) const {
        return begin(Tag::confirm).u32(it.published).take();
    }

    std::vector<std::byte> operator()(const Doorbell&) const { return begin(Tag::doorbell).take(); }
};

std::optional<ProviderMessage> decode_hello(Cursor& in) {
    if (in.u32("magic") != magic) {
        return std::nullopt;
    }
    Hello hello;
    hello.version = in.u32("version");
    const auto role = static_cast<Role>(in.u8("role"));
    hello.role = role;
    const Bytes name = take_bytes(in);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): text
    hello.program.assign(reinterpret_cast<const char*>(name.data()), name.size());
    if (role != Role::provider && role != Role::controller) {
        return std::nullopt;
    }
    return hello;
}

std::optional<ProviderMessage> decode_register(Cursor& in) {
    Register it;
    it.registration = in.u32("registration");
    it.slot = in.u16("slot");
    const std::uint8_t kind = in.u8("kind");
    it.is_classic = kind == 1;
    it.provider = in.guid("provider");
    if (kind > 1 || it.registration == 0) {
        return std::nullopt;
    }
    return it;
}

std::optional<ProviderMessage> decode_body(Tag tag, Cursor& in) {
    switch (tag) {
    case Tag::hello:
        return decode_hello(in);
    case Tag::register_provider:
        return decode_register(in);
    case Tag::unregister:
        return Unregister{in.u32("registration")};
    case Tag::set_traits: {
        SetTraits it{.registration = in.u32("registration")};
        const Bytes traits = take_bytes(in);
        it.traits.assign(traits.begin(), traits.end());
        return it;
    }
    case Tag::confirm:
        return Confirm{in.u32("count")};
    case Tag::doorbell:
        return Doorbell{};
    case Tag::welcome:
    case Tag::refusal:
        break;
    }
    return std::nullopt;
}

} // namespace

std::vector<std::byte> encode(const ProviderMessage& message) {
    return std::visit(Encoder{}, message);
}

std::vector<std::byte> encode(const Welcome& message) {
    return begin(Tag::welcome)
        .u32(message.version)
        .u32(message.process_id)
        .u32(message.shape.stripes)
        .u32(message.shape.ring_bytes)
        .take();
}

std::vector<std::byte> encode(const Refusal& message) {
    return begin(Tag::refusal)
        .u32(message.version)
        .u8(static_cast<std::uint8_t>(message.reason))
        .take();
}

std::optional<ProviderMessage> decode_provider_message(Bytes packet) {
    Cursor in(packet);
    auto message = decode_body(static_cast<Tag>(in.u8("tag")), in);
    return in && in.is_at_end() ? message : std::nullopt;
}

std::optional<Welcome> decode_welcome(Bytes packet) {
    Cursor in(packet);
    const auto tag = static_cast<Tag>(in.u8("tag"));
    Welcome welcome;
    welcome.version = in.u32("version");
    welcome.process_id = in.u32("process");
    welcome.shape = {.stripes = in.u32("stripes"), .ring_bytes = in.u32("ring size")};
    const bool is_one = in && in.is_at_end() && tag == Tag::welcome && welcome.shape.is_valid();
    return is_one ? std::optional(welcome) : std::nullopt;
}

std::optional<Refusal> decode_refusal(Bytes packet) {
    Cursor in(packet);
    const auto tag = static_cast<Tag>(in.u8("tag"));
    Refusal refusal;
    refusal.version = in.u32("version");
    refusal.reason = static_cast<Refusal::Reason>(in.u8("reason"));
    const bool is_one = in && in.is_at_end() && tag == Tag::refusal;
    return is_one ? std::optional(refusal) : std::nullopt;
}

const char* describe(Refusal::Reason reason) noexcept {
    switch (reason) {
    case Refusal::Reason::programs:
        return "the user has too many programs (at most 256)";
    case Refusal::Reason::connections:
        return "the user has too many connections to the host that wait to be served (at most 64)";
    case Refusal::Reason::controllers:
        return "the user has too many connections to the host (at most 32)";
    case Refusal::Reason::resources:
        return "the host gets no memory, descriptor, or thread for another connection";
    case Refusal::Reason::version:
        break;
    }
    return "the host that is running has another version than the program; end it (SIGTERM) or use "
           "a program of its version";
}

} // namespace etl::link
