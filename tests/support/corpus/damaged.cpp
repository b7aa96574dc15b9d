#include "tests/support/corpus/corpus.hpp"
#include "tests/support/corpus/ten_buffers.hpp"
#include "tests/support/damage.hpp"

namespace etl::test {

namespace {

Sample unfinished() {
    TraceFacts facts = facts_of(u"Unfinished");
    facts.end_time = std::nullopt;
    Sample sample = ten("damaged/unfinished",
                        "A session that was never stopped: EndTime and BuffersWritten are 0",
                        ten_buffers(facts).build());
    sample.damage = "none that loses anything; a note of check";
    return sample;
}

} // namespace

std::vector<Sample> damaged() {
    const Image plain = ten_buffers(facts_of(u"Damaged")).build();
    const Image packed =
        ten_buffers(facts_of(u"Damaged", trace::Lineage::relogger), codec::Format::xpress).build();
    std::vector<Sample> samples{unfinished()};

    Sample cut =
        ten("damaged/truncated", "The file ends inside the second record of its last buffer",
            truncate_at(plain, 10 * small_buffer + 0x48 + 0x58 + 0x20));
    cut.events = 20;
    cut.warnings = 1;
    cut.damage = "one record and the fill behind it are missing";
    samples.push_back(cut);

    Sample garbage =
        ten("damaged/garbage-between-buffers",
            "333 bytes of noise stand between two buffers: what follows is off the grid",
            insert_garbage(plain, 5, 333));
    garbage.warnings = 1;
    garbage.damage = "333 bytes before buffer 5";
    samples.push_back(garbage);

    Sample record = ten("damaged/bad-record", "The first record of a buffer has no known marker",
                        flip(plain, 3 * small_buffer + 0x48 + 3));
    record.events = 19;
    record.warnings = 1;
    record.damage = "the records of buffer 3 cannot be found";
    samples.push_back(record);

    Sample tail = ten("damaged/preallocated-tail", "Space reserved for buffers that never came",
                      preallocate(plain, 4 * small_buffer));
    tail.damage = "none that loses anything; a note of reading";
    samples.push_back(tail);

    Sample stream = ten("damaged/compressed-truncated", "The last compressed buffer is cut off",
                        truncate_at(packed, packed.size() - 6));
    stream.events = 20;
    stream.warnings = 2;
    stream.damage = "one record cannot be unpacked";
    samples.push_back(stream);

    Sample wrong = ten("damaged/compressed-wrong-size",
                       "BufferSize of a compressed buffer reaches into the next one",
                       grow_size(packed, 4, 40));
    wrong.warnings = 1;
    wrong.damage = "none that loses anything";
    samples.push_back(wrong);
    return samples;
}

} // namespace etl::test
