// The side file of an index. Properties: nothing is accepted that was not made with the key; what
// was is the same when it is read, with its sections; one changed bit of it is refused.
#include "base/layout.hpp"
#include "fuzz/require.hpp"
#include "trace/trace_index.hpp"

#include <algorithm>

using namespace etl;

namespace {

constexpr trace::IndexKey key{7, 1, 1};
constexpr std::size_t head_size = 56, buffer_size = 40;

trace::TraceIndex index_from(Bytes bytes) {
    trace::TraceIndex index;
    for (; bytes.size() >= buffer_size; bytes = bytes.subspan(buffer_size)) {
        index.buffers.push_back(
            {.first_time = load_le<std::int64_t>(bytes.data()),
             .last_time = load_le<std::int64_t>(bytes.data() + 8),
             .begins_untimed = (load_le<std::uint8_t>(bytes.data() + 16) & 1U) != 0,
             .has_facts = (load_le<std::uint8_t>(bytes.data() + 16) & 2U) != 0,
             .first_stack = load_le<std::int64_t>(bytes.data() + 24),
             .last_stack = load_le<std::int64_t>(bytes.data() + 32)});
    }
    return index;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes file = std::as_bytes(std::span(data, size));
    trace::TraceIdentity identity;
    if (size >= head_size) { // the trace that the file is about, so that its code decides
        identity = {.size = load_le<std::uint64_t>(file.data() + 16),
                    .buffers = load_le<std::uint64_t>(file.data() + 24),
                    .hash = load_le<std::uint64_t>(file.data() + 32)};
    }
    fuzz::require(!trace::parse_index(file, identity, key));

    const trace::TraceIndex index = index_from(file);
    identity.buffers = index.buffers.size();
    const trace::IndexSection sections[] = {
        {"first", std::vector<std::byte>(file.begin(), file.end())}, {"second", {}}};
    std::vector<std::byte> made = trace::encode(index, identity, key, sections);
    const auto again = trace::parse_index(made, identity, key);
    fuzz::require(again && *again == index);
    const auto found = again->sections->find("first");
    fuzz::require(found && std::ranges::equal(*found, file));
    fuzz::require(again->sections->find("second")->empty());
    fuzz::require(again->sections->find("third")->empty());
    const std::size_t at =
        size == 0 ? 0 : (data[0] * std::size_t{257} + data[size - 1]) % made.size();
    made[at] ^= std::byte{1};
    const auto changed = trace::parse_index(made, identity, key);
    fuzz::require(!changed || !changed->sections->find("first"));
    return 0;
}
