"""An encrypted file: a head, then chunks of AES-256-GCM under a key that scrypt makes of the passphrase.

The nonce of a chunk is its number and whether it is the last one, so chunks cannot be moved, left out or cut off unnoticed.
The salt, and with it the key, is new for each file. The head carries a MAC, which tells a wrong passphrase from a changed file.
"""

import hashlib
import hmac
import io
import os
import struct
from pathlib import Path
from typing import IO, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from operating.backup.trouble import BackupTrouble, WrongPassphrase

MAGIC = b"TASKBOARD CRYPT1"
CHUNK = 64 * 1024  # bytes of plain text
TAG = 16
COST, BLOCK, LANES = 17, 8, 1  # scrypt: 2^17 rounds, 128 MB for a moment
HIGHEST_COST = 20  # of files that are read: a forged head must not take all of the memory
HEAD = struct.Struct(">16sBBB16s")
MAC = 32
SHORTEST = 12  # characters of a passphrase


class Keys:
    def __init__(self, passphrase: str, head: bytes) -> None:
        _magic, cost, block, lanes, salt = HEAD.unpack(head)
        made = hashlib.scrypt(
            passphrase.encode(), salt=salt, n=2**cost, r=block, p=lanes, maxmem=2**cost * block * 256, dklen=64
        )
        self.cipher = AESGCM(made[:32])
        self.mac = hmac.digest(made[32:], head, "sha256")


def nonce(number: int, *, last: bool) -> bytes:
    return struct.pack(">xxxQ?", number, last)


class EncryptingWriter(io.RawIOBase):
    """Writes to `file`. Closing writes the last chunk and leaves `file` open."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        super().__init__()
        head = HEAD.pack(MAGIC, COST, BLOCK, LANES, os.urandom(16))
        self._keys, self._file, self._waiting, self._number = Keys(passphrase, head), file, bytearray(), 0
        file.write(head + self._keys.mac)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting += data
        while len(self._waiting) > CHUNK:  # the last chunk is kept back: only the end tells which it is
            self._put(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(data)

    def finish(self) -> None:
        self._put(bytes(self._waiting), last=True)
        self._waiting.clear()

    def _put(self, plain: bytes, *, last: bool) -> None:
        self._file.write(self._keys.cipher.encrypt(nonce(self._number, last=last), plain, None))
        self._number += 1


class DecryptingReader(io.RawIOBase):
    """The plain text of an encrypted file, from any place."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        super().__init__()
        head, mac = file.read(HEAD.size), file.read(MAC)
        if len(mac) < MAC:
            raise BackupTrouble("The backup is cut short: it ends within its head.")
        _magic, cost, block, lanes, _salt = HEAD.unpack(head)
        if not (10 <= cost <= HIGHEST_COST and block == BLOCK and lanes == LANES):
            raise BackupTrouble("The head of the backup was changed: it asks for an unusual encryption.")
        self._keys = Keys(passphrase, head)
        if not hmac.compare_digest(mac, self._keys.mac):
            raise WrongPassphrase
        self._file, self._position, self._number, self._plain = file, 0, -1, b""
        encrypted = os.fstat(file.fileno()).st_size - HEAD.size - MAC
        self._chunks = -(-encrypted // (CHUNK + TAG))
        self._size = encrypted - self._chunks * TAG
        if self._chunks < 1 or self._size < (self._chunks - 1) * CHUNK:
            raise BackupTrouble("The backup is cut short.")
        self._chunk(self._chunks - 1)  # says whether the end is there

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        if self._position >= self._size:
            return 0
        number, start = divmod(self._position, CHUNK)
        piece = self._chunk(number)[start : start + len(buffer)]
        buffer[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)

    def _chunk(self, number: int) -> bytes:
        if number != self._number:
            self._file.seek(HEAD.size + MAC + number * (CHUNK + TAG))
            sealed = self._file.read(CHUNK + TAG)
            try:
                self._plain = self._keys.cipher.decrypt(nonce(number, last=number == self._chunks - 1), sealed, None)
            except InvalidTag:
                raise BackupTrouble("The backup was changed or cut short: a part of it cannot be decrypted.") from None
            self._number = number
        return self._plain


def is_encrypted(file: IO[bytes]) -> bool:
    start = file.read(len(MAGIC))
    file.seek(0)
    return start == MAGIC


def read_passphrase(file: Path) -> str:
    """Return the first line of the file."""
    try:
        with file.open(encoding="utf-8") as opened:
            passphrase = opened.readline(10_000).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BackupTrouble(f"The passphrase cannot be read from {file}: {error}.") from None
    return passphrase


def require_strong(passphrase: str) -> None:
    if len(passphrase) < SHORTEST:
        raise BackupTrouble(f"The passphrase is too short: use at least {SHORTEST} characters.")
