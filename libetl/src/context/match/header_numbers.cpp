#include "match/header_numbers.hpp"

#include <algorithm>

namespace etl::match {

namespace {

using flow::Event;
using flow::EventHeader;
using Found = std::optional<std::uint64_t>;

Found processor(const Event& event, const EventHeader& /*header*/) {
    return event.buffer->processor;
}

Found buffer_number(const Event& event, const EventHeader& /*header*/) {
    return event.buffer->number;
}

Found offset(const Event& event, const EventHeader& /*header*/) {
    return event.offset();
}

template <auto member>
Found stored(const Event& /*event*/, const EventHeader& header) {
    return header.*member;
}

template <auto member>
Found id_if_any(const Event& /*event*/, const EventHeader& header) {
    return header.*member == flow::no_id ? std::nullopt : Found(header.*member);
}

Found hook_if_any(const Event& /*event*/, const EventHeader& header) {
    return header.is_kernel ? Found(header.hook_id) : std::nullopt;
}

struct Entry {
    Operand operand;
    HeaderNumber read;
};

constexpr Entry entries[] = {{Operand::cpu, processor},
                             {Operand::pid, id_if_any<&EventHeader::process_id>},
                             {Operand::tid, id_if_any<&EventHeader::thread_id>},
                             {Operand::buffer, buffer_number},
                             {Operand::offset, offset},
                             {Operand::flags, stored<&EventHeader::flags>},
                             {Operand::id, stored<&EventHeader::id>},
                             {Operand::version, stored<&EventHeader::version>},
                             {Operand::channel, stored<&EventHeader::channel>},
                             {Operand::level, stored<&EventHeader::level>},
                             {Operand::opcode, stored<&EventHeader::opcode>},
                             {Operand::task, stored<&EventHeader::task>},
                             {Operand::keyword, stored<&EventHeader::keyword>},
                             {Operand::hook_id, hook_if_any}};

} // namespace

HeaderNumber header_number(Operand operand) noexcept {
    const auto* const found = std::ranges::find(entries, operand, &Entry::operand);
    return found != std::end(entries) ? found->read : nullptr;
}

} // namespace etl::match
