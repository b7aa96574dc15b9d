#include "profiles/protobuf/perfetto_etw.hpp"

namespace etl::profiles {

namespace {

using Kind = analysis::IoRecord::Kind;

/// The field of EtwTraceEvent for a kind of I/O.
constexpr std::uint32_t field_of(Kind kind) noexcept {
    constexpr std::uint32_t fields[] = {7, 8, 9, 10, 11, 12, 14, 15};
    return fields[static_cast<std::size_t>(kind)];
}

} // namespace

void PerfettoEtw::add(const analysis::ThreadSwitch& one, std::uint64_t time) {
    message_.clear();
    Proto to(message_);
    to.number(1, one.to).number(2, one.from);
    to.zigzag(3, one.to_priority).zigzag(4, one.from_priority).number(5, one.c_state);
    constexpr std::uint8_t last_reason = 37, last_mode = 1, last_state = 7;
    one.wait_reason <= last_reason ? to.number(6, one.wait_reason) : to.number(11, one.wait_reason);
    one.wait_mode <= last_mode ? to.number(7, one.wait_mode) : to.number(12, one.wait_mode);
    one.state <= last_state ? to.number(8, one.state) : to.zigzag(13, one.state);
    to.zigzag(9, one.ideal_processor).number(10, one.wait_time);
    constexpr std::uint32_t c_switch = 2;
    packets_->add_etw(one.processor, time, one.to, c_switch, message_);
}

void PerfettoEtw::add(const analysis::ThreadReady& one, std::uint64_t time) {
    message_.clear();
    Proto to(message_);
    to.number(1, one.thread);
    constexpr std::uint8_t last_reason = 2, last_flag = 2, both = 4;
    one.adjust_reason <= last_reason ? to.number(2, one.adjust_reason)
                                     : to.number(5, one.adjust_reason);
    to.zigzag(3, one.adjust_increment);
    one.flag <= last_flag || one.flag == both ? to.number(4, one.flag) : to.number(6, one.flag);
    constexpr std::uint32_t ready_thread = 3;
    packets_->add_etw(one.processor, time, one.by, ready_thread, message_);
}

/// The fields of a message have the order of the numbers, then the text, then the opcode.
void PerfettoEtw::add(const analysis::IoRecord& one, std::uint64_t time) {
    message_.clear();
    Proto to(message_);
    std::uint32_t field = 1;
    for (const std::uint64_t number : one.numbers) {
        to.number(field++, number);
    }
    if (analysis::IoRecord::has_text(one.kind)) {
        to.bytes(field++, one.text);
    }
    if (one.kind != Kind::create && one.kind != Kind::end) {
        to.number(field, one.opcode);
    }
    packets_->add_etw(one.processor, time, one.thread, field_of(one.kind), message_);
}

} // namespace etl::profiles
