// etl_replay DOOR PATH ...: runs a fuzz door over files and folders of seeds, so that every
// compiler checks every door.
#include "fuzz/doors.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

void replay(const Door& door, const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
    door.run(data.data(), data.size());
    // A seed cut short exercises the bounds that the seed itself does not reach.
    for (std::size_t cut = 1; cut < data.size(); cut += data.size() / 32 + 1) {
        const std::vector<std::uint8_t> prefix(data.begin(),
                                               data.begin() + static_cast<std::ptrdiff_t>(cut));
        door.run(prefix.data(), prefix.size());
    }
}

/// Returns how many seeds there were.
int replay_all(const Door& door, const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) {
        replay(door, path);
        return 1;
    }
    int seeds = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file()) {
            replay(door, entry.path());
            ++seeds;
        }
    }
    return seeds;
}

} // namespace

int main(int count, char** arguments) {
    const auto door =
        count < 2 ? doors().end() : std::ranges::find(doors(), arguments[1], &Door::name);
    if (door == doors().end()) {
        std::fputs("usage: etl_replay DOOR PATH ...\n", stderr);
        return 64;
    }
    int seeds = 0;
    for (int i = 2; i < count; ++i) {
        if (std::filesystem::exists(arguments[i])) {
            seeds += replay_all(*door, arguments[i]);
        }
    }
    std::printf("%d seeds replayed\n", seeds);
    // A door without seeds is not checked, and must not look as if it were.
    return seeds > 0 ? 0 : 1;
}
