// Runs a fuzz target over files and folders of seeds, so that every compiler checks every door.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(data.data(), data.size());
    // A seed cut short exercises the bounds that the seed itself does not reach.
    for (std::size_t cut = 1; cut < data.size(); cut += data.size() / 32 + 1) {
        const std::vector<std::uint8_t> prefix(data.begin(),
                                               data.begin() + static_cast<std::ptrdiff_t>(cut));
        LLVMFuzzerTestOneInput(prefix.data(), prefix.size());
    }
}

} // namespace

int main(int count, char** arguments) {
    int files = 0;
    for (int i = 1; i < count; ++i) {
        if (std::filesystem::is_directory(arguments[i])) {
            for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i])) {
                if (entry.is_regular_file()) {
                    replay(entry.path());
                    ++files;
                }
            }
        } else if (std::filesystem::exists(arguments[i])) {
            replay(arguments[i]);
            ++files;
        }
    }
    std::printf("%d seeds replayed\n", files);
    return files > 0 ? 0
                     : 1; // a door without seeds is not checked, and must not look as if it were
}
