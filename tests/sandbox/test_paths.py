"""safe_path and safe_open: what gets out of a workspace, and what does not."""

import os
import sys
from pathlib import Path

import pytest

from agentlib.sandbox.opening import open_folder, safe_open
from agentlib.sandbox.paths import check_workspace, safe_path

posix = pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    workspace = tmp_path / "ws"
    (workspace / "sub").mkdir(parents=True)
    (workspace / "file.txt").write_text("inside")
    (workspace / "sub" / "deep.txt").write_text("deep")
    (tmp_path / "ws_evil").mkdir()
    (tmp_path / "ws_evil" / "x").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    return workspace.resolve()


@pytest.mark.parametrize(
    "path, inside",
    [
        (".", ""),
        ("file.txt", "file.txt"),
        ("./sub/../file.txt", "file.txt"),
        ("sub/deep.txt", "sub/deep.txt"),
        ("new/folder/x.txt", "new/folder/x.txt"),
        ("a..b", "a..b"),
        ("...", "..."),
        ("名前.txt", "名前.txt"),
        ("with space", "with space"),
    ],
)
def test_inside(ws: Path, path: str, inside: str) -> None:
    assert safe_path(path, ws) == ws / inside


def test_an_absolute_path_inside_is_inside(ws: Path) -> None:
    assert safe_path(str(ws / "file.txt"), ws) == ws / "file.txt"
    assert safe_path(ws / "file.txt", str(ws)) == ws / "file.txt"


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../ws_evil/x",
        "../secret.txt",
        "sub/../../secret.txt",
        "/etc/passwd",
        "/",
        "~",
        "~/x",
        "~root/x",
        "C:\\x",
        "c:/x",
        "\\\\server\\share\\x",
        "//server/share/x",
        "..\\secret.txt",
        "sub\\deep.txt",
        "a\0b",
        "x" * 300,
        "x/" * 3000,
        "\ud800",
        "",
        "  ",
    ],
)
def test_refused_with_a_reason(ws: Path, path: str) -> None:
    for act in (safe_path, safe_open):
        with pytest.raises(ValueError, match="path") as caught:
            act(path, ws)
        assert str(caught.value).endswith(".")


def test_the_home_folder_is_never_meant(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(ws.parent / "ws_evil"))
    with pytest.raises(ValueError, match="isn't expanded"):
        safe_path("~/x", ws)


@posix
@pytest.mark.parametrize("target", ["../secret.txt", "../ws_evil", "/etc", "..", "../nowhere"])
def test_a_link_out_is_refused(ws: Path, target: str) -> None:
    (ws / "link").symlink_to(target)
    for path in ("link", "link/x", "sub/../link"):
        for act in (safe_path, safe_open):
            with pytest.raises(ValueError, match="link|outside"):
                act(path, ws)


@posix
def test_a_dangling_link_is_not_written_through(ws: Path) -> None:
    (ws / "link").symlink_to("missing.txt")
    with pytest.raises(ValueError, match="link"):
        safe_path("link", ws)
    with pytest.raises(ValueError, match="link"):
        safe_open("link", ws, "wb")
    assert not (ws / "missing.txt").exists()


@posix
def test_a_link_that_stays_inside(ws: Path) -> None:
    """safe_path resolves it; the file tools follow none, so that no swap can matter."""
    (ws / "link").symlink_to("file.txt")
    (ws / "folder").symlink_to("sub")
    assert safe_path("link", ws) == ws / "file.txt"
    for path in ("link", "folder/deep.txt"):
        with pytest.raises(ValueError, match="link"):
            safe_open(path, ws)


@posix
def test_a_loop_of_links_is_a_value_error(ws: Path) -> None:
    (ws / "a").symlink_to("b")
    (ws / "b").symlink_to("a")
    with pytest.raises(ValueError):
        safe_path("a", ws)
    with pytest.raises(ValueError):
        safe_path("a/x", ws)


@posix
def test_a_workspace_reached_through_a_link(ws: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(ws)
    assert safe_path("file.txt", tmp_path / "alias") == ws / "file.txt"
    with safe_open(str(tmp_path / "alias" / "file.txt"), tmp_path / "alias") as file:
        assert file.read() == b"inside"


@posix
@pytest.mark.parametrize("mode", ["rb", "r+b", "wb"])
def test_a_file_with_a_second_name_is_refused(ws: Path, mode: str, tmp_path: Path) -> None:
    os.link(tmp_path / "secret.txt", ws / "hard")
    with pytest.raises(ValueError, match="hard link"):
        safe_open("hard", ws, mode)
    assert (tmp_path / "secret.txt").read_text() == "secret"


@posix
def test_only_plain_files_are_opened(ws: Path) -> None:
    os.mkfifo(ws / "pipe")
    with pytest.raises((ValueError, OSError)):
        safe_open("pipe", ws)
    with pytest.raises((ValueError, OSError)):
        safe_open("pipe", ws, "wb")
    for path in (".", "sub"):
        with pytest.raises(IsADirectoryError):
            safe_open(path, ws)


@pytest.mark.parametrize("path", [".git/hooks/x", ".git/config", "sub/.GIT/x", ".git"])
def test_git_keeps_its_own_folder(ws: Path, path: str) -> None:
    (ws / ".git" / "hooks").mkdir(parents=True)
    with pytest.raises(ValueError, match="git's own folder"):
        safe_open(path, ws, "wb")


def test_missing_things_name_the_path(ws: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no/such"):
        safe_open("no/such", ws)
    with pytest.raises(NotADirectoryError, match="file.txt/x"):
        safe_open("file.txt/x", ws)
    with pytest.raises(FileNotFoundError), open_folder("nowhere", ws):
        pass


def test_writing_replaces_and_makes_folders(ws: Path) -> None:
    for text in (b"a long first text", b"short"):
        with safe_open("new/folder/x.txt", ws, "wb") as file:
            file.write(text)
        assert (ws / "new/folder/x.txt").read_bytes() == text


@posix
def test_a_folder_swapped_for_a_link_is_not_followed(ws: Path, tmp_path: Path) -> None:
    """The race of check-then-open, made certain: the swap happens right after the check."""
    from agentlib.sandbox import opening

    real = opening.parts_inside

    def swap(path: str, workspace: Path) -> tuple[str, ...]:
        found = real(path, workspace)
        if (ws / "sub").is_dir() and not (ws / "sub").is_symlink():
            (ws / "sub").rename(ws / "gone")
            (ws / "sub").symlink_to(tmp_path / "ws_evil")
        return found

    (ws / "sub" / "x").write_text("mine")
    opening.parts_inside = swap
    try:
        with pytest.raises(ValueError, match="link"):
            safe_open("sub/x", ws)
        with pytest.raises(ValueError, match="link"):
            safe_open("sub/x", ws, "wb")
    finally:
        opening.parts_inside = real
    assert (tmp_path / "ws_evil" / "x").read_text() == "secret"


def test_a_workspace_that_is_too_wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "users" / "me"
    (home / "work").mkdir(parents=True)
    monkeypatch.setenv("HOME" if os.name != "nt" else "USERPROFILE", str(home))
    for wide in (home, home.parent, tmp_path, home.anchor):
        with pytest.raises(ValueError, match="home folder|whole disk|system"):
            check_workspace(wide)
        with pytest.raises(ValueError):
            safe_path("x", wide)
    assert check_workspace(home / "work") == (home / "work").resolve()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's folders")
@pytest.mark.parametrize("folder", ["/usr", "/etc", "/proc", "/dev"])
def test_a_system_folder_is_no_workspace(folder: str) -> None:
    with pytest.raises(ValueError, match="system"):
        check_workspace(folder)


def test_a_workspace_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no folder"):
        safe_path("x", tmp_path / "missing")
