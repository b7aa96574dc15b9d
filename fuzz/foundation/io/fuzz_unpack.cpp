// Any bytes as a packed file. Beyond "does not crash": never more than max_unpacked bytes come out,
// and the two ways to read an archive agree on every member that is whole.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "io/unpack.hpp"

#include <string>
#include <vector>

/// libarchive asks for as much as a header says, and goes on without it.
extern "C" const char* __asan_default_options(); // NOLINT(bugprone-reserved-identifier): its name

extern "C" const char* __asan_default_options() {
    return "allocator_may_return_null=1";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    using fuzz::require;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto packed = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "dir/fuzz.gz");
    const io::UnpackOptions options{.max_unpacked = 1U << 20U};
    const auto unpacked =
        io::unpack(*packed, [](std::string_view, Bytes) { return true; }, options);
    if (!unpacked) {
        require(unpacked.error().code != ErrorCode::none);
        return 0;
    }
    std::uint64_t total = 0;
    std::vector<std::string> whole;
    for (const auto& member : unpacked->members) {
        total += member->bytes().size();
        require(is_valid_utf8(member->name()));
        if (!member->damage()) {
            whole.emplace_back(as_text(member->bytes()));
        }
    }
    require(total <= options.max_unpacked);
    std::vector<std::string> shown;
    const auto show = [&](std::string_view, Bytes content) {
        shown.emplace_back(as_text(content));
        return true;
    };
    const auto walked = io::for_each_member(*packed, options.max_unpacked, show, options);
    require(shown == whole && (!walked || unpacked->lost.empty()));
    return 0;
}
