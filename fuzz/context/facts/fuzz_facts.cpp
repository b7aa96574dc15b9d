// A whole trace, its facts collected and asked. Beyond "does not crash": what two threads collect
// is what one does; names are UTF-8; a life that is found began by then; the parts of a stack come
// in order; and an event gets the same notes however often it is asked about.
#include "base/text.hpp"
#include "facts/annotator.hpp"
#include "facts/collector.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"
#include "trace/reader.hpp"

using namespace etl;

namespace {

using fuzz::kernel_classes;
using fuzz::require;

facts::Facts collect(trace::Reader& reader, const std::shared_ptr<const schema::SchemaStore>& store,
                     unsigned threads) {
    facts::Collector collector(store, {}, threads);
    return collector.read(reader, threads);
}

void require_same(const facts::Counts& a, const facts::Counts& b) {
    require(a.processes == b.processes && a.threads == b.threads && a.images == b.images);
    require(a.methods == b.methods && a.modules == b.modules && a.shared_stacks == b.shared_stacks);
    require(a.files == b.files && a.disks == b.disks && a.stacks == b.stacks);
    require(a.distinct_stacks == b.distinct_stacks && a.unknown_keys == b.unknown_keys);
    require(a.bytes == b.bytes && a.dropped_names == b.dropped_names);
    require(a.dropped_lifetimes == b.dropped_lifetimes && a.dropped_stacks == b.dropped_stacks);
}

// Methods that exist at one time do not overlap: the method of an address is that of its first
// byte.
void require_code(const facts::Facts& facts, std::uint32_t process, std::uint64_t address,
                  std::int64_t time) {
    if (const auto method = facts.method(process, address, time)) {
        require(method->start <= address && address - method->start < method->size);
        const auto first = facts.method(process, method->start, time);
        require(first && first->start == method->start && first->size == method->size);
        require(is_valid_utf8(method->name) && is_valid_utf8(method->module));
    }
    if (const auto image = facts.image(process, address, time)) {
        require(image->begin <= time && time < image->end);
        require(address - image->base < image->size && is_valid_utf8(image->original_name));
    }
}

void require_sound(const facts::Facts& facts, const facts::Facts& same, const flow::Event& event) {
    const std::int64_t time = event.raw_time;
    const flow::EventHeader header = flow::read_header(event);
    if (const auto who = facts.process(header.process_id, time)) {
        require(who->begin <= time && who->begin <= who->end && is_valid_utf8(who->name));
        require(same.process(header.process_id, time)->name == who->name);
    }
    const auto parts = facts.stacks(time);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        require(parts[i].time == time && !facts.frames(parts[i]).empty());
        require_code(facts, parts[i].process, facts.frames(parts[i]).front(), time);
        require(i == 0 || parts[i - 1].thread < parts[i].thread ||
                (parts[i - 1].thread == parts[i].thread && parts[i - 1].where < parts[i].where));
    }
}

void require_images(const facts::Facts& facts) {
    const auto images = facts.images();
    require(images.size() == facts.counts().images);
    for (const facts::Image& image : images) {
        require(!image.pdb || is_valid_utf8(image.pdb->name));
        require(is_valid_utf8(facts.dos_path(image.path)));
    }
    require(facts.managed_modules().size() == facts.counts().modules);
}

void require_notes(facts::Annotator& annotator, const decode::DecodedEvent& event,
                   std::uint32_t generation) {
    const facts::Notes& notes = annotator.annotate(event, generation);
    require(notes.frames.empty() || notes.frames.size() == notes.stack.size());
    std::string text(notes.process);
    for (const facts::FieldNote& note : notes.fields) {
        require(event.kind->schema != nullptr && note.field < event.kind->schema->fields.size());
        require(!note.text.empty() && is_valid_utf8(note.text));
        text.append(note.text);
    }
    const facts::Notes& again = annotator.annotate(event, generation);
    std::string same(again.process);
    for (const facts::FieldNote& note : again.fields) {
        same.append(note.text);
    }
    require(same == text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    const Bytes bytes = std::as_bytes(std::span(data, size));
    auto reader =
        trace::Reader::open(io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz"), {});
    if (!reader) {
        return 0;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > (8U << 20U)) {
        return 0; // sound, but it takes a while
    }
    auto facts = std::make_shared<facts::FactsByTrace>();
    facts->push_back(collect(**reader, store, 1));
    const facts::Facts same = collect(**reader, store, 2);
    require_same(facts->front().counts(), same.counts());
    require_images(facts->front());
    decode::Decoder decoder(store);
    facts::Annotator annotator(facts);
    flow::EventCursor events(**reader);
    for (int left = 20'000; left > 0; --left) {
        const flow::Event* event = events.next();
        if (event == nullptr) {
            break;
        }
        require_sound(facts->front(), same, *event);
        require_notes(annotator, decoder.decode(*event), decoder.generation());
    }
    return 0;
}
