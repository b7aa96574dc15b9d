#include "match/header_numbers.hpp"

#include <algorithm>
#include <array>

namespace etl::match {

namespace {

std::optional<std::uint64_t> id_or_none(std::uint32_t id) noexcept {
    return id == flow::no_id ? std::nullopt : std::optional<std::uint64_t>(id);
}

} // namespace

bool is_header_number(Operand operand) noexcept {
    using enum Operand;
    constexpr std::array numbers{cpu,     pid,     tid,   buffer, offset, flags,   id,
                                 version, channel, level, opcode, task,   keyword, hook_id};
    return std::ranges::find(numbers, operand) != numbers.end();
}

std::optional<std::uint64_t> header_number(Operand operand, const flow::Event& event,
                                           const flow::EventHeader& header) noexcept {
    if (operand == Operand::cpu) {
        return event.buffer->processor;
    }
    if (operand == Operand::pid) {
        return id_or_none(header.process_id);
    }
    if (operand == Operand::tid) {
        return id_or_none(header.thread_id);
    }
    if (operand == Operand::buffer) {
        return event.buffer->number;
    }
    if (operand == Operand::offset) {
        return event.offset();
    }
    if (operand == Operand::flags) {
        return header.flags;
    }
    if (operand == Operand::id) {
        return header.id;
    }
    if (operand == Operand::version) {
        return header.version;
    }
    if (operand == Operand::channel) {
        return header.channel;
    }
    if (operand == Operand::level) {
        return header.level;
    }
    if (operand == Operand::opcode) {
        return header.opcode;
    }
    if (operand == Operand::task) {
        return header.task;
    }
    if (operand == Operand::keyword) {
        return header.keyword;
    }
    if (operand == Operand::hook_id) {
        return header.is_kernel ? std::optional<std::uint64_t>(header.hook_id) : std::nullopt;
    }
    return std::nullopt;
}

std::vector<std::uint64_t> numbers_of(const CompiledTest& test) {
    std::vector<std::uint64_t> numbers;
    if (!is_header_number(test.operand) || test.op == Operator::has || test.op == Operator::regex) {
        return numbers;
    }
    for (const Meaning& meaning : test.meanings) {
        if (!meaning.number || meaning.number->is_negative || meaning.number->real) {
            return {};
        }
        numbers.push_back(meaning.number->bits);
    }
    return numbers;
}

bool holds(std::uint64_t number, const CompiledTest& test) noexcept {
    return std::ranges::any_of(test.numbers, [&](std::uint64_t other) {
        const int order = number < other ? -1 : number > other ? 1 : 0;
        return test.op == Operator::any_bits ? (number & other) != 0 : is_ordered(test.op, order);
    });
}

} // namespace etl::match
