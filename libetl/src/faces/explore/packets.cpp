#include "explore/explorer_state.hpp"
#include "packets/capture.hpp"

#include <fmt/format.h>

#include <utility>

namespace etl::explore {

namespace {

std::expected<analysis::Table, TraceError> table_of(dataset::Dataset& traces, bool are_flows) {
    return are_flows ? packets::flows_of(traces, {})
                     : packets::packets_of(traces, {.limit = max_packets + 1});
}

/// Leaves the first packets, and says that there are more.
void limit(analysis::Table& packets, std::vector<std::string>& remarks) {
    if (packets.rows.size() > max_packets) {
        packets.rows.resize(max_packets);
        remarks.push_back(fmt::format("only the first {} packets are listed: select a shorter "
                                      "window, or filter them",
                                      max_packets));
    }
}

} // namespace

std::expected<Answer, TraceError> Explorer::packets(const PacketsQuestion& question,
                                                    const Stop* stop) const {
    if (auto checked = check_count(question.rows.count); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    auto asked = state_->traces.ask(question.selection, stop, ProcessFilter::events);
    if (!asked) {
        return std::unexpected(std::move(asked.error()));
    }
    auto table = table_of(asked->traces, question.are_flows);
    if (is_stopped(stop)) {
        return std::unexpected(stopped_error());
    }
    if (!table) {
        return std::unexpected(std::move(table.error()));
    }
    for (std::string& line : analysis::remarks_of(table->coverage)) {
        asked->messages->add(std::move(line));
    }
    Answer answer{.table = *std::move(table), .remarks = asked->messages->take()};
    if (!question.are_flows) {
        limit(answer.table, answer.remarks);
    }
    return sorted_page(std::move(answer), question.sort, question.is_reversed, question.rows);
}

} // namespace etl::explore
