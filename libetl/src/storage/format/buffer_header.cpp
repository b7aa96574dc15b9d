#include "format/buffer_header.hpp"

#include <algorithm>

namespace etl::format {

void encode(const BufferHeader& header, std::span<std::byte, buffer_header::size> to) noexcept {
    std::ranges::fill(to, std::byte{0});
    store<buffer_header::buffer_size>(to, header.buffer_size);
    store<buffer_header::saved_offset>(to, header.used);
    store<buffer_header::current_offset>(to, header.used);
    store<buffer_header::time_stamp>(to, header.time_stamp);
    store<buffer_header::sequence_number>(to, header.sequence_number);
    store<buffer_header::processor>(to, header.processor);
    store<buffer_header::logger_id>(to, header.logger_id);
    store<buffer_header::state>(to, header.state);
    store<buffer_header::offset>(to, header.used);
    store<buffer_header::buffer_flag>(to, header.flags);
    store<buffer_header::buffer_type>(to, static_cast<std::uint16_t>(header.type));
}

} // namespace etl::format
