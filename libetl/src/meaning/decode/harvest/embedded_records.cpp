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
    namespace record = format::event_record;
    const std::size_t size = format::full_record::size + payload.size();
    const std::size_t at = block_->bytes.size();
    const format::FullRecord made{.width = event_.kind.width,
                                  .opcode = type,
                                  .process_id = flow::stored<record::process_id>(event_),
                                  .thread_id = flow::stored<record::thread_id>(event_),
                                  .time = event_.raw_time,
                                  .event_class = format::event_metadata_guid,
                                  .kernel_time = flow::stored<record::kernel_time>(event_),
                                  .user_time = flow::stored<record::user_time>(event_),
                                  .payload = payload};
    if (size > largest_ || !format::encode(made, block_->bytes)) {
        return false;
    }
    block_->bytes.align(8);
    flow::Event& event = block_->events.emplace_back();
    event.raw_time = event_.raw_time;
    event.size = static_cast<std::uint32_t>(size);
    event.kind = {format::RecordFamily::full, event_.kind.width};
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
