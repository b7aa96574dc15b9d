#include "explore/explorer.hpp"

#include <etl/explorer.hpp>

#include "view/field_table.hpp"

#include <memory>
#include <utility>

namespace etl::inline view {

struct Explorer::State {
    explore::Explorer explorer;
};

namespace {

Page page_of(explore::Answer answer) {
    return {.table = Access::table_of(std::move(answer.table), std::move(answer.remarks)),
            .first_row = answer.first_row,
            .rows = answer.rows,
            .next_row = answer.next_row};
}

std::expected<Page, TraceError> page_of(std::expected<explore::Answer, TraceError> answer) {
    return answer ? std::expected<Page, TraceError>(page_of(*std::move(answer)))
                  : std::unexpected(std::move(answer.error()));
}

} // namespace

Explorer::Explorer(Owned<State> state) noexcept : state_(std::move(state)) {}

Explorer::Explorer(Explorer&& other) noexcept = default;
Explorer& Explorer::operator=(Explorer&& other) noexcept = default;
Explorer::~Explorer() = default;

std::expected<Explorer, TraceError> Explorer::open(const std::vector<std::string>& paths,
                                                   const ExplorerOptions& options) {
    auto opened = explore::Explorer::open(paths, {.schemas = options.schemas,
                                                  .culture = options.culture,
                                                  .threads = options.threads,
                                                  .recursive = options.recursive,
                                                  .symbols = options.symbols,
                                                  .pointer_size = options.pointer_size});
    if (!opened) {
        return std::unexpected(std::move(opened.error()));
    }
    return Explorer(std::make_unique<State>(*std::move(opened)));
}

std::vector<std::string> Explorer::inputs() const {
    return state_->explorer.inputs();
}

std::vector<std::string> Explorer::problems() const {
    return state_->explorer.problems();
}

bool Explorer::is_indexed() const {
    return state_->explorer.is_indexed();
}

std::expected<Page, TraceError> Explorer::table(const explore::TableQuestion& question,
                                                const Stop* stop) const {
    return page_of(state_->explorer.table(question, stop));
}

std::expected<Page, TraceError> Explorer::flame(const explore::FlameQuestion& question,
                                                const Stop* stop) const {
    auto answer = state_->explorer.flame(question, stop);
    if (!answer) {
        return std::unexpected(std::move(answer.error()));
    }
    answer->table = answer->table.stacks != nullptr ? explore::nodes_of(*answer->table.stacks)
                                                    : explore::nodes_of({});
    answer->rows = answer->table.rows.size();
    return page_of(*std::move(answer));
}

std::expected<Page, TraceError> Explorer::lod(const explore::LodQuestion& question,
                                              const Stop* stop) const {
    return page_of(state_->explorer.lod(question, stop));
}

std::expected<Page, TraceError> Explorer::packets(const explore::PacketsQuestion& question,
                                                  const Stop* stop) const {
    return page_of(state_->explorer.packets(question, stop));
}

std::expected<Page, TraceError> Explorer::events(const explore::EventsQuestion& question,
                                                 const Stop* stop) const {
    return page_of(state_->explorer.events(question, stop));
}

std::expected<Page, TraceError> Explorer::search(const explore::SearchQuestion& question,
                                                 const Stop* stop) const {
    return page_of(state_->explorer.search(question, stop));
}

std::expected<Page, TraceError> Explorer::follow(const explore::FollowQuestion& question,
                                                 const Stop* stop) const {
    return page_of(state_->explorer.follow(question, stop));
}

std::expected<EventDetail, TraceError> Explorer::event(const explore::EventPlace& place,
                                                       const Stop* stop) const {
    auto answer = state_->explorer.event(place, stop);
    if (!answer) {
        return std::unexpected(std::move(answer.error()));
    }
    return EventDetail{.json = std::move(answer->json),
                       .fields = Access::table_of(std::move(answer->fields)),
                       .stack = Access::table_of(std::move(answer->stack)),
                       .header = std::move(answer->header),
                       .payload = std::move(answer->payload),
                       .file_offset = answer->file_offset};
}

} // namespace etl::inline view
