#include "flow/pipeline.hpp"

#include "base/run_in_order.hpp"
#include "flow/batch_loop.hpp"

#include <algorithm>
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
struct Batch : EventBatch {
    std::shared_ptr<const Encoder> model; // of the encoder that they need
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

/// The steps of run_in_order.
class EncodeSteps {
public:
    using Batch = flow::Batch;

    /// `model` outlives the batches.
    EncodeSteps(Source& source, const Encoder& model, Output& output,
                const PipelineOptions& options)
        : feeder_(source, batch_events, options.progress),
          written_(output, model.separator().size(), options), options_(&options),
          model_(std::shared_ptr<const Encoder>(), &model) {}

    bool fill(Batch& batch) {
        const bool is_filled = feeder_.fill(batch);
        batch.model = options_->encoder ? options_->encoder() : model_;
        return is_filled;
    }

    void work(Batch& batch) {
        EncoderShelf::Taken taken = shelf_.take(batch.model);
        work_on_intact(batch.runs,
                       [&](const Extents* extents) { encode(batch, extents, *taken.encoder); });
        shelf_.put(std::move(taken));
    }

    Result<void> finish(const Batch& batch) { return written_.write(batch); }

    bool is_full() const noexcept { return false; }

    bool is_done() const noexcept { return written_.is_full(); }

    /// What came before a pause is written.
    void pause() {
        if (options_->pause && !options_->pause()) {
            feeder_.stop();
        }
    }

    Result<void> flush() { return written_.flush(); }

    PipelineResult result() const {
        return {feeder_.events(), written_.events(), shelf_.decode_counts()};
    }

private:
    Feeder feeder_;
    EncoderShelf shelf_;
    Written written_;
    const PipelineOptions* options_;
    std::shared_ptr<const Encoder> model_;
};

} // namespace

Result<PipelineResult> run(Source& source, const Encoder& encoder, Output& output,
                           const PipelineOptions& options) {
    if (auto head = output.write(encoder.head()); !head) {
        return std::unexpected(head.error());
    }
    EncodeSteps steps(source, encoder, output, options);
    TaskPool pool(options.threads > 1 ? options.threads : 0);
    auto done = run_in_order(pool, steps);
    done = done ? steps.flush() : done;
    if (!done) {
        return std::unexpected(done.error());
    }
    if (auto tail = output.write(encoder.tail()); !tail) {
        return std::unexpected(tail.error());
    }
    if (const Error* error = source.error()) {
        return std::unexpected(*error);
    }
    return steps.result();
}

namespace {

/// Workers that are not at work.
class WorkerShelf {
public:
    explicit WorkerShelf(const BatchWorker& model) noexcept : model_(&model) {}

    std::unique_ptr<BatchWorker> take() {
        const std::scoped_lock lock(mutex_);
        if (free_.empty()) {
            return model_->clone();
        }
        auto worker = std::move(free_.back());
        free_.pop_back();
        return worker;
    }

    void put(std::unique_ptr<BatchWorker> worker) {
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(worker));
    }

private:
    const BatchWorker* model_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<BatchWorker>> free_;
};

/// The events that are still in their files.
std::vector<Run> held(std::span<const Run> all, const Extents& extents) {
    std::vector<Run> runs;
    for (const Run& run : all) {
        for (std::size_t begin = 0; begin < run.size();) {
            std::size_t end = begin;
            while (end < run.size() && extents.hold(run[end])) {
                ++end;
            }
            if (begin < end) {
                runs.push_back(run.subspan(begin, end - begin));
            }
            begin = end + 1;
        }
    }
    return runs;
}

} // namespace

class BatchReader::State {
public:
    State(Source& source, const BatchWorker& worker, TaskPool& pool, BatchOptions options)
        : options_(std::move(options)),
          feeder_(source, std::min(options_.first_events, options_.events), options_.progress),
          shelf_(worker), batches_(pool),
          max_started_(options_.first_events < options_.events ? 1 : batches_.most()) {}

    std::unique_ptr<BatchResult> next() {
        must_finish_ = must_finish_ && !batches_.is_empty();
        while (!is_at_end_ && !must_finish_ && batches_.size() < max_started_) {
            start_one();
        }
        max_started_ = std::min(batches_.most(), max_started_ * 2);
        if (batches_.is_empty()) {
            return nullptr;
        }
        auto batch = batches_.take_oldest();
        auto result = std::move(batch->result);
        batches_.put_back(std::move(batch));
        return result;
    }

    std::uint64_t events() const noexcept { return feeder_.events(); }

private:
    struct Batch : EventBatch {
        std::unique_ptr<BatchResult> result;
    };

    void start_one() {
        auto batch = batches_.take_spare();
        do { // a pause has no events
            is_at_end_ = !feeder_.fill(*batch);
        } while (!is_at_end_ && batch->events == 0);
        if (is_at_end_) {
            return;
        }
        must_finish_ = batch->flush;
        feeder_.grow(options_.events);
        batches_.start(std::move(batch), [this](Batch& one) { make_result(one); });
    }

    void make_result(Batch& batch) {
        auto worker = shelf_.take();
        work_on_intact(batch.runs, [&](const Extents* extents) {
            batch.result =
                worker->work(extents == nullptr ? batch.runs : held(batch.runs, *extents));
        });
        shelf_.put(std::move(worker));
    }

    BatchOptions options_;
    Feeder feeder_;
    WorkerShelf shelf_;
    BatchesInOrder<Batch> batches_;
    std::size_t max_started_; // grows with the batches
    bool is_at_end_ = false;
    bool must_finish_ = false; // the source pauses after the last of them
};

BatchReader::BatchReader(Source& source, const BatchWorker& worker, TaskPool& pool,
                         BatchOptions options)
    : state_(std::make_unique<State>(source, worker, pool, std::move(options))) {}

BatchReader::~BatchReader() = default;

std::unique_ptr<BatchResult> BatchReader::next() {
    return state_->next();
}

std::uint64_t BatchReader::events() const noexcept {
    return state_->events();
}

Result<std::uint64_t>
run_batches(Source& source, const BatchWorker& worker, TaskPool& pool,
            const std::function<Result<void>(std::unique_ptr<BatchResult> result)>& take,
            const BatchOptions& options) {
    BatchReader reader(source, worker, pool, options);
    while (auto result = reader.next()) {
        if (const auto taken = take(std::move(result)); !taken) {
            return std::unexpected(taken.error());
        }
    }
    if (const Error* error = source.error()) {
        return std::unexpected(*error);
    }
    return reader.events();
}

} // namespace etl::flow
