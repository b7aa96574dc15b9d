// Samples that trace::Writer makes. What they hold is told by reading them: an independent decoder
// agrees with that (tests/conformance/written_traces.py).
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/traces/canal_story.hpp"

#include <array>
#include <stdexcept>

namespace etl::test {

namespace {

struct Choice {
    const char* shape;
    const char* about;
};

constexpr std::array choices{
    Choice{"sequential", "A Writer's file without a limit"},
    Choice{"circular-wrapped",
           "A Writer's circular file of four buffers that went round more than twice"},
    Choice{"append", "A Writer's file that another one appended to: sequence numbers go on"},
    Choice{"new-file", "A Writer's series of files, each full at 16 KB"},
    Choice{"preallocated-unfinished",
           "A Writer that ended without closing: zeros up to the limit behind the last buffer"},
    Choice{"sequential-xpress", "A Writer's file with buffers packed by XPRESS"},
    Choice{"sequential-xpress-huffman", "A Writer's file with buffers packed by XPRESS-Huffman"},
    Choice{"sequential-lznt1", "A Writer's file with buffers packed by LZNT1"},
    Choice{"sequential-zstd", "A Writer's file in a container of zstd frames"},
    Choice{"sequential-lz4", "A Writer's file in a container of LZ4 frames"},
};

std::string ending_of(io::Container container) {
    switch (container) {
    case io::Container::none:
        return ".etl";
    case io::Container::zstd:
        return ".etl.zst";
    case io::Container::lz4:
        return ".etl.lz4";
    }
    return {};
}

} // namespace

std::vector<Sample> written() {
    std::vector<Sample> samples;
    for (const Choice& choice : choices) {
        const FileShape shape = file_shape(choice.shape);
        io::MemoryFiles files;
        write_shape(shape, "", files);
        for (const auto& [name, image] : files.files()) {
            const Content content = content_of(image);
            if (content.error || content.damage != 0) {
                throw std::logic_error("what was written cannot be read");
            }
            Sample sample{.name = "good/written-" + name.substr(0, name.find(".etl")),
                          .about = choice.about,
                          .bytes = image,
                          .events = 1,
                          .buffers = content.buffers.size(),
                          .kinds = "SYSTEM64 EVENT64"};
            for (const auto& [processor, records] : content.streams) {
                sample.events += records.size();
            }
            sample.ending = ending_of(shape.options.container);
            sample.container = shape.options.container;
            samples.push_back(std::move(sample));
        }
    }
    return samples;
}

} // namespace etl::test
