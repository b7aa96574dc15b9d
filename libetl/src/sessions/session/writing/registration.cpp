

#include <etl/byte_writer.hpp>
#include <etl/session.hpp>
#include <etl/wire.hpp>

#include "format/records.hpp"
#include "session/control/runtime_state.hpp"
#include "session/writing/event_writer.hpp"

#include <array>
#include <bit>
#include <type_traits>
#include <utility>

namespace etl::session {

namespace {

constexpr std::uint16_t legacy_event_log = 4; // EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG

const RegistrationNode& node_of(const EnableState& state) noexcept {
    static_assert(std::is_standard_layout_v<RegistrationNode>);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the state is its first member
    return reinterpret_cast<const RegistrationNode&>(state);
}

} // namespace

constinit const EnableState Registration::disabled{};

Registration::Registration(Registration&& other) noexcept
    : runtime_(std::exchange(other.runtime_, nullptr)), handle_(std::exchange(other.handle_, 0)),
      state_(std::exchange(other.state_, &disabled)) {}

Registration& Registration::operator=(Registration&& other) noexcept {
    Registration taken(std::move(other));
    std::swap(runtime_, taken.runtime_);
    std::swap(handle_, taken.handle_);
    std::swap(state_, taken.state_);
    return *this;
}

Registration::~Registration() {
    if (runtime_ == nullptr) {
        return;
    }
    Registrations& registrations = runtime_->state().registrations;
    if (RegistrationNode* node = registrations.find(handle_)) {
        registrations.remove(*node);
    }
}

Outcome<void> Registration::set_traits(Bytes traits) {
    RegistrationNode* node =
        runtime_ != nullptr ? runtime_->state().registrations.find(handle_) : nullptr;
    if (node == nullptr) {
        return refuse(Status::invalid_handle, "empty registration");
    }
    return runtime_->state().registrations.set_traits(*node, traits);
}

WriteResult Registration::write_enabled(const format::EventRecord& record,
                                        const WriteOptions& options) const noexcept {
    WriteOptions all = options;
    if (all.activity == nullptr && !record.activity.is_zero()) {
        all.activity = &record.activity;
    }
    all.property |= record.property;
    all.is_string = all.is_string || (record.flags & format::event_flag::string_only) != 0;
    const std::array parts{record.payload};
    return write_event(node_of(*state_),
                       {.descriptor = &record.descriptor,
                        .parts = parts,
                        .items = record.items,
                        .width = record.width},
                       all);
}

WriteResult Registration::write(const format::EventDescriptor& descriptor,
                                std::span<const Bytes> parts,
                                const WriteOptions& options) const noexcept {
    if (runtime_ == nullptr) {
        return {.status = Status::invalid_handle};
    }
    if (parts.size() > max_parts) {
        return {.status = Status::invalid_parameter};
    }
    if (!state_->accepts(descriptor.level, descriptor.keyword)) [[likely]] {
        return {};
    }
    return write_event(node_of(*state_), {.descriptor = &descriptor, .parts = parts}, options);
}

WriteResult Registration::write_string(std::uint8_t level, std::uint64_t keyword,
                                       std::u16string_view text) const noexcept {
    constexpr std::array terminator{std::byte{0}, std::byte{0}};
    std::array<Bytes, 2> parts{std::as_bytes(std::span(text)), terminator};
    ByteWriter turned; // by machines that have their numbers the other way round
    if constexpr (std::endian::native != std::endian::little) {
        provider::append_to(turned, text);
        parts[0] = turned.view();
    }
    return write({.level = level, .keyword = keyword}, parts,
                 {.is_string = true, .property = legacy_event_log});
}

} // namespace etl::session
