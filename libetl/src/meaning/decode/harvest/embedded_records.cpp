#include "decode/harvest/embedded_records.hpp"

#include "format/buffer_header.hpp"
#include "format/encode.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"

namespace etl::decode {

EmbeddedRecords::EmbeddedRecords(const flow::Event& event, std::size_t largest)
    : event_(event), largest_(largest) {
    block_->bytes.fill(format::buffer_header::size);
}

bool EmbeddedRecords::add(std::uint8_t type, Bytes payload) {
    const format::RecordKind kind{format::RecordFamily::full, event_.kind.width};
    const std::size_t size = format::full_record::size + payload.size();
    const std::size_t at = block_->bytes.size();
    flow::EventHeader header = flow::read_header(event_); // its process, thread, and CPU times
    static_cast<format::EventDescriptor&>(header) = {.opcode = type};
    header.provider = format::event_metadata_guid;
    header.payload = payload;
    if (size > largest_ || !format::encode(kind, header, event_.raw_time, block_->bytes)) {
        return false;
    }
    block_->bytes.align(8);
    flow::Event& event = block_->events.emplace_back();
    event.raw_time = event_.raw_time;
    event.size = static_cast<std::uint32_t>(size);
    event.kind = kind;
    places_.push_back(at);
    return true;
}

std::shared_ptr<const EmbeddedBlock> EmbeddedRecords::finish() {
    if (places_.empty()) {
        return nullptr;
    }
    block_->buffer = *event_.buffer;
    block_->buffer.bytes = block_->bytes.view();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        block_->events[i].record = block_->bytes.view().data() + places_[i];
        block_->events[i].buffer = &block_->buffer;
    }
    return block_;
}

} // namespace etl::decode
