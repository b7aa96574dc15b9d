#include "trace/index/header_checks.hpp"

#include "base/limits.hpp"

namespace etl::trace {

namespace {

using format::BufferHeaderView;
using format::BufferType;
namespace header = format::buffer_header;

constexpr std::uint32_t last_state = 6; // the highest that any list of ETW_BUFFER_STATE names
constexpr std::uint16_t last_type = 7;  // the highest BufferType

} // namespace

bool is_plausible(Bytes at) noexcept {
    if (at.size() < header::size) {
        return false;
    }
    const BufferHeaderView head = header_view(at);
    return head.buffer_size() >= header::size && head.buffer_size() <= etl::limits::buffer_bytes &&
           static_cast<std::uint16_t>(head.type()) <= last_type &&
           head.offset() <= etl::limits::buffer_bytes;
}

bool looks_written(Bytes at) noexcept {
    if (at.size() < header::size) {
        return false;
    }
    const BufferHeaderView head = header_view(at);
    return static_cast<std::uint16_t>(head.type()) <= last_type &&
           (head.flags() & ~format::buffer_flag::known) == 0 && head.used() &&
           *head.used() <= etl::limits::buffer_bytes && head.sequence_number() >= 0 &&
           head.state() <= last_state &&
           load_le<std::int32_t>(at.data() + header::reference_count.offset) == 0;
}

bool is_convincing(Bytes at) noexcept {
    if (!is_plausible(at) || !looks_written(at)) {
        return false;
    }
    const BufferHeaderView head = header_view(at);
    return head.is_compressed() || *head.used() <= head.buffer_size();
}

std::uint32_t codec_of(Bytes trace) noexcept {
    if (!is_plausible(trace) || header_view(trace).type() != BufferType::header) {
        return 3;
    }
    const std::uint32_t codec = header_view(trace).state();
    return codec == 2 || codec == 4 ? codec : 3;
}

} // namespace etl::trace
