"""Make tiny packages for tests that install packages without the network."""

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str, *, needs: str = "", files: Mapping[str, str] = {}) -> str:
    """Write a package with these files to `folder`; return the hash of its own file."""
    info = f"{name}-{version}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + (
        f"Requires-Dist: {needs}\n" if needs else ""
    )
    kind = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        of_its_own = {f"{info}/METADATA": about, f"{info}/WHEEL": kind, f"{info}/RECORD": ""}
        for file, content in {**files, **of_its_own}.items():
            wheel.writestr(zipfile.ZipInfo(file), content)  # without a time: the same bytes each time
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
