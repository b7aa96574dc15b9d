#include "verbs/dump/columns.hpp"

#include "decode/event_keys.hpp"
#include "flow/pipeline.hpp"
#include "sink/csv.hpp"

#include <algorithm>

namespace cli {

std::vector<etl::sink::EventKind> find_kinds(const DumpOptions& options, const DumpInput& input) {
    etl::sink::EventKinds kinds(sink_options(options, input));
    etl::flow::TimeFilter window(input.events, input.filters.window, input.order);
    static_cast<void>(etl::flow::run(window, kinds.encoder(), kinds.output(),
                                     {.threads = options.traces.worker_threads(),
                                      .progress = {},
                                      .pause = {},
                                      .encoder = {},
                                      .skip = input.filters.skip,
                                      .limit = input.filters.limit}));
    return kinds.list();
}

std::vector<std::string> columns_with(const etl::sink::Options& options,
                                      const std::vector<std::string>& fields) {
    const auto add = [](std::vector<std::string>& to, const std::string& column) {
        if (std::ranges::find(to, column) == to.end()) {
            to.push_back(column);
        }
    };
    std::vector<std::string> columns;
    const std::vector<std::string> asked = etl::sink::columns_of(options);
    for (const std::string& column : asked) {
        if (column != name(etl::decode::Key::data)) {
            add(columns, column);
            continue;
        }
        for (const std::string& field : fields) {
            if (std::ranges::find(asked, field) == asked.end()) {
                columns.push_back(field);
            }
        }
    }
    return columns;
}

} // namespace cli
