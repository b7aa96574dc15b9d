#include "dumper/values.hpp"

#include <limits>

namespace etl::dumper {

bool Values::read(const decode::DecodedEvent& event) {
    using decode::Step;
    values_.assign(event.kind->schema->fields.size(), decode::Value{});
    walker_.start(event.kind->plan, event.body);
    unsigned depth = 0;
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (step == Step::array_begin || step == Step::struct_begin) {
            ++depth;
        } else if (step == Step::array_end || step == Step::struct_end) {
            --depth;
        } else if (depth == 0) {
            values_[walker_.field()] = walker_.value();
        }
    }
    return !walker_.failed() && !walker_.is_short() && event.problem == nullptr &&
           event.kind->problem.empty();
}

std::optional<std::uint64_t> Values::number(std::uint16_t field) const noexcept {
    const decode::Value* const value = find(field);
    if (value == nullptr) {
        return {};
    }
    if (schema::is_integer(value->form)) {
        return decode::bits_of(*value);
    }
    const bool is_time =
        value->form == decode::Form::ticks && value->bytes.size() == sizeof(std::uint64_t);
    return is_time ? std::optional(load_le<std::uint64_t>(value->bytes.data())) : std::nullopt;
}

std::uint64_t microseconds_of(std::uint64_t ticks, std::int64_t frequency) noexcept {
    constexpr std::uint64_t per_second = 1'000'000;
    const auto per = static_cast<std::uint64_t>(frequency > 0 ? frequency : 1);
    constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t seconds = ticks / per;
    if (seconds > max / per_second / 2 || per > max / per_second) {
        return max;
    }
    return seconds * per_second + ticks % per * per_second / per;
}

} // namespace etl::dumper
