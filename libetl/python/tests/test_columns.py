import datetime
import struct
import uuid

import pytest

import etl

numpy = pytest.importorskip("numpy")


def test_schema(types):
    columns = etl.open(types).columns("Example.EveryType/Scalars")
    known = {column.name: column for column in columns.schema}
    assert [column.name for column in columns.schema][:6] == ["time", "pid", "tid", "cpu", "provider", "event"]
    assert known["time"].format == "tsn:UTC" and known["u64"].format == "L" and not known["u64"].is_list
    assert "<table>" in columns._repr_html_() and "Scalars" in repr(columns)


def test_numpy_values(types):
    arrays = etl.open(types).columns("Example.EveryType/Scalars").numpy()
    assert arrays["time"].dtype == "M8[ns]" and arrays["time"][0] == numpy.datetime64("2024-05-17T04:00:01", "ns")
    assert arrays["i8"].tolist() == [-128, -128] and arrays["u64"].dtype == "u8"
    assert arrays["bool32"].tolist() == [True, True]
    assert arrays["guid"][0] == uuid.UUID("8eadb513-e868-51a0-9a2b-0b396af6746b")
    assert arrays["binary"][0] == b"\xde\xad\xbe\xef" and arrays["sid"][1] == "S-1-5-32-544"
    assert arrays["event"].tolist() == ["Scalars", "Scalars"]


def test_lists(types):
    arrays = etl.open(types).columns("*/ArraysAndStructs").numpy()
    assert arrays["fixed"][0].tolist() == [1, 2, 3] and arrays["empty"][1].tolist() == []
    assert arrays["pairs.key"][0].tolist() == ["a", "b"] and arrays["outer.inner.deep"].tolist() == [2, 2]


def test_lists_of_structures(types):
    columns = etl.open(types).columns("*/ArraysAndStructs", structures=True)
    known = {column.name: column for column in columns.schema}
    assert known["pairs"][1:3] == ("+s", True) and [member.name for member in known["pairs"].members] == ["key", "value"]
    arrays = columns.numpy()
    assert "pairs.key" not in arrays and arrays["outer.inner.deep"].tolist() == [2, 2]
    events = [event.to_dict()["data"] for event in etl.open(types) if event.name == "ArraysAndStructs"]
    assert arrays["pairs"].tolist() == [event["pairs"] for event in events] and events[0]["pairs"][1]["key"] == "b"
    frame = pytest.importorskip("pandas") and columns.to_pandas()
    assert frame["pairs"][0] == events[0]["pairs"]


def test_times_that_are_none(tmp_path):
    path, manifest = tmp_path / "times.etl", tmp_path / "times.man"
    manifest.write_text('''<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Times" guid="{11111111-2222-3333-4444-555555555555}" symbol="T" messageFileName="t.dll" resourceFileName="t.dll">
<events><event value="1" symbol="E" template="t"/></events><templates><template tid="t"><data name="When" inType="win:SYSTEMTIME"/>
<data name="Good" inType="win:UInt32"/></template></templates></provider></events></instrumentation></instrumentationManifest>''')
    times = [(2024, 2, 4, 29, 1, 2, 3, 4), (2024, 2, 5, 30, 1, 2, 3, 4), (2024, 13, 5, 1, 0, 0, 0, 0), (0,) * 8]
    with etl.Writer(path) as writer:
        for time in times:
            writer.write_record("11111111-2222-3333-4444-555555555555", 1, struct.pack("<8HI", *time, 7))
    trace = etl.open(path, schemas=manifest, where="provider == Times")
    events = [(event["When"], event["Good"], event.assumption) for event in trace]
    assert [good for _, good, _ in events] == [7] * 4
    when = datetime.datetime(2024, 2, 29, 1, 2, 3, 4000, tzinfo=datetime.timezone.utc)
    assert events[0] == (when, 7, "") and events[3] == (None, 7, "")
    assert all(isinstance(value, bytes) and note == "When: not a time" for value, _, note in events[1:3])
    arrays = trace.columns().numpy()
    assert numpy.isnat(arrays["When"]).tolist() == [False, True, True, True] and arrays["Good"].tolist() == [7] * 4
    with pytest.raises(etl.WrongTypeError, match="When: expected a time, found bytes"):
        for event in trace:
            event.value("When", datetime.datetime)


def test_structures_of_several_kinds(tmp_path):
    path = tmp_path / "orders.etl"
    when = datetime.datetime(2024, 5, 17, 6, tzinfo=datetime.timezone.utc)
    with etl.Writer(path) as writer:
        writer.write("Coffee.Shop", "Sold", {"Cups": [{"Size": etl.Int(1, 4), "When": when}, {"Size": etl.Int(2, 4), "When": when}]})
        writer.write("Coffee.Shop", "Sold", {"Cups": [{"Size": etl.Int(3, 4), "Drink": {"Name": "tea"}}]})
        writer.write("Coffee.Shop", "Sold", {"Cups": []})
        writer.write("Coffee.Shop", "Sold", {"Number": 5})
    arrays = etl.open(path).columns("Coffee.Shop/Sold", structures=True).numpy()
    cups = arrays["Cups"].tolist()
    assert cups[0] == [{"Size": n, "When": numpy.datetime64("2024-05-17T06:00:00", "ns"), "Drink.Name": None} for n in (1, 2)]
    assert cups[1][0]["Size"] == 3 and cups[1][0]["Drink.Name"] == "tea" and numpy.isnat(cups[1][0]["When"])
    assert cups[2] is None and cups[3] is None  # an empty list is one of integers: Cups#2
    assert arrays["Cups#2"][2].tolist() == []
    flat = etl.open(path).columns("Coffee.Shop/Sold").numpy()
    assert flat["Cups.Size"][0].tolist() == [1, 2] and flat["Cups.Drink.Name"][1].tolist() == ["tea"]


def test_messages(first_steps):
    trace = etl.open(first_steps)
    expected = [event.message or None for event in trace]
    assert sum(message is not None for message in expected) == 2
    for details in (False, True):
        arrays = trace.columns(messages=True, details=details).numpy()
        assert arrays["message"].tolist() == expected
    assert trace.columns(messages=True).to_pandas()["message"].tolist() == expected
    assert "message" not in trace.columns().numpy()


def test_columns_agree_with_events(types):
    """Each value of each column is that of the event."""
    trace = etl.open(types)
    for name in ("Scalars", "OutTypes"):
        events = [event.to_dict() for event in trace if event.name == name]
        arrays = trace.columns("Example.EveryType/" + name).numpy()
        compared = 0
        for row, event in enumerate(events):
            for field, value in event["data"].items():
                field = "data." + field if "data." + field in arrays else field
                if field not in arrays or isinstance(value, (list, dict)):
                    continue
                cell = arrays[field][row]
                if isinstance(value, datetime.datetime):
                    cell = cell.astype("M8[us]").astype(datetime.datetime).replace(tzinfo=datetime.timezone.utc)
                assert cell == value or (cell != cell and value != value), (name, field)
                compared += 1
        assert compared > 20


def test_several_kinds_and_nulls(first_steps):
    arrays = etl.open(first_steps).columns("Example.SignalBox").numpy()
    assert arrays["Colour"].tolist().count("brown") == 1 and arrays["Colour"].tolist().count(None) == 5
    assert isinstance(arrays["Cows"], numpy.ma.MaskedArray) and arrays["Cows"].count() == 1
    everything = etl.open(first_steps).columns().numpy()
    assert len(everything["time"]) == 11


def test_details_are_those_of_events(corpus):
    for name in ("first-steps", "tracelogging-types", "kernel-events-64"):
        trace = etl.open(corpus / f"good/{name}.etl")
        events = [(event.id, event.version, event.level, event.opcode, event.task, event.channel, event.keyword,
                   event.provider_id, event.activity_id) for event in trace]
        arrays = trace.columns(details=True).numpy()
        rows = zip(*(arrays[key].tolist() for key in ("id", "version", "level", "opcode", "task", "channel", "keyword",
                                                      "provider_guid", "activity_id")))
        assert list(rows) == events and len(events) > 2
        assert all(file.endswith(f"{name}.etl") for file in arrays["file"])
    assert arrays["decode_error"].tolist().count(None) > 0  # a label that is null


def test_batches_are_parts_of_the_whole(first_steps):
    columns = etl.open(first_steps).columns("Example.SignalBox", rows=2)
    batches = list(columns.batches())
    assert [len(batch["time"]) for batch in batches] == [2, 2, 2]
    whole = columns.numpy()
    for name in whole:
        parts = [value for batch in batches for value in batch[name].tolist()]
        assert repr(parts) == repr(whole[name].tolist()), name  # NaN is not equal to itself


def test_batches_join(first_steps):
    whole = etl.open(first_steps).columns().numpy()
    parts = etl.open(first_steps).columns(rows=2).numpy()
    for name, values in whole.items():
        assert [str(value) for value in values] == [str(value) for value in parts[name]], name
        assert values.dtype == parts[name].dtype


def test_selections_without_events(first_steps):
    arrays = etl.open(first_steps, where="level == 1").columns("No.Such/Event").numpy()
    assert len(arrays["time"]) == 0 and list(arrays) == ["time", "pid", "tid", "cpu", "provider", "event"]


def test_capsules_free_what_is_not_used(first_steps):
    for _ in range(100):
        capsule = etl.open(first_steps).columns().__arrow_c_stream__()
        assert "arrow_array_stream" in repr(capsule)
        del capsule


def test_streams_outlive_their_trace(first_steps):
    trace = etl.open(first_steps)
    batches = trace.columns(rows=2)._batches()
    next(batches)
    trace.close()
    del trace
    assert sum(batch.length for batch in batches) == 11


def test_pyarrow(first_steps):
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.table(etl.open(first_steps).columns()).num_rows == 11


def test_pandas(first_steps):
    pandas = pytest.importorskip("pandas")
    frame = etl.open(first_steps).columns("Example.SignalBox").to_pandas()
    assert len(frame) == 6 and str(frame["time"].dtype) == "datetime64[ns, UTC]"
    assert frame["Cows"].isna().sum() == 5 and frame["Cows"].dtype.name.startswith(("Int", "UInt"))
    assert frame["event"].dtype == "category"
    assert frame.groupby("event", observed=True).size()["CowOnTheLine"] == 1
    assert isinstance(frame, pandas.DataFrame)


def test_names_that_no_event_has(first_steps):
    for wrong in ("Example.SignalBox/TrainPast", "NoSuchProvider"):
        with pytest.raises(etl.NotFoundError, match="TrainPast.*TrainPassed" if "/" in wrong else wrong):
            etl.open(first_steps).columns(wrong).schema
    trace = etl.open(first_steps, where="level == 1")
    assert len(trace.columns("Example.SignalBox/TrainPassed").numpy()["time"]) == 0


def test_live_sessions_have_no_columns():
    runtime = etl.Runtime()
    with runtime.start("Columns", mode="real-time") as session:
        with pytest.raises(etl.Error) as raised:
            session.listen().columns().numpy()
        assert raised.value.status == "unsupported"


def test_a_trace_has_one_reader(first_steps):
    trace = etl.open(first_steps)
    batches = trace.columns(rows=2)._batches()
    next(batches), next(batches)  # the schema, two rows
    assert sum(1 for _ in trace) > 2
    with pytest.raises(etl.Error, match="read otherwise"):
        list(batches)
