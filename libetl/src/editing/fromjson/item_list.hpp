// Extended items under way. Keeps its memory. One thread.
#pragma once

#include "base/byte_writer.hpp"
#include "format/extended_data.hpp"

#include <span>
#include <vector>

namespace etl::fromjson {

class ItemList {
public:
    void clear() noexcept {
        bytes_.clear();
        places_.clear();
    }

    /// Adds an item; its data are what is written to the result until the next call.
    etl::ByteWriter& begin(etl::format::ItemType type) {
        end();
        places_.push_back({type, bytes_.size(), 0});
        return bytes_;
    }

    /// All items. Valid until the next change.
    std::span<const etl::format::ExtendedItem> view() {
        end();
        items_.clear();
        for (const Place& place : places_) {
            items_.push_back({place.type, bytes_.view().subspan(place.begin, place.size)});
        }
        return items_;
    }

    std::size_t size() const noexcept { return places_.size(); }

private:
    struct Place {
        etl::format::ItemType type;
        std::size_t begin, size;
    };

    void end() noexcept {
        if (!places_.empty() && places_.back().size == 0) {
            places_.back().size = bytes_.size() - places_.back().begin;
        }
    }

    etl::ByteWriter bytes_;
    std::vector<Place> places_;
    std::vector<etl::format::ExtendedItem> items_;
};

} // namespace etl::fromjson
