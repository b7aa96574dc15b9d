#include "schema/wevt.hpp"

#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/guarded.hpp"
#include "schema/image.hpp"
#include "schema/image/wevt_layout.hpp"
#include "schema/image/wevt_names.hpp"
#include "schema/image/wevt_reading.hpp"
#include "schema/image/wevt_templates.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_set>

namespace etl::schema {

namespace {

using std::unexpected;

/// Everything of one provider, into reading.result.
class WevtProviderReader {
public:
    WevtProviderReader(const Guid& guid, std::uint32_t message, std::vector<WevtElement> elements,
                       WevtReading& reading)
        : elements_(std::move(elements)), reading_(reading),
          names_(guid, message, elements_, reading), templates_(names_, reading) {}

    void read() {
        reading_.result.providers.push_back(names_.provider());
        for (const WevtElement& element : elements_) {
            if (element.signature == element_layout::events) {
                read_events(element);
            }
        }
    }

private:
    void read_events(const WevtElement& element) {
        const WevtElement list =
            reading_.with_entries(element, event_layout::first, event_layout::size);
        for (std::uint32_t i = 0; i < list.count && !reading_.exhausted(); ++i) {
            read_event(reading_.inside<event_layout::size>(list.first + i * event_layout::size));
        }
    }

    void read_event(std::span<const std::byte, event_layout::size> from) {
        namespace layout = event_layout;
        auto event = std::make_shared<EventSchema>();
        event->origin = Origin::wevt;
        event->provider = names_.provider();
        event->id = load<layout::id>(from);
        event->version = load<layout::version>(from);
        event->channel = load<layout::channel>(from);
        event->level = load<layout::level>(from);
        event->opcode = load<layout::opcode>(from);
        event->task = load<layout::task>(from);
        event->keyword = load<layout::keyword>(from);
        event->task_name = names_.task(load<layout::task_entry>(from), event->task);
        event->task_guid = names_.task_guid(load<layout::task_entry>(from), event->task);
        event->opcode_name =
            names_.opcode(load<layout::opcode_entry>(from), event->task, event->opcode);
        event->event_name =
            compose_event_name(event->task_name, event->opcode, event->opcode_name, {});
        event->message = reading_.message(load<layout::message>(from));
        names_.learn_channel(load<layout::channel_entry>(from), event->channel);
        read_payload(load<layout::payload>(from), *event);
        const std::size_t names =
            event->task_name.size() + event->opcode_name.size() + event->event_name.size();
        if (reading_.charge(names)) {
            reading_.result.events.push_back(std::move(event));
        }
    }

    void read_payload(std::uint32_t offset, EventSchema& event) {
        if (offset == 0) {
            reading_.charge(sizeof(EventSchema));
            return;
        }
        const WevtTemplate& known = templates_.at(offset);
        if (reading_.charge(known.bytes)) {
            event.fields = known.fields;
            event.maps = known.maps;
            event.user_data = known.user_data;
        }
    }

    std::vector<WevtElement> elements_;
    WevtReading& reading_;
    WevtNames names_;
    WevtTemplates templates_;
};

/// The elements of a provider; none: it has no head, which is noted.
std::optional<std::vector<WevtElement>>
elements_of(std::span<const std::byte, wevt_layout::size> head, std::size_t offset,
            WevtReading& reading) {
    if (load<wevt_layout::signature>(head) != wevt_layout::magic) {
        reading.note(
            {ErrorCode::malformed, "signature of a provider", FileOffset{offset}, 0, 0, 0});
        return std::nullopt;
    }
    const WevtElement list = reading.with_entries(
        {wevt_layout::magic, static_cast<std::uint32_t>(offset), load<wevt_layout::elements>(head)},
        wevt_layout::size, wevt_layout::element_size);
    std::vector<WevtElement> elements;
    std::unordered_set<std::uint32_t> seen; // one may be listed thousands of times
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto entry =
            reading.inside<wevt_layout::element_size>(list.first + i * wevt_layout::element_size);
        const auto at = load_le<std::uint32_t>(entry.data() + 4);
        if (!seen.insert(at).second) {
            continue;
        }
        if (const auto element = reading.element(at)) {
            elements.push_back(*element);
        }
    }
    return elements;
}

void read_provider(std::size_t entry_at, WevtReading& reading) {
    const auto entry = reading.at<crim_entry_layout::size>(entry_at, "entry of a provider");
    if (!entry) {
        return;
    }
    const std::size_t offset = load<crim_entry_layout::provider>(*entry);
    const auto head = reading.at<wevt_layout::size>(offset, "provider");
    if (!head || !reading.charge(sizeof(ProviderNames))) {
        return;
    }
    if (auto elements = elements_of(*head, offset, reading)) {
        WevtProviderReader(load<crim_entry_layout::guid>(*entry), load<wevt_layout::message>(*head),
                           std::move(*elements), reading)
            .read();
    }
}

bool is_crim(Bytes crim) noexcept {
    return crim.size() >= crim_layout::size &&
           load<crim_layout::signature>(crim.first<crim_layout::size>()) == crim_layout::magic;
}

std::expected<SchemaSet, FileError> parse_crim(Bytes crim, MessageLookup messages,
                                               const WevtOptions& options, WevtBudget& budget) {
    if (!is_crim(crim)) {
        return unexpected(WevtReading(crim, messages, options, budget)
                              .rejected({ErrorCode::malformed, "signature of the resource",
                                         FileOffset{0}, 0, 0, 0}));
    }
    const auto head = crim.first<crim_layout::size>();
    // A resource may be a few bytes longer than what it holds.
    const std::size_t total = load<crim_layout::total>(head);
    WevtReading reading(clamped(crim, 0, std::max(total, crim_layout::size)), messages, options,
                        budget);
    if (total > crim.size()) {
        reading.note({ErrorCode::truncated, "resource", FileOffset{0}, total, crim.size(), 0});
    }
    const std::size_t count = load<crim_layout::providers>(head);
    const std::size_t room = (reading.crim().size() - crim_layout::size) / crim_entry_layout::size;
    for (std::size_t i = 0; i < std::min(count, room) && !reading.exhausted(); ++i) {
        read_provider(crim_layout::size + i * crim_entry_layout::size, reading);
    }
    if (reading.exhausted()) {
        return unexpected(reading.rejected(
            {ErrorCode::limit, "memory for its schemas", {}, limits::manifest_schema_bytes, 0, 0}));
    }
    if (reading.result.providers.empty()) {
        return unexpected(reading.result.notes.empty()
                              ? FileError{0, "WEVT_TEMPLATE: defines no provider", 0}
                              : FileError{0, reading.result.notes.front().text, 0});
    }
    return std::move(reading.result);
}

/// The templates of an image, the best language of each name.
Result<std::vector<Resource>> templates_of(Bytes file, const CultureChain& cultures) {
    const auto image = PeImage::parse(file);
    if (!image) {
        return unexpected(image.error());
    }
    auto found = image->resources(wevt_template_type);
    if (!found) {
        return found;
    }
    sort_by_language(*found, cultures);
    std::unordered_set<std::string_view> texts;
    std::unordered_set<std::uint16_t> numbers;
    std::vector<Resource> best;
    for (const Resource& resource : *found) {
        const ResourceName& name = resource.name;
        if (name.text.empty() ? numbers.insert(name.number).second
                              : texts.insert(as_text(name.text)).second) {
            best.push_back(resource);
        }
    }
    return best;
}

template <typename Element>
void append(std::vector<Element>& to, std::vector<Element>&& from) {
    to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
}

void append_notes(std::vector<FileNote>& to, std::vector<FileNote>&& from) {
    const std::size_t room = limits::manifest_notes - std::min(limits::manifest_notes, to.size());
    from.resize(std::min(from.size(), room));
    append(to, std::move(from));
}

std::expected<SchemaSet, FileError> parse_image(Bytes image, MessageLookup messages,
                                                const CultureChain& cultures) {
    const auto resources = templates_of(image, cultures);
    if (!resources) {
        return unexpected(FileError{0, describe(resources.error()), 0});
    }
    if (resources->empty()) {
        return unexpected(FileError{0, "the image contains no WEVT_TEMPLATE resource", 0});
    }
    SchemaSet all;
    WevtBudget budget;
    for (const Resource& resource : *resources) {
        auto set = parse_crim(resource.bytes, messages, {.where = resource.where}, budget);
        if (!set && resources->size() == 1) {
            return set;
        }
        if (!set) {
            append_notes(all.notes, {{0, std::move(set.error().reason), 0}});
            continue;
        }
        append(all.providers, std::move(set->providers));
        append(all.events, std::move(set->events));
        append_notes(all.notes, std::move(set->notes));
    }
    return all;
}

/// The ids of all messages that the resources refer to.
std::vector<std::uint32_t> list_messages(std::span<const Bytes> crims) {
    std::unordered_set<std::uint32_t> ids;
    const auto remember = [&](std::uint32_t id) -> const std::string* {
        ids.insert(id);
        return nullptr;
    };
    WevtBudget budget;
    for (const Bytes crim : crims) {
        // What is wrong with it is said when its schemas are wanted.
        [[maybe_unused]] const auto parsed = parse_crim(crim, remember, {}, budget);
    }
    return {ids.begin(), ids.end()};
}

} // namespace

std::expected<SchemaSet, FileError> parse_wevt(Bytes crim, MessageLookup messages,
                                               const WevtOptions& options) {
    return guarded([&] {
        WevtBudget budget;
        return parse_crim(crim, messages, options, budget);
    });
}

std::vector<Guid> list_wevt_providers(Bytes crim) {
    std::vector<Guid> guids;
    if (!is_crim(crim)) {
        return guids;
    }
    const std::size_t count = load<crim_layout::providers>(crim.first<crim_layout::size>());
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = crim_layout::size + i * crim_entry_layout::size;
        if (!has_range(crim, at, crim_entry_layout::size)) {
            break;
        }
        guids.push_back(
            load<crim_entry_layout::guid>(crim.subspan(at).first<crim_entry_layout::size>()));
    }
    return guids;
}

std::vector<std::uint32_t> list_wevt_messages(Bytes crim) {
    return guarded_scan([&] { return list_messages(std::span(&crim, 1)); });
}

std::expected<SchemaSet, FileError> parse_wevt_image(Bytes image, MessageLookup messages,
                                                     const CultureChain& cultures) {
    return guarded([&] { return parse_image(image, messages, cultures); });
}

std::vector<Guid> scan_wevt_providers(Bytes image) {
    return guarded_scan([&] {
        std::vector<Guid> guids;
        if (const auto resources = templates_of(image, CultureChain(""))) {
            for (const Resource& resource : *resources) {
                append(guids, list_wevt_providers(resource.bytes));
            }
        }
        return guids;
    });
}

std::vector<std::uint32_t> scan_wevt_messages(Bytes image) {
    return guarded_scan([&] {
        std::vector<Bytes> crims;
        if (const auto resources = templates_of(image, CultureChain(""))) {
            for (const Resource& resource : *resources) {
                crims.push_back(resource.bytes);
            }
        }
        return list_messages(crims);
    });
}

} // namespace etl::schema
