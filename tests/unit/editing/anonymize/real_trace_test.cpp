// Real traces, where a folder of them lies beside the project. Nothing of their content is quoted:
// names that stay behind are told by their length.
#include "base/text.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/decodable_trace.hpp"
#include "tests/unit/editing/anonymize/anonymized.hpp"

#include <filesystem>

namespace etl::anonymize::real_trace_test {
namespace {

namespace fs = std::filesystem;

std::string narrow(std::u16string_view name) {
    std::string text;
    for (const char16_t c : name) {
        text.push_back(c < 0x80 ? static_cast<char>(c) : '?');
    }
    return text;
}

/// Lower case, every other byte of UTF-16 gone: texts of both kinds to search in.
struct Searchable {
    explicit Searchable(const test::Image& image) {
        std::string all(as_text(image));
        for (const std::size_t first : {0U, 1U}) {
            for (std::size_t i = first; i + 1 < image.size(); i += 2) {
                const bool is_ascii = image[i + 1] == std::byte{0};
                all.push_back(is_ascii ? std::to_integer<char>(image[i]) : '\x01');
            }
        }
        text = to_lower_ascii(all);
    }

    /// Where letters and digits end on both sides.
    bool has_word(const std::string& word) const {
        const auto is_letter = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & '\x80') != 0;
        };
        for (std::size_t at = text.find(word); at != std::string::npos;
             at = text.find(word, at + 1)) {
            const std::size_t end = at + word.size();
            if ((at == 0 || !is_letter(text[at - 1])) &&
                (end == text.size() || !is_letter(text[end]))) {
                return true;
            }
        }
        return false;
    }

    std::string text;
};

/// Events that decode, those that contradict their schema, and values, of a whole trace.
struct Decoded {
    std::uint64_t events = 0, described = 0, failed = 0, values = 0;

    bool operator==(const Decoded&) const = default;
};

Decoded decoded_all(trace::Reader& reader,
                    const std::shared_ptr<const schema::SchemaStore>& store) {
    Decoded result;
    decode::Decoder decoder(store);
    decode::FieldWalker walker;
    flow::EventCursor events(reader);
    while (const flow::Event* event = events.next()) {
        const decode::DecodedEvent& decoded = decoder.decode(*event);
        if (decoded.header.is_kernel && decoded.header.hook_id == 0) {
            continue; // log file headers: the writer has its own
        }
        ++result.events;
        if (decoded.kind->schema == nullptr) {
            continue;
        }
        ++result.described;
        walker.start(decoded.kind->plan, decoded.body);
        for (auto step = walker.next(); step != decode::Step::end; step = walker.next()) {
            result.values += step == decode::Step::value ? 1U : 0U;
        }
        result.failed += walker.failed() ? 1U : 0U;
    }
    return result;
}

void expect_private(const fs::path& path) {
    SCOPED_TRACE(path.filename());
    const auto decodable = test::decodable_trace(path, {});
    if (!decodable.reader) {
        return;
    }
    const Anonymized after = anonymized(*decodable.reader, decodable.store);
    const test::Written written = test::read_written(after.image);
    EXPECT_FALSE(written.error);
    EXPECT_EQ(written.damage, 0U);
    const Searchable bytes(after.image);
    const auto expect_gone = [&](const auto& names, const char* what) {
        for (const std::u16string& name : names) {
            EXPECT_FALSE(bytes.has_word(narrow(name))) << what << " of " << name.size() << " units";
        }
    };
    expect_gone(after.names.users(), "a user");
    expect_gone(after.names.computers(), "a computer");
    const auto before = test::decodable_trace(path, {});
    const auto result = open(after.image);
    const Decoded was = decoded_all(*before.reader, before.store);
    const Decoded is = decoded_all(*result, before.store);
    EXPECT_EQ(was, is);
}

TEST(RealTraces, NamesNobodyAnyMoreAndDecodeAsBefore) {
    const fs::path folder(test::shared_corpus());
    if (!fs::is_directory(folder)) {
        GTEST_SKIP() << "no " << folder;
    }
    std::size_t traces = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".etl" || name.ends_with(".etl.zst")) {
            expect_private(entry.path());
            ++traces;
        }
    }
    EXPECT_GT(traces, 0U);
}

TEST(OwnTraces, NameNobodyAnyMoreAndDecodeAsBefore) {
    for (const auto& entry :
         fs::directory_iterator(fs::path(test::source_dir()) / "corpus" / "good")) {
        if (entry.path().extension() == ".etl") {
            expect_private(entry.path());
        }
    }
}

} // namespace
} // namespace etl::anonymize::real_trace_test
