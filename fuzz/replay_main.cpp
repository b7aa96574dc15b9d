// etl_replay TARGET PATH ...: runs a fuzz target over files and folders of seeds, so that every
// compiler checks each of them.
#include "fuzz/targets.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

void replay(const FuzzTarget& target, const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
    target.run(data.data(), data.size());
    // A seed cut short exercises the bounds that the seed itself does not reach.
    for (std::size_t cut = 1; cut < data.size(); cut += data.size() / 32 + 1) {
        const std::vector<std::uint8_t> prefix(data.begin(),
                                               data.begin() + static_cast<std::ptrdiff_t>(cut));
        target.run(prefix.data(), prefix.size());
    }
}

/// Returns how many seeds there were.
int replay_all(const FuzzTarget& target, const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) {
        replay(target, path);
        return 1;
    }
    int seeds = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file()) {
            replay(target, entry.path());
            ++seeds;
        }
    }
    return seeds;
}

} // namespace

int main(int count, char** arguments) {
    const auto target = count < 2
                            ? fuzz_targets().end()
                            : std::ranges::find(fuzz_targets(), arguments[1], &FuzzTarget::name);
    if (target == fuzz_targets().end()) {
        std::fputs("usage: etl_replay TARGET PATH ...\n", stderr);
        return 64;
    }
    int seeds = 0;
    for (int i = 2; i < count; ++i) {
        if (std::filesystem::exists(arguments[i])) {
            seeds += replay_all(*target, arguments[i]);
        }
    }
    std::printf("%d seeds replayed\n", seeds);
    // A target without seeds is not checked, and must not look as if it were.
    return seeds > 0 ? 0 : 1;
}
