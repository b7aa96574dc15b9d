import datetime
import struct
import typing

import pytest

import etl
from test_writing import write_sales

NDIS = "2ed6006e-4729-4609-b423-3ee7bcd678ef"
UDP_FRAME = (bytes([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0])
             + bytes([0x45, 0, 0, 32, 0, 1, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2])
             + struct.pack(">HHHH", 12345, 53, 12, 0) + b"\1\2\3\4")


def test_hints_resolve():
    for function in (etl.merge, etl.split, etl.repair, etl.anonymize, etl.packets, etl.flows, etl.write_capture):
        assert "return" in typing.get_type_hints(function)


def test_merge(tmp_path):
    paths = [write_sales(tmp_path / "a.etl", 3), write_sales(tmp_path / "b.etl", 4)]
    report = etl.merge(paths, tmp_path / "all.etl", compression="xpress")
    assert report.events == 7 and report.bytes > 0 and report.remarks == [] and report.parts == []
    assert "7 events" in repr(report)
    with pytest.raises(etl.ArgumentError, match="already exists"):
        etl.merge(paths, tmp_path / "all.etl")
    with pytest.raises(etl.ArgumentError, match="same file as the input"):
        etl.merge(paths, paths[0], replace=True)
    shifts = {"b.etl": datetime.timedelta(days=1), "a.etl": 0.5}
    assert etl.merge(paths, tmp_path / "all.etl", offsets=shifts, align="start", replace=True).events >= 7
    with pytest.raises(etl.NotFoundError, match="not an input"):
        etl.merge(paths, tmp_path / "all.etl", offsets={"c.etl": 1}, replace=True)
    with pytest.raises(ValueError, match="compression is one of"):
        etl.merge(paths, tmp_path / "other.etl", compression="zip")


def test_split(tmp_path):
    path = write_sales(tmp_path / "sales.etl")
    report = etl.split(path, tmp_path / "part_%d.etl", "count", 4)
    assert [part.events for part in report.parts] == [4, 4, 2]
    assert report.parts[0].path.endswith("part_1.etl") and report.parts[0].key == "events 1 to 4"
    report = etl.split(path, tmp_path / "t_%d.etl", "time", datetime.timedelta(seconds=5), where="data.Number > 0")
    assert sum(part.events for part in report.parts) == 9
    assert len(etl.split(path, tmp_path / "s_%d.etl", "time", 5).parts) == 2
    with pytest.raises(ValueError, match="by is one of"):
        etl.split(path, tmp_path / "x_%d.etl", "color")


def test_repair(corpus, tmp_path):
    report = etl.repair(corpus / "damaged/garbage-between-buffers.etl", tmp_path / "fixed.etl")
    assert report.losses > 0 and not report.is_complete and report.remarks
    assert etl.repair(tmp_path / "fixed.etl", tmp_path / "again.etl").is_complete


def test_anonymize(corpus, tmp_path):
    path = corpus / "good/process-activity.etl"
    report = etl.anonymize(path, tmp_path / "1.etl", key="kettle", redact="Nobody/None/Field")
    assert report.changed_values > 0 and "Nobody/None/Field matches no field" in report.remarks
    with pytest.raises(etl.ArgumentError, match="could not be decoded"):
        etl.anonymize(corpus / "good/every-record-kind.etl", tmp_path / "2.etl")
    assert etl.anonymize(corpus / "good/every-record-kind.etl", tmp_path / "2.etl", undecodable="drop").events > 0
    cleared = etl.anonymize(corpus / "good/every-record-kind.etl", tmp_path / "3.etl", undecodable="clear")
    assert cleared.events > cleared.undecodable_events > 0


def test_packets(tmp_path):
    path = tmp_path / "packets.etl"
    with etl.Writer(path) as writer:
        for _ in range(2):
            writer.write_record(NDIS, 1001, struct.pack("<III", 7, 7, len(UDP_FRAME)) + UDP_FRAME,
                                keyword=0x1C0000000)
    packets = etl.packets(path)
    assert len(packets) == 2 and "time" in packets[0]
    assert len(etl.packets(path, limit=1)) == 1 and len(etl.flows(path)) == 1
    assert etl.write_capture(path, tmp_path / "packets.pcapng").packets == 2
    none = etl.write_capture(path, tmp_path / "none.pcapng", where="id == 9")
    assert none.packets == 0 and "no packets" in none.remarks[0] and not (tmp_path / "none.pcapng").exists()
    assert (tmp_path / "packets.pcapng").read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"
    with pytest.raises(etl.ArgumentError, match="already exists"):
        etl.write_capture(path, tmp_path / "packets.pcapng")
