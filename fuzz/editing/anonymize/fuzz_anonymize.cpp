// A byte of options, then a trace, or a text. Beyond "does not crash": every event comes out with
// its size and header as they were, and no byte differs but in payload and items; without a change
// it is the event itself; and what the report counts is what came out. What is found in a text lies
// in it, and blanks and line ends stay where they are.
#include "anonymize/anonymize.hpp"
#include "anonymize/texts/rewriter.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"
#include "trace/reader.hpp"

#include <algorithm>

using namespace etl;

namespace {

using fuzz::kernel_classes;
using fuzz::require;

// Holds what comes out against what went in.
class Comparison final : public relog::Output {
public:
    explicit Comparison(const flow::Event& event) : before_(&event) {}

    void pass() override { ++given_; }

    void emit(const relog::Draft& draft) override {
        ++given_;
        ++changed_;
        const flow::Event& after = draft.event();
        require(after.size == before_->size && after.raw_time == before_->raw_time);
        require(after.kind == before_->kind);
        const flow::EventHeader was = flow::read_header(*before_);
        const flow::EventHeader is = flow::read_header(after);
        require(was.payload.size() == is.payload.size() && was.items.size() == is.items.size());
        require(was.provider == is.provider && was.id == is.id && was.process_id == is.process_id);
        require(std::ranges::equal(head(*before_, was), head(after, is)));
    }

    void emit_now(const relog::Draft& /*draft*/) override { require(false); }

    std::uint64_t given() const noexcept { return given_; }

    std::uint64_t changed() const noexcept { return changed_; }

private:
    static Bytes head(const flow::Event& event, const flow::EventHeader& header) {
        const Bytes body = header.items.empty() ? header.payload : header.items;
        return body.empty() ? event.bytes().first(4) : Bytes(event.bytes().data(), body.data());
    }

    const flow::Event* before_;
    std::uint64_t given_ = 0, changed_ = 0;
};

void rewrite_text(Bytes bytes, anonymize::UnitSize unit) {
    using namespace anonymize;
    std::u16string text;
    load_units(bytes, unit, text);
    std::vector<Finding> found;
    KeyRoles keys;
    for (const Search search : {Search::text, Search::bytes}) {
        find_private(text, search, keys, found);
        for (const Finding& one : found) {
            require(one.where.begin <= one.where.end && one.where.end <= text.size());
        }
    }
    Names names;
    learn_names(text, Role::text, keys, names);
    const Pseudonyms pseudonyms(key_of(bytes.first(std::min<std::size_t>(8, bytes.size()))));
    const NameIndex index(names);
    Rewriter rewriter(pseudonyms, index);
    const auto check = [&](auto rewrite) {
        std::u16string to = text;
        const KindSet changed = rewrite(to);
        require(to.size() == text.size() && (changed != 0) == (to != text));
        for (std::size_t i = 0; i < text.size(); ++i) {
            require(is_blank(text[i]) == is_blank(to[i]));
        }
    };
    check([&](Units to) { return rewriter.replace_in_bytes(to); });
    for (auto role = static_cast<unsigned>(Role::text); is_text(static_cast<Role>(role)); ++role) {
        check([&](Units to) { return rewriter.rewrite(to, static_cast<Role>(role)); });
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    if (size == 0) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    if ((data[0] & 8U) != 0) {
        rewrite_text(bytes.first(std::min<std::size_t>(bytes.size(), 1U << 14U)),
                     anonymize::UnitSize::one);
        rewrite_text(bytes.first(std::min<std::size_t>(bytes.size(), 1U << 14U)),
                     anonymize::UnitSize::two);
        return 0;
    }
    auto reader =
        trace::Reader::open(io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz"), {});
    if (!reader) {
        return 0;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > (1U << 20U)) {
        return 0; // sound, but it takes a while
    }
    anonymize::NameCollector collector(store);
    collector.add((*reader)->info().header);
    (*reader)->for_each_buffer(
        1, [&](unsigned, const trace::BufferEntry&, flow::Run run) { collector.add(run); });
    anonymize::Options options{
        .key = anonymize::key_of(bytes.first(std::min<std::size_t>(8, bytes.size()))),
        .names = collector.take()};
    if ((data[0] & 1U) != 0) {
        options.redact.push_back({"*", "*", (data[0] & 2U) != 0 ? "*a*" : "*"});
    }
    options.undecodable = (data[0] & 4U) != 0   ? anonymize::Undecodable::drop
                          : (data[0] & 8U) != 0 ? anonymize::Undecodable::clear
                                                : anonymize::Undecodable::keep;
    anonymize::Anonymizer edit(store, options);
    std::uint64_t given = 0, changed = 0, events = 0;
    flow::EventCursor cursor(**reader);
    while (const flow::Event* event = cursor.next()) {
        Comparison output(*event);
        edit.edit(*event, output);
        require(output.given() <= 1);
        given += output.given();
        changed += output.changed();
        ++events;
    }
    const anonymize::Report report = edit.report();
    require(report.events == events && report.changed == changed);
    require(given + report.dropped == events);
    return 0;
}
