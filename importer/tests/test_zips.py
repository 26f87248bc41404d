"""Zips that somebody made to do harm, and zips that are damaged: a sentence, and nothing else happens."""

import json
import struct
import zipfile

import pytest

from importer.formats import own, zip_reading
from importer.formats.source import Source, Unreadable
from importer.formats.zip_reading import open_zip
from importer.report import Report

EMPTY = {"format": "taskboard-export", "version": 1, "boards": []}


def made(path, **entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name.replace("__", "/"), content)
    return path


def read(path):
    return list(own.read(Source(path, "export.zip"), Report()))


def test_an_entry_that_grows_beyond_all_measure_is_refused(tmp_path):
    path = made(tmp_path / "bomb.zip", **{"export.json": b" " * 20_000_000})
    with pytest.raises(Unreadable, match="unpacks to far more than its size"):
        read(path)


def test_an_entry_that_lies_about_its_size_is_cut_off(tmp_path):
    path = made(tmp_path / "lies.zip", **{"a.txt": b"x" * 5000})
    with open_zip(path) as found, pytest.raises(Unreadable, match="too large"), found.open("a.txt", 100):
        pass
    with open_zip(path) as found:
        found._entries["a.txt"].file_size = 10
        with pytest.raises(Unreadable), found.open("a.txt", 100) as file:
            file.read()


def test_more_files_than_anybody_has_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(zip_reading, "ENTRIES", 3)
    path = made(tmp_path / "many.zip", **{f"{number}.txt": b"" for number in range(4)})
    with pytest.raises(Unreadable, match="unpacks to far more"), open_zip(path):
        pass


def test_a_large_table_of_contents_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(zip_reading, "DIRECTORY", 50)
    path = made(tmp_path / "table.zip", **{"a.txt": b"", "b.txt": b""})
    with pytest.raises(Unreadable, match="too many files"), open_zip(path):
        pass


@pytest.mark.parametrize("packed", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, 93])
def test_only_what_is_stored_or_deflated_is_read(tmp_path, packed):
    """The head of LZMA names the memory that its reader takes: 5 MB asked for 1.5 GB."""
    path = made(tmp_path / "other.zip", **{"export.json": json.dumps(EMPTY)})
    content = bytearray(path.read_bytes())
    struct.pack_into("<H", content, content.index(b"PK\x01\x02") + 10, packed)
    path.write_bytes(content)
    with pytest.raises(Unreadable, match="compression that is not supported"), open_zip(path):
        pass


def test_an_entry_without_a_name_is_no_file(tmp_path):
    path = made(tmp_path / "nameless.zip", x=b"words")
    path.write_bytes(path.read_bytes().replace(b"x", b"\0"))
    with open_zip(path) as found:
        assert found.names == []


def test_an_entry_that_would_begin_before_the_file_is_refused_in_words(tmp_path):
    path = made(tmp_path / "offset.zip", **{"export.json": json.dumps(EMPTY)})
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x05\x06") + 16
    struct.pack_into("<L", content, at, struct.unpack_from("<L", content, at)[0] + 50)
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        read(path)


def test_names_that_lead_out_of_a_folder_are_only_names(tmp_path):
    export = {**EMPTY, "boards": [{"id": "1", "title": "A", "lists": [], "labels": [], "members": []}]}
    path = made(tmp_path / "up.zip", **{"export.json": json.dumps(export), "files/../../evil.txt": b"x"})
    assert [board.title for board in read(path)] == ["A"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["up.zip"]


def test_links_and_folders_are_no_files(tmp_path):
    path = tmp_path / "links.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("files/1/passwd")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("folder/", "")
    with open_zip(path) as found:
        assert found.names == []


@pytest.mark.parametrize("end", [10, 40, 90])
def test_a_zip_that_is_cut_short_is_refused_in_words(tmp_path, end):
    path = made(tmp_path / "cut.zip", **{"export.json": json.dumps(EMPTY)})
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(Unreadable, match="damaged"):
        read(path)


def test_an_entry_with_wrong_bytes_is_refused_in_words(tmp_path):
    path = made(tmp_path / "bits.zip", **{"export.json": json.dumps(EMPTY | {"x": "y" * 500})})
    content = bytearray(path.read_bytes())
    content[60] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        read(path)


def test_a_zip_without_an_export_is_refused_in_words(tmp_path):
    with pytest.raises(Unreadable, match="has no file export"):
        read(made(tmp_path / "other.zip", **{"photo.jpg": b"x"}))


def test_entries_that_lie_over_one_another_are_refused(tmp_path):
    path = made(tmp_path / "over.zip", **{"a.txt": b"a" * 100, "b.txt": b"b" * 100})
    content = bytearray(path.read_bytes())
    second = content.rfind(b"PK\x01\x02")
    content[second + 42 : second + 46] = struct.pack("<L", 0)
    path.write_bytes(content)
    with pytest.raises(Unreadable, match="overlap"), open_zip(path):
        pass


def test_an_export_is_recognized_wherever_its_json_lies_in_the_zip(tmp_path):
    path = made(tmp_path / "export.zip", **{"picture.webp": bytes(range(256)) * 100, "export.json": json.dumps(EMPTY)})
    assert own.looks_like(Source(path, "export.zip"))
    assert not own.looks_like(Source(made(tmp_path / "other.zip", **{"photo.jpg": b"x"}), "other.zip"))
    path.write_bytes(path.read_bytes()[:200])
    assert not own.looks_like(Source(path, "export.zip"))
