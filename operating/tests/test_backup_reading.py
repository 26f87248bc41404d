"""Hostile backups do no harm to those who read them: each is refused by a sentence, and nothing is unpacked."""

import hashlib
import io
import json
import os
import random
import struct
import zipfile
from pathlib import Path

import pytest

from operating.backup import encryption, reading
from operating.backup.encryption import CHUNK, HEAD, MAGIC, DecryptingReader, EncryptingWriter, read_passphrase
from operating.backup.manifest import BackupPart, Manifest
from operating.backup.reading import check, open_backup
from operating.backup.trouble import BackupTrouble

ROWS = b'[1, "one"]\n[2, "two"]\n'
GOOD = "correct horse battery"


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption, "COST", 10)


def part(name: str, content: bytes, rows: int = 0, columns: tuple[str, ...] = ()) -> BackupPart:
    return BackupPart(name, len(content), hashlib.sha256(content).hexdigest(), rows, list(columns))


def manifest(*parts: BackupPart) -> bytes:
    return Manifest(
        "0.8.0", "sqlite", "2030-01-01T00:00:00+00:00", "", [("boards", "0001_initial")], list(parts)
    ).dumped()


def packed(entries: list[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return made.getvalue()


def sound() -> bytes:
    parts = [part("tables/things.jsonl", ROWS, 2, ("id", "name")), part("files/a/b.png", b"picture")]
    return packed([("tables/things.jsonl", ROWS), ("files/a/b.png", b"picture"), ("manifest.json", manifest(*parts))])


def written(folder: Path, content: bytes, passphrase: str = "") -> Path:
    file = folder / "some.backup"
    with file.open("wb") as opened:
        if passphrase:
            writer = EncryptingWriter(opened, passphrase)
            writer.write(content)
            writer.finish()
        else:
            opened.write(content)
    return file


@pytest.mark.parametrize("passphrase", ["", GOOD])
def test_a_sound_backup_is_read(tmp_path: Path, passphrase: str) -> None:
    assert check(written(tmp_path, sound(), passphrase), passphrase).rows == 2


@pytest.mark.parametrize("passphrase", ["", GOOD])
def test_a_backup_that_is_cut_anywhere_is_refused(tmp_path: Path, passphrase: str) -> None:
    whole = written(tmp_path, sound(), passphrase).read_bytes()
    for length in [*range(0, len(whole), 7), len(whole) - 1]:
        with pytest.raises(BackupTrouble):
            check(written(tmp_path, whole[:length]), passphrase)


@pytest.mark.parametrize("passphrase", ["", GOOD])
def test_a_changed_byte_is_refused_or_changes_nothing(tmp_path: Path, passphrase: str) -> None:
    whole, chance = written(tmp_path, sound(), passphrase).read_bytes(), random.Random(1)
    for place in chance.sample(range(len(whole)), 200):
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        file = written(tmp_path, bytes(changed))
        try:
            found = check(file, passphrase)
        except BackupTrouble:
            continue
        assert not passphrase, place  # every byte of an encrypted one counts
        with open_backup(file) as backup:
            assert [list(backup.pieces(part)) for part in found.parts] == [[ROWS], [b"picture"]]


def test_a_wrong_passphrase_is_told_apart_from_damage(tmp_path: Path) -> None:
    with pytest.raises(BackupTrouble, match="The passphrase is wrong"):
        check(written(tmp_path, sound(), GOOD), "another passphrase")


def test_an_encrypted_backup_without_passphrase_asks_for_it(tmp_path: Path) -> None:
    with pytest.raises(BackupTrouble, match="give its passphrase"):
        check(written(tmp_path, sound(), GOOD))


def test_a_head_that_asks_for_all_of_the_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupTrouble, match="unusual encryption"):
        check(written(tmp_path, HEAD.pack(MAGIC, 40, 8, 1, b"s" * 16) + b"m" * 64), GOOD)


def test_chunks_cannot_change_places(tmp_path: Path) -> None:
    whole = bytearray(written(tmp_path, os.urandom(4 * CHUNK), GOOD).read_bytes())
    start, step = HEAD.size + 32, CHUNK + 16
    whole[start : start + 2 * step] = whole[start + step : start + 2 * step] + whole[start : start + step]
    with written(tmp_path, bytes(whole)).open("rb") as opened:
        reader = DecryptingReader(opened, GOOD)
        with pytest.raises(BackupTrouble, match="changed or cut short"):
            reader.read(10)


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_what_is_encrypted_comes_back(tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    with written(tmp_path, content, GOOD).open("rb") as opened:
        assert io.BufferedReader(DecryptingReader(opened, GOOD)).read() == content


@pytest.mark.parametrize(
    "name",
    ["files/../../etc/passwd", "files//etc/passwd", "/etc/passwd", "files/a\\b", "files/C:x", "files/a\x00b", "files/./a"]
    + ["files/", "tables/../x", "files/" + "n" * 300, "elsewhere/a"],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BackupTrouble, match=r"leads elsewhere|cannot be read"):
        check(written(tmp_path, packed([(name, b"x"), ("manifest.json", manifest(part(name, b"x")))])))


def test_a_part_that_the_manifest_does_not_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupTrouble, match="differ from those that its manifest lists"):
        check(written(tmp_path, packed([("files/more", b"x"), ("manifest.json", manifest())])))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_part_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    entries = [("files/a", b"x"), ("files/a", b"x"), ("manifest.json", manifest(part("files/a", b"x")))]
    with pytest.raises(BackupTrouble, match="differ from those that its manifest lists"):
        check(written(tmp_path, packed(entries)))


def test_a_part_with_other_rows_than_the_manifest_says_is_refused(tmp_path: Path) -> None:
    name = "tables/things.jsonl"
    with pytest.raises(BackupTrouble, match="has 2 rows, its manifest says 3"):
        check(written(tmp_path, packed([(name, ROWS), ("manifest.json", manifest(part(name, ROWS, 3, ("id",))))])))


@pytest.mark.parametrize("passphrase", ["", GOOD])
@pytest.mark.parametrize("before, after", [(b"", b"x"), (b"x", b""), (b"", bytes(100_000))])
def test_a_backup_with_other_bytes_around_it_is_refused(tmp_path: Path, passphrase, before, after) -> None:
    file = written(tmp_path, sound(), passphrase)
    file.write_bytes(before + file.read_bytes() + after)
    with pytest.raises(BackupTrouble):
        check(file, passphrase)


def test_a_manifest_of_something_else_is_refused(tmp_path: Path) -> None:
    text = manifest().replace(b"Taskboard backup", b"Some other backup")
    with pytest.raises(BackupTrouble, match="of another program"):
        check(written(tmp_path, packed([("manifest.json", text)])))


@pytest.mark.parametrize("name", ["manifest.json", "files/a"])
def test_only_what_is_stored_or_deflated_is_read(tmp_path: Path, name: str) -> None:
    """The head of LZMA names the memory that its reader takes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in (("files/a", b"x"), ("manifest.json", manifest(part("files/a", b"x")))):
            archive.writestr(entry, content, zipfile.ZIP_LZMA if entry == name else zipfile.ZIP_DEFLATED)
    with pytest.raises(BackupTrouble, match=r"packed in an unknown way|differs from its manifest"):
        check(written(tmp_path, made.getvalue()))


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = bytes(reading.UNSUSPECTED + 1)
    with pytest.raises(BackupTrouble, match="would grow too much"):
        check(written(tmp_path, packed([("files/a", bomb), ("manifest.json", manifest(part("files/a", bomb)))])))


def test_a_table_may_pack_as_well_as_a_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As texts do in which somebody repeats one letter."""
    monkeypatch.setattr(reading, "UNSUSPECTED", 1000)
    name, rows = "tables/things.jsonl", b'["%b"]\n' % (b"a" * 20_000) * 100
    content = packed([(name, rows), ("manifest.json", manifest(part(name, rows, 100, ("text",))))])
    assert len(rows) > len(content) * reading.EXPANSION
    assert check(written(tmp_path, content)).rows == 100


def test_a_part_whose_size_is_forged_is_refused(tmp_path: Path) -> None:
    """The directory of the archive says 10 bytes, though 1,000 come out."""
    content = bytes(1000)
    whole = packed([("files/a", content), ("manifest.json", manifest(part("files/a", content[:10])))])
    with pytest.raises(BackupTrouble):
        check(written(tmp_path, whole.replace(struct.pack("<L", 1000), struct.pack("<L", 10))))


def test_a_row_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 1000)
    name, row = "tables/things.jsonl", b"[" + b" " * 2000 + b"]\n"
    with pytest.raises(BackupTrouble, match="too long"):
        check(written(tmp_path, packed([(name, row), ("manifest.json", manifest(part(name, row, 1, ("id",))))])))


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"[" * 100_000, b'{"format": 1}', b'{"format": 1, "parts": [1]}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(BackupTrouble, match="manifest of the backup cannot be read"):
        check(written(tmp_path, packed([("manifest.json", text)])))


def test_a_later_format_names_the_version_that_made_it(tmp_path: Path) -> None:
    later = {**json.loads(manifest()), "format": 2, "product": "9.0.0"}
    with pytest.raises(BackupTrouble, match=r"Use Taskboard 9\.0\.0"):
        check(written(tmp_path, packed([("manifest.json", json.dumps(later).encode())])))


@pytest.mark.parametrize("content", [b"", b"no backup", packed([("other", b"x")])])
def test_another_file_is_no_backup(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BackupTrouble, match="not a backup of Taskboard"):
        check(written(tmp_path, content))


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BackupTrouble, match="No such file"):
        check(tmp_path / "nothing")


def test_only_the_first_line_of_a_passphrase_file_counts(tmp_path: Path) -> None:
    (tmp_path / "words").write_text(f"{GOOD}\r\nand more\n")
    assert read_passphrase(tmp_path / "words") == GOOD
