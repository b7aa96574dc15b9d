// Shapes of the events of an event log, by kind of event: computed once for events whose values
// have the same types. Private to sink.
#pragma once

#include "evtx/packed_events.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace etl::sink {

class LogShapes {
public:
    /// Whether events of this kind have known shapes. Call first for each event.
    bool begin(std::uint32_t kind, std::uint32_t generation) {
        if (generation != generation_) {
            kinds_.clear();
            generation_ = generation;
        }
        if (kind >= kinds_.size()) {
            kinds_.resize(kind + 1UL);
        }
        known_ = &kinds_[kind];
        return !known_->empty();
    }

    /// Returns the shape of an event by the types of its values; null: unknown. `sources`: of each
    /// field, the field of the schema that it has its name from.
    const evtx::Shape* find(const evtx::Event& event,
                            std::span<const std::uint32_t> sources) const noexcept {
        const auto found = std::ranges::find_if(*known_, [&](const Known& known) {
            return known.payload == event.payload && is_same(known, event, sources);
        });
        return found == known_->end() ? nullptr : &found->shape;
    }

    /// Remembers the shape of an event with names.
    const evtx::Shape& add(const evtx::Event& event, std::span<const std::uint32_t> sources) {
        if (known_->size() == max_shapes) {
            known_->erase(known_->begin());
        }
        Known& known = known_->emplace_back();
        known.payload = event.payload;
        known.fields.reserve(event.fields.size());
        for (std::size_t i = 0; i < event.fields.size(); ++i) {
            known.fields.push_back(type_of(event.fields[i], source_of(sources, i)));
        }
        known.shape = evtx::shape_of(event);
        return known.shape;
    }

private:
    /// A kind has more than one if values are sometimes null, or arrays have no type of their own.
    static constexpr std::size_t max_shapes = 4;

    struct Known {
        evtx::PayloadKind payload{};
        std::vector<std::uint64_t> fields;
        evtx::Shape shape;
    };

    static std::uint32_t source_of(std::span<const std::uint32_t> sources, std::size_t i) noexcept {
        return i < sources.size() ? sources[i] : 0;
    }

    static std::uint64_t type_of(const evtx::Field& field, std::uint32_t source) noexcept {
        return std::uint64_t{source} << 32U | std::uint64_t{field.value.is_array} << 9U |
               std::uint64_t{field.is_structure} << 8U | static_cast<unsigned>(field.value.type);
    }

    static bool is_same(const Known& known, const evtx::Event& event,
                        std::span<const std::uint32_t> sources) noexcept {
        if (known.fields.size() != event.fields.size()) {
            return false;
        }
        for (std::size_t i = 0; i < known.fields.size(); ++i) {
            if (known.fields[i] != type_of(event.fields[i], source_of(sources, i))) {
                return false;
            }
        }
        return true;
    }

    std::vector<std::vector<Known>> kinds_; // by number
    std::vector<Known>* known_ = nullptr;
    std::uint32_t generation_ = 0;
};

} // namespace etl::sink
