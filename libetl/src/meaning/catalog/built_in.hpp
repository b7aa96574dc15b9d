// The schemas that are part of the library: schemas/kernel and schemas/providers. One thread.
// Private to catalog. schemas/README.md
#pragma once

#include <etl/guid.hpp>

#include "base/function_ref.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace etl::catalog {

class BuiltIn {
public:
    BuiltIn();

    /// `text` is valid during the call only.
    using Receiver = FunctionRef<void(std::string_view name, std::string_view text)>;

    /// Passes on the files that define one of `providers`, in order. Each file comes once, whatever
    /// the calls.
    void take(const std::unordered_set<Guid>& providers, Receiver receiver);
    /// Passes on the files that have not come yet, in order.
    void take_all(Receiver receiver);

private:
    std::string_view text_of(std::size_t file);

    std::vector<bool> is_taken_; // by file
    std::optional<std::size_t> group_;
    std::string text_; // of that group
};

} // namespace etl::catalog
