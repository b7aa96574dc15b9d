import datetime
import uuid

import pytest

import etl

UTC = datetime.timezone.utc
FIELDS = {
    "What": "croissant", "Order": etl.Int(7, 4), "Price": {"Cents": etl.Int(250, 2, False), "IsPaid": True},
    "Toppings": ["salt", "seeds"], "Weights": [etl.Int(-5, 1), etl.Int(7, 1)], "Warmth": 0.5,
    "Shop": uuid.UUID("8eadb513-e868-51a0-9a2b-0b396af6746b"),
    "Baked": datetime.datetime(2024, 5, 17, 6, tzinfo=UTC), "Photo": b"\x01\x02", "Big": (1 << 64) - 1, "Small": -1,
    "Shelf": etl.Pointer(0x7fff0000), "Doses": [0.5, 1.5],
}
EXPECTED = {**FIELDS, "Order": 7, "Price": {"Cents": 250, "IsPaid": True}, "Weights": [-5, 7], "Shelf": 0x7fff0000}


def write_sales(path, count=10):
    start = datetime.datetime(2024, 5, 17, 6, tzinfo=UTC)
    with etl.Writer(path, start=start) as writer:
        for number in range(count):
            writer.write("Coffee.Shop", "Sold", {**FIELDS, "Number": number}, level=4, pid=7,
                         time=start + datetime.timedelta(seconds=number))
        assert writer.count == count
    return path


def test_what_is_written_is_read(tmp_path):
    trace = etl.open(write_sales(tmp_path / "sales.etl"))
    events = [event.to_dict() for event in trace if event.provider == "Coffee.Shop"]
    assert [event["data"].pop("Number") for event in events] == list(range(10))
    assert events[3]["data"] == EXPECTED
    assert events[3]["pid"] == 7 and events[3]["tid"] is None and events[3]["level"] == 4
    assert events[3]["time"] == datetime.datetime(2024, 5, 17, 6, 0, 3, tzinfo=UTC)


def test_arrays_of_all_types(tmp_path):
    path = tmp_path / "arrays.etl"
    fields = {"Flags": [True, False], "Shops": [uuid.UUID(int=5), uuid.UUID(int=6)], "Texts": ["a", "b"],
              "Times": [datetime.datetime(2024, 5, 17, 6, tzinfo=UTC), datetime.datetime(2024, 5, 18, tzinfo=UTC)],
              "Large": [1, (1 << 64) - 1], "Signed": [-1, 1], "None": []}
    with etl.Writer(path) as writer:
        writer.write("Coffee.Shop", "Counted", fields)
    assert next(event for event in etl.open(path) if event.name == "Counted").fields == fields


def test_lists_of_structures(tmp_path):
    path = tmp_path / "structures.etl"
    fields = {"Cups": [{"Drink": "tea", "Sizes": [1, 2], "Machine": {"Port": 631}}, {"Drink": "", "Sizes": [], "Machine": {"Port": 0}}],
              "After": "the list", "Trays": [{"Cups": [{"Size": 1}, {"Size": 2}]}, {"Cups": [{"Size": 3}]}]}
    with etl.Writer(path) as writer:
        writer.write("Coffee.Shop", "Counted", fields)
        writer.write("Coffee.Shop", "Counted", {**fields, "Cups": fields["Cups"][1:] * 3})
    events = [event.to_dict()["data"] for event in etl.open(path) if event.name == "Counted"]
    assert events[0] == fields and events[1]["Cups"] == fields["Cups"][1:] * 3 and events[1]["After"] == "the list"


def test_values_of_numpy(tmp_path):
    numpy = pytest.importorskip("numpy")
    path = tmp_path / "numpy.etl"
    with etl.Writer(path) as writer:
        writer.write("Coffee.Shop", "Counted", {
            "Int32": numpy.int32(-5), "UInt8": numpy.uint8(200), "Float": numpy.float32(0.5), "Flag": numpy.bool_(True),
            "Array": numpy.array([1, 2, 3], "u2"), "Time": numpy.datetime64("2024-05-17T06:00:00"),
            "List": [numpy.int16(1), numpy.int16(2)]})
    event = next(event for event in etl.open(path) if event.name == "Counted")
    assert event.fields == {"Int32": -5, "UInt8": 200, "Float": 0.5, "Flag": True, "Array": [1, 2, 3],
                            "Time": datetime.datetime(2024, 5, 17, 6, tzinfo=UTC), "List": [1, 2]}
    assert event.payload[:5] == b"\xfb\xff\xff\xff\xc8"  # of 4 bytes and of 1 byte


def test_records(tmp_path):
    path = tmp_path / "records.etl"
    with etl.Writer(path, compression="xpress") as writer:
        writer.write_record("Coffee.Raw", 12, b"abcd", level=2)
    event = [event.to_dict() | {"payload": event.payload} for event in etl.open(path)][-1]
    assert (event["id"], event["level"], event["payload"]) == (12, 2, b"abcd")


def test_what_cannot_be_written(tmp_path):
    path = tmp_path / "x.etl"
    writer = etl.Writer(path)
    with pytest.raises(etl.Error, match="range"):
        writer.write("P", "E", {"Small": etl.Int(300, 1)})
    with pytest.raises(TypeError):
        writer.write("P", "E", {"Set": [1, "two"]})
    with pytest.raises(TypeError):
        writer.write("P", "E", {"Object": object()})
    for fields in ({"Text": "a\0b"}, {"Na\0me": 1}, {"Texts": ["a\0b"]}):
        with pytest.raises(ValueError, match="zero characters"):
            writer.write("P", "E", fields)
    for nested, message in (([{"a": 1}, {"b": 1}], "the same members, a; found b"), ([{}], "have members"),
                            ([{"a": 1}, 2], "have one type"), ([{"a": object()}], "a: events cannot contain")):
        with pytest.raises(TypeError, match=message):
            writer.write("P", "E", {"Nested": nested})
    with pytest.raises(etl.Error, match="elements of an array with different members"):
        writer.write("P", "E", {"Nested": [{"a": 1}, {"a": "one"}]})
    for naive in (datetime.datetime(2024, 5, 17), [datetime.datetime(2024, 5, 17)]):
        with pytest.raises(ValueError, match="with a zone"):
            writer.write("P", "E", {"Time": naive})
    with pytest.raises(ValueError, match="with a zone"):
        writer.write("P", "E", time=datetime.datetime.now())
    with pytest.raises(TypeError, match="kilo"):
        writer.write("P", "E", kilo=1)
    writer.write("P", "E", {"Empty": []})
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write("P", "E")
    with pytest.raises(etl.Error, match="exists"):
        etl.Writer(path)
    etl.Writer(path, replace=True).close()
    with pytest.raises(etl.Error):
        etl.Writer(tmp_path / "none" / "x.etl")
    with pytest.raises(ValueError):
        etl.Writer(path, compression="zip")


def test_relogging(tmp_path):
    source = write_sales(tmp_path / "sales.etl")
    target = tmp_path / "edited.etl"

    def edit(event, to):
        number = event.get("Number")
        if number == 1:
            to.emit(pid=99)
        elif number == 3:
            to.keep()
            to.add("Coffee.Shop", "Tip", {"Cents": 50}, level=4)
        elif number is None or number % 2:
            to.keep()

    trace = etl.open(source)
    assert trace.relog(target, edit) == 6
    events = [event.to_dict() for event in etl.open(target) if event.provider == "Coffee.Shop"]
    assert [event["data"].get("Number") for event in events] == [1, 3, None, 5, 7, 9]
    assert [event["pid"] for event in events] == [99, 7, 7, 7, 7, 7]
    assert events[2]["event"] == "Tip" and events[2]["data"] == {"Cents": 50}


def test_exceptions_end_relogging(tmp_path):
    source, target = write_sales(tmp_path / "sales.etl"), tmp_path / "edited.etl"
    trace = etl.open(source)

    def fail(event, to):
        raise LookupError("here")

    def cancel(event, to):
        raise etl.Canceled

    with pytest.raises(LookupError, match="here"):
        trace.relog(target, fail)
    assert trace.relog(target, cancel) == 0
    assert not target.exists()
    assert len([1 for _ in trace]) == 11  # the trace can still be read


def test_what_is_kept_of_relogging_is_refused(tmp_path):
    path = tmp_path / "sales.etl"
    with etl.Writer(path) as writer:
        writer.write("MyCompany.Shop", "Sold", {"What": "croissant"})
    kept = []
    trace = etl.open(path)

    def keep(event, to):
        kept.append(to)
        to.keep()
        with pytest.raises(etl.Error, match="relogs"):
            next(iter(trace))

    assert trace.relog(tmp_path / "out.etl", keep) > 0
    for use in (lambda to: to.keep(), lambda to: to.emit(), lambda to: to.add("A", "B")):
        with pytest.raises(ValueError, match="ended"):
            use(kept[0])
