#include "generate/capture.hpp"

#include "base/text.hpp"
#include "format/known_guids.hpp"
#include "generate/contents.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::generate {

Capture::Capture(const Recipe& recipe, trace::Writer& writer)
    : recipe_(&recipe), writer_(&writer), random_(recipe.seed),
      conversations_(Random(recipe.seed + 1)), base_(recording_of(recipe).reference_time),
      time_(base_) {
    std::uint64_t weights = 0;
    const auto kinds = conversation_kinds();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::uint64_t weight = recipe.captures[static_cast<std::size_t>(kinds[i].kind)];
        if (weight == 0) {
            continue;
        }
        weights += weight;
        choices_.emplace_back(weights, i);
        if (std::ranges::find(ways_, kinds[i].way) == ways_.end()) {
            ways_.push_back(kinds[i].way);
        }
    }
}

const Capture::WayFunctions& Capture::functions_of(Way way) noexcept {
    using C = Capture;
    static constexpr std::array<WayFunctions, 17> functions{{
        {&C::capture_ndis},
        {&C::capture_stack, nullptr, &C::stop_stack},
        {&C::capture_wifi},
        {&C::capture_mobile},
        {&C::capture_at_switch},
        {&C::capture_remote},
        {&C::begin_fragments},
        {&C::capture_wifi_stack, nullptr, &C::stop_wifi_stack},
        {&C::capture_newer_stack, nullptr, &C::stop_newer_stack},
        {&C::capture_tagged},
        {&C::capture_twice_tagged},
        {&C::capture_at_tagged_switch},
        {&C::capture_segmented},
        {&C::capture_at_segmented_switch},
        {&C::capture_other_user},
        {&C::capture_other_domain},
        {&C::capture_layers, &C::start_layers, &C::stop_layers},
    }};
    return functions[static_cast<std::size_t>(way)];
}

void Capture::advance() {
    const auto mean = static_cast<std::int64_t>(Filetime::per_second / recipe_->rate);
    time_ += random_.between<std::int64_t>(1, std::max<std::int64_t>(2 * mean, 1));
}

std::size_t Capture::pick_conversation() {
    const std::uint64_t at = random_.below(choices_.back().first);
    return std::ranges::upper_bound(choices_, at, {},
                                    [](const auto& choice) { return choice.first; })
        ->second;
}

void Capture::call_all(void (Capture::* WayFunctions::*function)()) {
    for (const Way way : ways_) {
        if (const auto call = functions_of(way).*function) {
            (this->*call)();
        }
    }
}

bool Capture::next() {
    if (!std::exchange(is_started_, true)) {
        call_all(&WayFunctions::start);
    }
    const bool is_last = is_over(*recipe_, events_, elapsed());
    advance();
    if (!open_.empty() && (is_last || random_.chance(0.5))) {
        continue_fragments(random_.below(open_.size()));
        return true;
    }
    if (is_last) {
        if (!std::exchange(is_complete_, true)) {
            call_all(&WayFunctions::stop);
        }
        return false;
    }
    processor_ = static_cast<std::uint16_t>(random_.below(recipe_->processors));
    const Segment segment = conversations_.next(pick_conversation());
    const Way way = conversation_kinds()[segment.conversation].way;
    (this->*functions_of(way).capture)(segment);
    if (segment.message.result) {
        put_resolution(*segment.message.result);
    }
    return true;
}

void Capture::put(const Guid& provider, std::uint16_t id, std::uint64_t keyword) {
    constexpr std::uint32_t system_process = 4, first_thread = 100;
    ++events_;
    format::EventRecord record;
    record.process_id = system_process;
    record.thread_id = first_thread + processor_;
    record.time = time_;
    record.provider = provider;
    record.descriptor.id = id;
    record.descriptor.level = 4;
    record.descriptor.keyword = keyword;
    record.payload = payload_.view();
    static_cast<void>(writer_->add(record, processor_));
    payload_.clear();
}

/// A sent packet that is larger than a frame with two tags is to be segmented, too.
void Capture::record(const Seen& seen, Bytes data, std::size_t original) {
    constexpr std::size_t max_frame = 1522;
    const std::int64_t ticks = time_ - base_ + recipe_->start.ticks - Filetime::unix_epoch;
    const bool is_segmented = seen.is_sent && (seen.is_large || original > max_frame);
    const auto optional = [](bool has, std::uint64_t value) {
        return has ? std::to_string(value) : std::string();
    };
    lines_ += fmt::format("packet,{},{},{},{},{},{},{},{},{},{},", ticks * 100, seen.place->name,
                          seen.link, seen.is_sent ? 2 : 1, original, seen.drop,
                          optional(seen.vlan != 0, seen.vlan), is_segmented ? 1 : 0,
                          optional(seen.group.has_value(), seen.group.value_or(0)),
                          optional(seen.hash != 0, seen.hash));
    append_hex_bytes(lines_, data);
    lines_ += fmt::format(",{}\n", seen.comment);
    PlaceCounts& counts = places_[std::string(seen.place->name)];
    counts.place = *seen.place;
    ++counts.packets;
}

/// DNS-Client 3008, 3018, and 3020: the result of a query, with 16 bytes of numbers.
void Capture::put_resolution(const DnsResult& result) {
    constexpr std::array<std::uint16_t, 3> ids{3008, 3018, 3020};
    std::string text = result.alias.empty() ? "" : "type:  5 " + result.alias + ";";
    text += result.address.empty() ? "" : result.address + ";";
    payload_.zero_terminated16(to_utf16(result.name)).u32(result.type).u64(0);
    payload_.u32(result.status).zero_terminated16(to_utf16(text));
    put(format::dns_client_guid, ids[resolutions_++ % ids.size()], 0);
}

std::string Capture::interface_truth() const {
    std::string text;
    const auto number = [](const std::optional<std::uint64_t>& value) {
        return value ? std::to_string(*value) : std::string();
    };
    for (const auto& [name, counts] : places_) {
        const bool is_pktmon = name.starts_with("pktmon:"), is_ras = name.starts_with("ras:");
        text += fmt::format("interface,{},{},{},{},{},{},{},{}\n", name,
                            counts.place.is_adapter ? 1 : 0, number(counts.received),
                            number(counts.dropped), counts.place.mac, counts.place.address,
                            counts.place.description,
                            is_pktmon ? pktmon_filter_
                            : is_ras  ? ""
                                      : ndis_filter_);
    }
    return text;
}

std::string Capture::truth() const {
    return lines_ + interface_truth() + conversations_.truth();
}

Report write_capture(const Recipe& recipe, trace::Writer& writer, const Progress& progress) {
    Capture capture(recipe, writer);
    add_all(capture, recipe, progress);
    return {.events = capture.events(), .truth = capture.truth()};
}

} // namespace etl::generate
