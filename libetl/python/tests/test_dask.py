"""etl.dask with a scheduler and two worker processes on loopback. docs/fleet.md"""
import os
import shutil
import signal
import subprocess
import sys

import pytest

import etl

pytest.importorskip("dask.bag", reason="install python3-dask")
distributed = pytest.importorskip("distributed", reason="install python3-distributed")

import etl.dask  # noqa: E402

SCALARS = "Example.EveryType/Scalars"


@pytest.fixture(scope="module")
def client():
    """Two workers, each of which is started again when it is killed."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture
def trace(tmp_path):
    """Several buffers of two kinds of events with different fields."""
    path = tmp_path / "made.etl"
    with etl.Writer(path, buffer_size=4096) as writer:
        for i in range(2000):
            second = i // 1000
            fields = {"Number": etl.Int(i, 4 if second else 2), "Text": f"x{i}"} if i % 10 else {"Rare": i, "Is": i % 20 == 0}
            writer.write("Example.Fleet", "Often" if i % 10 else "Seldom", fields, time=1_715_918_400_000_000_000 + i * 1_000_000)
    return path


def events_of(path, **options):
    return [event.to_dict() for event in etl.open(path, **options)]


def kill_once(events, mark):
    """Passes events; the first process that is in the middle of a part ends at once."""
    for number, event in enumerate(events):
        if number == 20:
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        yield event


def test_bags_are_the_events(client, trace):
    bag = etl.dask.bag(trace, parts=5)
    assert bag.npartitions == 5
    assert bag.compute() == events_of(trace)
    seldom = etl.dask.bag(trace, parts=3, where="event == Seldom")
    assert seldom.pluck("data").pluck("Rare").sum().compute() == sum(range(0, 2000, 10))


def test_a_part_of_a_killed_worker_is_done_again(client, trace, tmp_path):
    mark = str(tmp_path / "killed")
    workers = set(client.run(os.getpid).values())
    events = etl.dask.bag(trace, parts=6).map_partitions(lambda part: list(kill_once(part, mark))).compute()
    assert os.path.exists(mark)
    assert events == events_of(trace)
    client.wait_for_workers(2, timeout=300)
    assert set(client.run(os.getpid).values()) != workers


def test_frames_of_a_killed_worker_are_done_again(client, trace, tmp_path):
    pytest.importorskip("pandas")
    mark = str(tmp_path / "killed")

    def kill(frame):
        list(kill_once(range(len(frame)), mark))
        return frame

    frame = etl.dask.dataframe(trace, "Example.Fleet", parts=4)
    found = frame.map_partitions(kill, meta=frame).compute()
    assert os.path.exists(mark) and found["Number"].sum() == sum(i for i in range(2000) if i % 10)


def test_frames_are_the_columns(client, trace):
    pandas = pytest.importorskip("pandas")
    frame = etl.dask.dataframe(trace, "Example.Fleet", parts=4)
    assert str(frame["Number"].dtype) == "Int32" and str(frame["Is"].dtype) == "boolean"  # two of the parts have Int16
    assert str(frame["time"].dtype) == "datetime64[ns, UTC]" and frame["event"].dtype == "category"
    expected = etl.open(trace).columns("Example.Fleet").to_pandas()
    found = frame.compute().reset_index(drop=True)
    assert list(found.columns) == list(frame.columns) and set(found.columns) == set(expected.columns)
    for name in expected:
        one, other = found[name].astype(object), expected[name].astype(object)
        assert one.isna().tolist() == other.isna().tolist() and one.dropna().tolist() == other.dropna().tolist(), name
    assert frame.groupby("event", observed=True).size().compute().to_dict() == {"Often": 1800, "Seldom": 200}
    for part in frame.partitions:
        assert part.compute().dtypes.astype(str).tolist() == frame.dtypes.astype(str).tolist()
    everything = etl.dask.dataframe(trace, where="event == Seldom", parts=2)
    assert everything["Rare"].sum().compute() == sum(range(0, 2000, 10))
    assert isinstance(found, pandas.DataFrame)


def test_types_with_nothing_in_common_are_refused(tmp_path):
    pytest.importorskip("pandas")
    for name, value in (("a", 1), ("b", "text")):
        with etl.Writer(tmp_path / f"{name}.etl") as writer:
            writer.write("Example.Fleet", "E", {"Value": value})
    with pytest.raises(etl.Error, match=r"b\.etl: column 'Value' has a type"):
        etl.dask.dataframe(tmp_path, "Example.Fleet")


def test_common_types_are_those_of_columns(tmp_path):
    """Each pair of integers and floating point: a frame over two files has the type of both files opened together."""
    pytest.importorskip("pandas")
    values = {"i1": etl.Int(-1, 1), "i8": etl.Int(-1, 8), "u4": etl.Int(1, 4, is_signed=False), "f": 0.5}
    for one in values:
        for other in values:
            for name, value in (("a", values[one]), ("b", values[other])):
                with etl.Writer(tmp_path / f"{name}.etl", replace=True) as writer:
                    writer.write("Example.Fleet", "E", {"Value": value})
            paths = [tmp_path / "a.etl", tmp_path / "b.etl"]
            together = {column.name: column.format for column in etl.open(paths).columns("Example.Fleet").schema}["Value"]
            if together == "u":
                with pytest.raises(etl.Error, match="'Value'"):
                    etl.dask.dataframe(paths, "Example.Fleet")
            else:
                assert str(etl.dask.dataframe(paths, "Example.Fleet")["Value"].dtype) == etl.dask._DTYPES[together]


def test_directories_and_indexes(corpus, tmp_path):
    for name in ("a.etl", "b.ETL", "c.etl.001", "d.txt", "etl", "e.etl.zst", "sub/f.etl", "g.etl.index"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        source = "good/written-sequential-zstd.etl.zst" if name.endswith("zst") else "good/written-sequential.etl"
        shutil.copy(corpus / source, tmp_path / name)
    for recursive in (False, True):
        opened = sorted(info.name for info in etl.open(tmp_path, recursive=recursive).infos)
        assert sorted(part.path for part in etl.dask.parts_of(tmp_path, recursive=recursive)) == opened
    pattern = str(tmp_path / "[ab]*.etl").replace("[ab]", "?")
    assert [part.path for part in etl.dask.parts_of(pattern)] == [str(tmp_path / "a.etl")]
    path = str(tmp_path / "a.etl")
    (tmp_path / "a.etl.index").write_bytes(b"")
    size = os.path.getsize(path)
    assert etl.dask.parts_of(path, part_size=size // 2) == [(path, 1, 2), (path, 2, 2)]
    assert len(etl.dask.parts_of(path, parts=7)) == 7 and etl.dask.parts_of(path)[0].n == 1
    with pytest.raises(etl.Error, match="no traces"):
        etl.dask.parts_of(tmp_path / "empty*")


def test_several_traces_follow_each_other(corpus):
    paths = [corpus / "good/first-steps.etl", corpus / "good/written-sequential.etl"]
    assert etl.dask.bag(paths, parts=2).compute(scheduler="sync") == events_of(paths[0]) + events_of(paths[1])


def test_errors_name_the_trace(corpus, tmp_path, caplog):
    shutil.copy(corpus / "good/first-steps.etl", tmp_path / "a.etl")
    (tmp_path / "b.etl").write_bytes(b"not a trace" * 1000)
    (tmp_path / "c.etl").write_bytes((corpus / "good/first-steps.etl").read_bytes()[:-1000])
    with pytest.raises(etl.Error, match=r"b\.etl, part 1 of 2: not a trace") as raised:
        etl.dask.bag(tmp_path, parts=2).compute(scheduler="sync")
    assert raised.value.status == "not a trace"
    assert etl.dask.bag(tmp_path / "c.etl").count().compute(scheduler="sync") > 0
    assert "c.etl" in caplog.text and "truncated" in caplog.text
    found = etl.dask.problems(tmp_path).compute(scheduler="sync")
    assert [os.path.basename(one["path"]) for one in found] == ["b.etl", "c.etl"] and "truncated" in found[1]["problem"]


def test_errors_cross_processes(client, tmp_path):
    (tmp_path / "a.etl").write_bytes(b"not a trace" * 1000)
    with pytest.raises(etl.Error, match=r"a\.etl: not a trace") as raised:
        etl.dask.bag(tmp_path).compute()
    assert raised.value.status == "not a trace"


def test_options_are_checked_at_once(first_steps):
    with pytest.raises(TypeError):
        etl.dask.bag(first_steps, filter="x")
    with pytest.raises(ValueError):
        etl.dask.bag(first_steps, order="backwards")


def test_without_dask(tmp_path):
    (tmp_path / "dask.py").write_text("raise ImportError\n")
    path = os.pathsep.join([str(tmp_path), os.path.dirname(os.path.dirname(etl.__file__))])
    done = subprocess.run([sys.executable, "-c", "import etl; import etl.dask"], env={**os.environ, "PYTHONPATH": path}, capture_output=True,
                          text=True)
    assert done.returncode == 1 and "etl.dask needs dask; on Debian: python3-dask" in done.stderr
