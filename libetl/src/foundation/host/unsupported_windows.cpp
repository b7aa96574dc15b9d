// Windows has sessions of its own; these exist so that the same sources compile.

#include "host/places.hpp"
#include "host/programs.hpp"
#include "host/shared_memory.hpp"

namespace etl::host {

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

std::string find_program(std::string_view) {
    return {};
}

Result<void> start_in_background(const std::string&, const std::vector<std::string>&) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

Result<int> run_and_wait(const std::vector<std::string>&) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

std::string own_program() {
    return {};
}

Result<Captured> run_and_capture(const std::vector<std::string>&, const CaptureOptions&,
                                 FunctionRef<bool()>) {
    return fail(ErrorCode::unsupported, "running programs");
}

void Descriptor::close() noexcept {}

FileIdentity identity_of(int) noexcept {
    return {};
}

Descriptor spare_descriptor() noexcept {
    return {};
}

Descriptor reopen_to_write(int) noexcept {
    return {};
}

std::optional<std::size_t> write_some(const Descriptor&, Bytes) noexcept {
    return std::nullopt;
}

bool has_reader(const Descriptor&) noexcept {
    return false;
}

Descriptor open_named_pipe(const std::string&, PipeEnd) noexcept {
    return {};
}

bool create_named_pipe(const std::string&) noexcept {
    return false;
}

Mapping::~Mapping() = default;

Result<Mapping> Mapping::of(const Descriptor&, std::size_t, std::size_t, Sharing, int) {
    return fail(ErrorCode::unsupported, "shared memory");
}

Result<SharedMemory> share_memory(std::size_t, Sharing) {
    return fail(ErrorCode::unsupported, "shared memory");
}

void wait_while(const std::atomic<std::uint32_t>&, std::uint32_t,
                std::optional<std::int64_t>) noexcept {}

int wake_waiting(const std::atomic<std::uint32_t>&) noexcept {
    return 0;
}

} // namespace etl::host
