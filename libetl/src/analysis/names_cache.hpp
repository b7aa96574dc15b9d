// Names of addresses, kept while no image comes or goes. Private to analysis.
#pragma once

#include <etl/analysis/frame_names.hpp>

#include "analysis/groups.hpp"

namespace etl::analysis {

class NamesCache {
public:
    static constexpr std::uint32_t image_tag = 300;

    /// Numbers of texts.
    struct Name {
        std::uint64_t module = 0, function = 0;
    };

    /// Asks for the events after which names may differ.
    static void ask(Wishes& wishes) {
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x030A, 0x1402, 0x1403, 0x1404, 0x0302}) {
            wishes.hook(hook, image_tag, {}, Use::context);
        }
    }

    /// After an event with image_tag.
    void forget() { kept_.clear(); }

    Name name(const FrameNames& names, std::uint32_t process, std::uint64_t address,
              FrameNames::Frame frame, std::int64_t time) {
        if (kept_.size() >= limits::analysis_frames) {
            kept_.clear();
        }
        const GroupKey key{process, address, static_cast<std::uint64_t>(frame)};
        const auto [found, is_new] = kept_.try_emplace(key);
        if (is_new) {
            const FrameName name = names.name(process, address, frame, time);
            found->second = {name.module.empty() ? 0 : texts_.number_of(name.module),
                             texts_.number_of(name.function)};
        }
        return found->second;
    }

    const Texts& texts() const noexcept { return texts_; }

private:
    std::unordered_map<GroupKey, Name, GroupKeyHash> kept_;
    Texts texts_;
};

} // namespace etl::analysis
