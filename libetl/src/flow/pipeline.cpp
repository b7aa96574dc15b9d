#include <etl/base/task_pool.hpp>
#include <etl/flow/pipeline.hpp>

#include "flow/extents.hpp"
#include "flow/pin_set.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <mutex>
#include <span>
#include <utility>

namespace etl::flow {

namespace {

constexpr std::size_t batch_events =
    2048; // enough to make a hand-over cheap, few enough to stay in the cache
constexpr std::size_t flush_bytes = 256U << 10U;

/// An event that was not left out, and where its text ends.
struct Encoded {
    const Event* event;
    std::size_t end;
};

/// Ordered events on their way to a worker, and their bytes on the way back.
struct Batch {
    std::vector<Run> runs;
    PinSet pins;
    std::size_t events = 0;
    std::shared_ptr<const Encoder> model; // of the encoder that they need
    bool flush = false;                   // the source pauses after it
    std::string text;                     // a separator in front of each event
    std::vector<Encoded> encoded;         // the events in it
};

/// `extents` null: all events.
void encode(Batch& batch, const Extents* extents, Encoder& encoder) {
    batch.text.clear();
    batch.encoded.clear();
    for (const Run& run : batch.runs) {
        for (const Event& event : run) {
            if (extents != nullptr && !extents->hold(event)) {
                continue;
            }
            const std::size_t before = batch.text.size();
            batch.text.append(encoder.separator());
            if (encoder.encode(event, batch.text)) {
                batch.encoded.push_back({&event, batch.text.size()});
            } else {
                batch.text.resize(before);
            }
        }
    }
}

/// What was truncated away while it was encoded came out as zeros: once more, without it. The
/// source reports it.
void encode(Batch& batch, Encoder& encoder) {
    encode(batch, nullptr, encoder);
    for (Extents now(batch.runs); !now.hold(batch.runs);) {
        encode(batch, &now, encoder);
        const Extents then = std::exchange(now, Extents(batch.runs));
        if (now == then) {
            break;
        }
    }
}

/// Encoders that are not at work. Those of a model that another one has replaced are dropped.
class EncoderShelf {
public:
    struct Taken {
        std::shared_ptr<const Encoder> model;
        std::unique_ptr<Encoder> encoder;
    };

    Taken take(const std::shared_ptr<const Encoder>& model) {
        const std::scoped_lock lock(mutex_);
        newest_ = model;
        const auto found = std::ranges::find(free_, model, &Taken::model);
        if (found == free_.end()) {
            return {model, model->clone()};
        }
        Taken taken = std::move(*found);
        free_.erase(found);
        return taken;
    }

    void put(Taken taken) {
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(taken));
        std::erase_if(free_, [&](const Taken& one) {
            const bool is_old = one.model != newest_;
            dropped_ += is_old ? one.encoder->decode_counts() : DecodeCounts{};
            return is_old;
        });
    }

    DecodeCounts decode_counts() const {
        DecodeCounts sum = dropped_;
        for (const Taken& one : free_) {
            sum += one.encoder->decode_counts();
        }
        return sum;
    }

private:
    std::mutex mutex_;
    std::vector<Taken> free_;
    std::shared_ptr<const Encoder> newest_;
    DecodeCounts dropped_;
};

/// Takes batches from the source, counting and telling progress.
class Feeder {
public:
    /// `model` outlives the batches.
    Feeder(Source& source, const Encoder& model, const PipelineOptions& options)
        : source_(&source), options_(&options), model_(std::shared_ptr<const Encoder>(), &model) {}

    /// False at the end. A batch without events only asks for a flush.
    bool fill(Batch& batch) {
        batch.runs.clear();
        batch.pins.clear();
        batch.events = 0;
        batch.flush = false;
        while (!stopped_ && batch.events < batch_events && !batch.pins.is_full()) {
            const Run run = source_->next_run();
            if (run.empty()) {
                batch.flush = source_->is_paused();
                stopped_ = !batch.flush;
                break;
            }
            batch.runs.push_back(run);
            batch.events += run.size();
            batch.pins.add(source_->pin(), run.front().buffer->bytes.size());
        }
        events_ += batch.events;
        batch.model = options_->encoder ? options_->encoder() : model_;
        if (batch.events > 0 && options_->progress &&
            !options_->progress(events_, batch.runs.back().back())) {
            stopped_ = true;
        }
        return batch.events > 0 || batch.flush;
    }

    /// What came before a pause is written.
    void pause() {
        if (options_->pause && !options_->pause()) {
            stopped_ = true;
        }
    }

    std::uint64_t events() const noexcept { return events_; }

private:
    Source* source_;
    const PipelineOptions* options_;
    std::shared_ptr<const Encoder> model_;
    std::uint64_t events_ = 0;
    bool stopped_ = false;
};

void encode(Batch& batch, EncoderShelf& shelf) {
    EncoderShelf::Taken taken = shelf.take(batch.model);
    encode(batch, *taken.encoder);
    shelf.put(std::move(taken));
}

/// Writes encoded batches, one after the other.
class Written {
public:
    Written(Output& output, std::size_t separator, const PipelineOptions& options)
        : output_(&output), separator_(separator), options_(&options), skip_(options.skip),
          limit_(options.limit) {}

    Result<void> write(const Batch& batch) {
        const std::uint64_t passed = std::min<std::uint64_t>(skip_, batch.encoded.size());
        skip_ -= passed;
        const auto first = static_cast<std::size_t>(passed);
        std::size_t end = batch.encoded.size();
        if (limit_) {
            end = std::min<std::uint64_t>(end, first + (*limit_ - events_));
        }
        if (first < end) {
            std::size_t from = first == 0 ? 0 : batch.encoded[first - 1].end;
            from += events_ == 0 ? separator_ : 0; // none in front of the first of all
            const auto text =
                std::string_view(batch.text).substr(from, batch.encoded[end - 1].end - from);
            events_ += end - first;
            tell(std::span(batch.encoded).subspan(first, end - first));
            if (text_.empty() && text.size() >= flush_bytes / 4) {
                return output_->write(text); // as it is: a copy would cost more than the call
            }
            text_.append(text);
        }
        return text_.size() >= flush_bytes || batch.flush ? flush() : Result<void>{};
    }

    Result<void> flush() {
        const auto written = text_.empty() ? Result<void>{} : output_->write(text_);
        text_.clear();
        return written;
    }

    bool is_full() const noexcept { return limit_ && events_ >= *limit_; }

    std::uint64_t events() const noexcept { return events_; }

private:
    void tell(std::span<const Encoded> events) const {
        if (options_->written) {
            for (const Encoded& one : events) {
                options_->written(*one.event);
            }
        }
    }

    Output* output_;
    std::size_t separator_;
    const PipelineOptions* options_;
    std::uint64_t skip_;
    std::optional<std::uint64_t> limit_;
    std::uint64_t events_ = 0;
    std::string text_;
};

Result<DecodeCounts> run_alone(Feeder& feeder, Written& written) {
    EncoderShelf shelf;
    Batch batch;
    while (!written.is_full() && feeder.fill(batch)) {
        encode(batch, shelf);
        if (auto result = written.write(batch); !result) {
            return std::unexpected(result.error());
        }
        if (batch.flush) {
            feeder.pause();
        }
    }
    if (auto result = written.flush(); !result) {
        return std::unexpected(result.error());
    }
    return shelf.decode_counts();
}

Result<DecodeCounts> run_parallel(Feeder& feeder, Written& written, unsigned threads) {
    EncoderShelf shelf;
    std::deque<std::pair<std::unique_ptr<Batch>, std::future<void>>> under_way;
    std::vector<std::unique_ptr<Batch>> spare;
    Result<void> result;
    const std::size_t depth = 4UL * threads;
    {
        TaskPool pool(threads);
        const auto finish_oldest = [&] {
            auto [batch, done] = std::move(under_way.front());
            under_way.pop_front();
            done.get();
            if (result) {
                result = written.write(*batch);
            }
            spare.push_back(std::move(batch));
        };
        while (result && !written.is_full()) {
            auto batch = spare.empty() ? std::make_unique<Batch>() : std::move(spare.back());
            if (!spare.empty()) {
                spare.pop_back();
            }
            if (!feeder.fill(*batch)) {
                break;
            }
            // What the task throws comes out of the future.
            auto task = std::make_shared<std::packaged_task<void()>>(
                [work = batch.get(), &shelf] { encode(*work, shelf); });
            const bool is_last = batch->flush;
            under_way.emplace_back(std::move(batch), task->get_future());
            pool.submit([task] { (*task)(); });
            while (under_way.size() >= depth || (is_last && !under_way.empty())) {
                finish_oldest();
            }
            if (is_last && result) {
                feeder.pause();
            }
        }
        while (!under_way.empty()) {
            finish_oldest();
        }
    }
    if (result) {
        result = written.flush();
    }
    if (!result) {
        return std::unexpected(result.error());
    }
    return shelf.decode_counts();
}

} // namespace

Result<PipelineResult> run(Source& source, const Encoder& encoder, Output& output,
                           const PipelineOptions& options) {
    Feeder feeder(source, encoder, options);
    if (auto head = output.write(encoder.head()); !head) {
        return std::unexpected(head.error());
    }
    Written written(output, encoder.separator().size(), options);
    const auto counts = options.threads > 1 ? run_parallel(feeder, written, options.threads)
                                            : run_alone(feeder, written);
    if (!counts) {
        return std::unexpected(counts.error());
    }
    if (auto tail = output.write(encoder.tail()); !tail) {
        return std::unexpected(tail.error());
    }
    if (const Error* error = source.error()) {
        return std::unexpected(*error);
    }
    return PipelineResult{feeder.events(), written.events(), *counts};
}

} // namespace etl::flow
