"""The file from which the image is built. bin/try-image builds and starts it."""

from taskboard.tests.servers import ROOT


def test_docker_reads_the_containerfile() -> None:
    assert (ROOT / "Dockerfile").is_symlink()  # as a copy or a file with the name in it, Docker could not build
    assert (ROOT / "Dockerfile").resolve() == ROOT / "Containerfile"
