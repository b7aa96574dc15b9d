#include "host/places.hpp"

namespace etl::host {

// Windows has sessions of its own; these exist so that the same sources compile.

std::uint32_t user_id() noexcept {
    return 0;
}

bool is_machine_scope() {
    return false;
}

bool is_place_of_machine(const MeetingPlace&) {
    return false;
}

std::vector<MeetingPlace> meeting_places() {
    return {};
}

MeetingPlace own_place() {
    return {};
}

bool is_trusted_place(const MeetingPlace&) noexcept {
    return false;
}

Result<void> prepare_place(const MeetingPlace&, bool) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

Result<Descriptor> open_wake_page(const MeetingPlace&) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

Result<Descriptor> lock_place(const MeetingPlace&) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

std::optional<std::uint32_t> group_id(const std::string&) {
    return std::nullopt;
}

Result<void> use_file_rights_of(std::uint32_t, std::uint32_t, const std::vector<std::uint32_t>&) {
    return fail(ErrorCode::unsupported, "rights of another user");
}

void raise_descriptor_limit() noexcept {}

bool is_out_of_resources(int) noexcept {
    return false;
}

} // namespace etl::host
