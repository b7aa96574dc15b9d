#include "base/text.hpp"
#include "dumper/cells/clean_text.hpp"
#include "dumper/cells/show.hpp"

namespace etl::dumper::show {

namespace {

void append_id(std::string& to, std::uint32_t id) {
    if (id == flow::no_id) {
        to.append("-1");
    } else {
        append_decimal(to, id);
    }
}

void append_microseconds(std::string& to, const CellSource& from, std::uint64_t ticks) {
    append_decimal(to, microseconds_of(ticks, from.event->event->trace().clock.frequency()));
}

/// From `begin` to the event.
void append_since(std::string& to, const CellSource& from, std::int64_t begin) {
    if (begin <= from.time()) {
        append_microseconds(
            to, from, static_cast<std::uint64_t>(from.time()) - static_cast<std::uint64_t>(begin));
    }
}

/// Three bits of the flags of a context switch: _WMI_CONTEXTSWAP in the symbols of the kernel.
void append_qos(std::string& to, const CellSource& from, unsigned shift) {
    if (const auto flags = from.number()) {
        append_decimal(to, *flags >> shift & 7U);
    }
}

void append_times(std::string& to, const CellSource& from, std::optional<std::uint64_t> ticks) {
    append_microseconds(to, from, ticks.value_or(0)); // 0: unknown, as xperf prints
}

} // namespace

void process(std::string& to, const CellSource& from) {
    from.names->append_process(to, from.subject->process, from.time());
}

void thread(std::string& to, const CellSource& from) {
    append_id(to, from.subject->thread);
}

void cpu(std::string& to, const CellSource& from) {
    append_decimal(to, from.event->event->buffer->processor);
}

void process_of_thread(std::string& to, const CellSource& from) {
    if (const auto thread = from.number()) {
        const std::uint32_t process =
            from.names->process_of(static_cast<std::uint32_t>(*thread), from.time());
        from.names->append_process(to, process, from.time());
    }
}

void decimal(std::string& to, const CellSource& from) {
    if (const auto number = from.number()) {
        if (schema::is_signed(from.values->find(from.field)->form)) {
            append_decimal(to, decode::signed_of(*from.values->find(from.field)));
        } else {
            append_decimal(to, *number);
        }
    }
}

void hex(std::string& to, const CellSource& from) {
    if (const auto number = from.number()) {
        append_hex_digits(to, *number, from.column->digits);
    }
}

void pointer(std::string& to, const CellSource& from) {
    if (const auto address = from.number()) {
        from.names->append_address(to, *address);
    }
}

void end_address(std::string& to, const CellSource& from) {
    const auto begin = from.number(), size = from.other_number();
    if (begin && size) {
        from.names->append_address(to, *begin + *size);
    }
}

void function(std::string& to, const CellSource& from) {
    if (const auto address = from.number()) {
        from.names->append_function(
            to, {.process = from.subject->process, .address = *address, .time = from.time()});
    }
}

void start_function(std::string& to, const CellSource& from) {
    if (from.subject->thread_start) {
        from.names->append_function(to, {.process = from.subject->process,
                                         .address = *from.subject->thread_start,
                                         .time = from.time()});
    }
}

void elapsed(std::string& to, const CellSource& from) {
    if (const auto ticks = from.number()) {
        append_microseconds(to, from, *ticks);
    }
}

void elapsed_since(std::string& to, const CellSource& from) {
    if (const auto begin = from.number()) {
        append_since(to, from, static_cast<std::int64_t>(*begin));
    }
}

void service_time(std::string& to, const CellSource& from) {
    if (from.subject->service) {
        append_microseconds(to, from, *from.subject->service);
    }
}

void since_switched_out(std::string& to, const CellSource& from) {
    append_times(to, from, from.subject->times.since_switched_out);
}

void ready_time(std::string& to, const CellSource& from) {
    append_times(to, from, from.subject->times.ready);
}

void switched_in_time(std::string& to, const CellSource& from) {
    append_times(to, from, from.subject->times.switched_in);
}

void old_qos(std::string& to, const CellSource& from) {
    append_qos(to, from, 1); // after OldThreadWaitMode
}

void new_qos(std::string& to, const CellSource& from) {
    append_qos(to, from, 4);
}

void quantum(std::string& to, const CellSource& from) {
    if (from.number()) {
        decimal(to, from);
    } else {
        to.append("-1");
    }
}

void request_object(std::string& to, const CellSource& from) {
    if (from.subject->request) {
        from.names->append_address(to, from.subject->request->object);
    }
}

void request_time(std::string& to, const CellSource& from) {
    if (from.subject->request) {
        append_since(to, from, from.subject->request->time);
    }
}

void id(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.id, 4);
}

void task(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.task, 4);
}

void opcode(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.opcode, 2);
}

void version(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.version, 2);
}

void class_version(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.version, 4);
}

void level(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.level, 2);
}

void channel(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.channel, 2);
}

void keyword(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.keyword, 16);
}

void payload_size(std::string& to, const CellSource& from) {
    append_decimal(to, from.event->header.payload.size());
}

} // namespace etl::dumper::show
