// Any bytes as a request of a page, and as a saved view. Beyond "does not crash": a request that is
// wrong says why, and one that is read keeps the limits.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "viewer/request.hpp"
#include "viewer/saved_view.hpp"

#include <algorithm>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const std::string_view text = as_text(std::as_bytes(std::span(data, size)));
    if (const auto view = viewer::parse_saved_view(text)) {
        fuzz::require(!view->inputs.empty() && !view->state.contains('#'));
    }
    const auto request = viewer::parse_request(text);
    if (!request) {
        fuzz::require(!request.error().what.empty());
        return 0;
    }
    const auto is_short = [](const std::string& one) {
        return one.size() <= viewer::max_text && !one.contains('\0');
    };
    fuzz::require(is_short(request->name) && is_short(request->selection.where) &&
                  is_short(request->text) && is_short(request->token));
    fuzz::require(std::ranges::all_of(request->selection.processes, is_short));
    fuzz::require(request->selection.processes.size() <= viewer::max_list);
    fuzz::require(!request->tracks || request->tracks->size() <= viewer::max_list);
    return 0;
}
