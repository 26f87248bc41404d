"""Make tiny packages for tests that install or resolve packages without the network."""

import hashlib
import zipfile
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str, *, needs: str = "", tag: str = "py3-none-any") -> str:
    """Write an empty package to `folder`; return the hash of its file."""
    info = f"{name}-{version}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + (
        f"Requires-Dist: {needs}\n" if needs else ""
    )
    kind = f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file, content in {"METADATA": about, "WHEEL": kind, "RECORD": ""}.items():
            wheel.writestr(zipfile.ZipInfo(f"{info}/{file}"), content)  # without a time: the same bytes each time
    return hash_of(path)


def hash_of(path: Path) -> str:
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def publish(index: Path, name: str, version: str, *, needs: str = "", tag: str = "py3-none-any") -> str:
    """Add a package to a package index, which is a folder with a page for each name; return the hash of its file."""
    made = make_wheel(index / name, name, version, needs=needs, tag=tag)
    files = sorted((index / name).glob("*.whl"))
    links = [f'<a href="{path.name}#{hash_of(path).replace(":", "=")}">{path.name}</a>' for path in files]
    (index / name / "index.html").write_text("\n".join(links))
    return made
