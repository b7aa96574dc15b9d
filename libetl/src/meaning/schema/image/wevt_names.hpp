// What one provider of a WEVT_TEMPLATE resource calls its levels, tasks, opcodes, keywords,
// channels and maps. One thread. docs/format/images.md#wevt-names
#pragma once

#include "schema/event_schema.hpp"
#include "schema/image/wevt_reading.hpp"

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace etl::schema {

class WevtNames {
public:
    /// `elements`: heads of all elements of the provider; others than those of names are ignored.
    WevtNames(const Guid& guid, std::uint32_t message, std::span<const WevtElement> elements,
              WevtReading& reading);

    /// To be shared when all events are read: their channels count too.
    std::shared_ptr<const ProviderNames> provider() const noexcept { return provider_; }

    /// By the offset of its entry; where that leads nowhere, by number.
    std::string_view task(std::uint32_t entry, std::uint16_t number) const noexcept;
    Guid task_guid(std::uint32_t entry, std::uint16_t number) const noexcept;
    /// Those of the task go before those of the provider, these before Windows' own.
    std::string_view opcode(std::uint32_t entry, std::uint16_t task,
                            std::uint8_t number) const noexcept;
    /// An event uses the channel of this entry under this number.
    void learn_channel(std::uint32_t entry, std::uint8_t number);
    /// The map at an offset; null: none that can be read, which is noted.
    std::shared_ptr<const ValueMap> map(std::uint32_t offset);

private:
    struct Names {
        std::unordered_map<std::uint32_t, std::uint32_t> number_of_entry; // by its offset
        std::unordered_map<std::uint32_t, std::string> by_number;
    };

    void read(const WevtElement& element);
    void read_levels(const WevtElement& element);
    void read_opcodes(const WevtElement& element);
    void read_tasks(const WevtElement& element);
    void read_keywords(const WevtElement& element);
    void read_channels(const WevtElement& element);
    void read_attributes(const WevtElement& element);
    void name_provider(std::uint32_t message);
    void add_channel(std::uint32_t number, const std::string& name);
    std::shared_ptr<const ValueMap> read_map(std::uint32_t offset);
    std::string shown(std::uint32_t name, const char* what);

    WevtReading& reading_;
    std::shared_ptr<ProviderNames> provider_;
    Names tasks_;
    std::unordered_map<std::uint32_t, Guid> task_guids_; // by number
    Names opcodes_;                                      // number: task, opcode << 16
    std::unordered_map<std::uint32_t, std::string> channel_of_entry_;
    std::string own_channel_;       // the first one that is not imported
    std::bitset<256> known_levels_; // by number: the first to be named counts
    std::bitset<256> known_channels_;
    std::unordered_set<std::uint64_t> known_keywords_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const ValueMap>> maps_; // by offset
};

} // namespace etl::schema
