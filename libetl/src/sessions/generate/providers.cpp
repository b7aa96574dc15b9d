#include "generate/providers.hpp"

#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "generate/generate.hpp"
#include "generate/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace etl::generate {

namespace {

using provider::EventContext;
using provider::Provider;

constexpr std::uint32_t shapes_each = 6;

constexpr std::uint32_t field_bits = 8;

constexpr std::array<std::string_view, shapes_each> event_names{
    "TrainArrived", "TrainLeft", "SignalChanged", "PointsMoved", "TicketSold", "DoorsClosed"};

constexpr std::array<std::uint64_t, 4> keyword_bits{0x1, 0x10, 0x8000'0000, 0x4000'0000'0001};

Provider numbered(std::string_view name, std::uint32_t number) {
    return Provider(fmt::format("Generated-{}-{}", name, number + 1));
}

Guid numbered_guid(std::string_view name, std::uint32_t number) {
    return format::guid_of_provider_name(fmt::format("Generated-{}-{}", name, number + 1));
}

std::uint8_t level_of(std::uint32_t number) {
    return static_cast<std::uint8_t>(2 + number % 4);
}

/// Event IDs of each provider of the manifest: 1 to manifest_events.
constexpr std::uint16_t manifest_events = 8;

constexpr std::array<std::string_view, 4> levels{"win:Error", "win:Warning", "win:Informational",
                                                 "win:Verbose"};
constexpr std::array<std::string_view, 3> tasks{"Arrival", "Departure", "Shunting"};
constexpr std::array<std::string_view, 4> keywords{"Trains", "Signals", "Points", "Tickets"};

constexpr std::string_view head = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events" xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
  <instrumentation>
    <events>
)xml";

constexpr std::string_view templates = R"xml(        <templates>
          <template tid="Entry">
            <data name="Number" inType="win:UInt32"/>
            <data name="Address" inType="win:Pointer"/>
            <data name="Text" inType="win:UnicodeString"/>
            <data name="Size" inType="win:UInt16"/>
            <data name="Blob" inType="win:Binary" length="Size"/>
          </template>
        </templates>
)xml";

constexpr std::string_view tail = R"xml(    </events>
  </instrumentation>
  <localization>
    <resources culture="en-US">
      <stringTable>
        <string id="entry" value="Entry %1 at %2: %3"/>
      </stringTable>
    </resources>
  </localization>
</instrumentationManifest>
)xml";

/// Of an event of the manifest.
provider::EventDescriptor descriptor_of(std::uint16_t id) noexcept {
    return {.id = id,
            .version = 0,
            .channel = 0,
            .level = static_cast<std::uint8_t>(2 + id % levels.size()),
            .opcode = 0,
            .task = static_cast<std::uint16_t>(1 + id % tasks.size()),
            .keyword = std::uint64_t{1} << (id % keywords.size())};
}

Provider manifest_provider(std::uint32_t number) {
    return numbered("Manifest", number);
}

void append_provider(std::string& to, std::uint32_t number) {
    const Provider provider = manifest_provider(number);
    to += fmt::format(
        R"xml(      <provider name="{}" guid="{{{}}}" symbol="GENERATED_{}" resourceFileName="generated.dll" messageFileName="generated.dll">
)xml",
        provider.name(), to_string(provider.guid()), number + 1);
    to += "        <keywords>\n";
    for (std::size_t i = 0; i < keywords.size(); ++i) {
        to +=
            fmt::format("          <keyword name=\"{}\" mask=\"{:#x}\"/>\n", keywords[i], 1U << i);
    }
    to += "        </keywords>\n        <tasks>\n";
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        to += fmt::format("          <task name=\"{}\" value=\"{}\"/>\n", tasks[i], i + 1);
    }
    to += "        </tasks>\n";
    to += templates;
    to += "        <events>\n";
    for (std::uint16_t id = 1; id <= manifest_events; ++id) {
        const provider::EventDescriptor event = descriptor_of(id);
        to += fmt::format(
            R"xml(          <event value="{0}" symbol="GENERATED_{4}_{0}" version="0" level="{1}" task="{2}" keywords="{3}" template="Entry" message="$(string.entry)"/>
)xml",
            id, levels[event.level - 2U], tasks[event.task - 1U], keywords[id % keywords.size()],
            number + 1);
    }
    to += "        </events>\n      </provider>\n";
}

} // namespace

std::string manifest(const Recipe& recipe) {
    std::string text(head);
    for (std::uint32_t i = 0; i < recipe.providers; ++i) {
        append_provider(text, i);
    }
    return text.append(tail);
}

ProviderEvents::ProviderEvents(const Recipe& recipe, Random random)
    : recipe_(&recipe), random_(random) {
    for (std::uint32_t i = 0; i < recipe.providers; ++i) {
        self_describing_.push_back(numbered("Railway", i));
        of_manifests_.push_back(manifest_provider(i));
        classic_classes_.push_back(numbered_guid("Classic", i));
        message_guids_.push_back(numbered_guid("Wpp", i));
    }
    for (const Provider& provider : self_describing_) {
        for (std::uint32_t i = 0; i < shapes_each; ++i) {
            const provider::EventOptions options{
                .level = level_of(i),
                .opcode = static_cast<std::uint8_t>(i % 3),
                .keyword = keyword_bits[random_.below(keyword_bits.size())]};
            shapes_.push_back({&provider,
                               provider::SelfDescribingEvent(provider, event_names[i], options),
                               static_cast<std::uint32_t>(random_.next())});
        }
    }
}

std::size_t ProviderEvents::payload_size() noexcept {
    return random_.between(recipe_->min_payload, recipe_->max_payload);
}

Bytes ProviderEvents::noise(std::size_t size) {
    noise_.resize(size);
    for (std::size_t i = 0; i < size; i += 8) {
        const std::uint64_t value = random_.next();
        for (std::size_t k = 0; k < 8 && i + k < size; ++k) {
            noise_[i + k] = static_cast<std::byte>(value >> (8 * k));
        }
    }
    return noise_;
}

/// As many fields of the shape as fit, in order, and one that fills the rest.
void ProviderEvents::add_fields(Shape& shape, std::size_t payload_size) {
    using namespace provider;
    SelfDescribingEvent& event = shape.event;
    const auto number = static_cast<std::uint32_t>(random_.below(1000));
    const auto has = [&](std::uint32_t bit) { return (shape.fields >> bit & 1U) != 0; };
    event.clear().add("Number", number);
    if (has(0)) {
        event.add("DelaySeconds",
                  static_cast<std::int16_t>(random_.between<std::int64_t>(-600, 600)));
    }
    if (has(1)) {
        event.add("Journey", random_.next() >> 20U);
    }
    if (has(2)) {
        event.add("SpeedKmh", static_cast<double>(random_.below(3000)) / 8);
    }
    if (has(3)) {
        event.add("Ready", random_.chance(0.9))
            .add("Frame", Hex(std::uint32_t{0xC0DE0000} + number));
    }
    if (has(4)) {
        event.add("Due", Filetime{recipe_->start.ticks +
                                  Filetime::per_second * random_.between(0, 86'400)});
    }
    if (has(5)) {
        event.add_struct("Position", [&](auto& position) {
            position.add("X", random_.between(0, 5000)).add("Y", random_.between(-90, 90));
        });
    }
    if (has(6)) {
        event.add("Axles", {number % 7, number % 11, number % 13});
    }
    const std::size_t used = event.record({}).payload.size() + 2; // with the length of the filler
    const std::size_t left = payload_size > used ? payload_size - used : 0;
    switch (shape.fields >> field_bits & 3U) {
    case 0:
        event.add("Blob", Binary(noise(left)));
        break;
    case 1:
        event.add("Remark", remark16(recipe_->text, left / 2, random_));
        break;
    default:
        event.add("Note", remark(recipe_->text, left, random_));
        break;
    }
}

format::EventRecord ProviderEvents::tracelogging(const EventContext& stamp) {
    Shape& shape = shapes_[random_.below(shapes_.size())];
    add_fields(shape, payload_size());
    format::EventRecord record = shape.event.record(stamp);
    record.width = recipe_->width;
    return record;
}

format::EventRecord ProviderEvents::of_manifest(const EventContext& stamp) {
    const std::size_t size = payload_size();
    const auto id = static_cast<std::uint16_t>(1 + random_.below(manifest_events));
    const std::uint64_t address = 0x1000 * random_.below(1U << 20U);
    const std::size_t text = std::min<std::size_t>(size / 4, 200);
    payload_.clear();
    payload_.u32(static_cast<std::uint32_t>(random_.below(1'000'000)));
    if (recipe_->width == format::Width::bits32) {
        payload_.u32(static_cast<std::uint32_t>(address));
    } else {
        payload_.u64(address);
    }
    payload_.zero_terminated16(remark16(recipe_->text, text, random_));
    const std::size_t used = payload_.size() + 2;
    const std::size_t blob = size > used ? size - used : 0;
    payload_.u16(static_cast<std::uint16_t>(blob)).bytes(noise(blob));
    const Provider& provider = of_manifests_[random_.below(of_manifests_.size())];
    format::EventRecord record =
        provider::record_of(provider.guid(), descriptor_of(id), stamp, payload_.view());
    record.width = recipe_->width;
    return record;
}

format::EventRecord ProviderEvents::string(const EventContext& stamp) {
    payload_.clear();
    payload_.zero_terminated16(remark16(recipe_->text, payload_size() / 2, random_));
    const Provider& provider = self_describing_[random_.below(self_describing_.size())];
    format::EventRecord record =
        provider::record_of(provider.guid(), {.level = 4}, stamp, payload_.view());
    record.width = recipe_->width;
    record.flags = format::event_flag::string_only;
    return record;
}

format::FullRecord ProviderEvents::full(const EventContext& stamp) {
    return {.width = recipe_->width,
            .opcode = static_cast<std::uint8_t>(random_.below(4)),
            .level = 4,
            .version = 1,
            .process_id = stamp.process_id,
            .thread_id = stamp.thread_id,
            .time = stamp.time,
            .event_class = classic_classes_[random_.below(classic_classes_.size())],
            .payload = noise(payload_size())};
}

format::InstanceRecord ProviderEvents::instance(const EventContext& stamp) {
    ++instance_;
    return {.width = recipe_->width,
            .opcode = static_cast<std::uint8_t>(1 + random_.below(2)),
            .level = 4,
            .version = 1,
            .process_id = stamp.process_id,
            .thread_id = stamp.thread_id,
            .time = stamp.time,
            .event_class = classic_classes_[random_.below(classic_classes_.size())],
            .instance_id = instance_,
            .parent_instance_id = instance_ / 2,
            .parent_class = classic_classes_.front(),
            .payload = noise(payload_size())};
}

format::MessageRecord ProviderEvents::message(const EventContext& stamp) {
    const Guid& guid = message_guids_[random_.below(message_guids_.size())];
    return {.number = static_cast<std::uint16_t>(10 + random_.below(8)),
            .width = recipe_->width,
            .sequence = ++sequence_,
            .guid = guid,
            .time = stamp.time,
            .system_info = format::ThreadAndProcess{stamp.thread_id, stamp.process_id},
            .payload = noise(payload_size())};
}

format::TimedRecord ProviderEvents::timed(const EventContext& stamp) {
    return {.event_id = static_cast<std::uint32_t>(random_.below(100)),
            .time = stamp.time,
            .payload = noise(payload_size())};
}

format::WnodeRecord ProviderEvents::wnode(const EventContext& stamp) {
    return {.form = format::WnodeRecord::Form::marked,
            .time = stamp.time,
            .guid = classic_classes_.front(),
            .payload = noise(payload_size())};
}

} // namespace etl::generate
