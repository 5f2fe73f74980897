"""Where a run was made: the commit, and nothing about whose machine it was."""

import shutil
import subprocess

import pytest

from veridical.store.environment import environment, git_state

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with one commit, and a remote whose URL holds a password."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-such-file"))
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "--quiet")
    git("remote", "add", "origin", "https://me:hunter2@example.org/x.git")
    (folder / "model.py").write_text("1\n", encoding="utf-8")
    git("add", "model.py")
    named = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    git(*named, "commit", "--quiet", "-m", "first")
    return folder


def git(*words) -> str:
    return subprocess.run(
        ["git", *words], check=True, capture_output=True, text=True
    ).stdout.strip()


@needs_git
def test_the_commit_is_told_and_no_url(repository):
    assert git_state() == {"commit": git("rev-parse", "HEAD"), "dirty": False}


@needs_git
def test_changes_of_tracked_files_count_and_new_files_do_not(repository):
    (repository / ".veridical").mkdir()
    (repository / ".veridical" / "veridical.db").write_text("x", encoding="utf-8")
    assert git_state()["dirty"] is False
    (repository / "model.py").write_text("2\n", encoding="utf-8")
    assert git_state()["dirty"] is True


@needs_git
def test_a_folder_inside_belongs_to_the_repository(repository, monkeypatch):
    (repository / "inside").mkdir()
    monkeypatch.chdir(repository / "inside")
    assert git_state()["commit"] == git("rev-parse", "HEAD")


@needs_git
def test_no_commit_no_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert git_state() is None
    git("init", "--quiet")
    assert git_state() is None


@needs_git
def test_a_repository_cannot_name_a_program_that_is_run(repository):
    marker = repository.parent / "was-run"
    git("config", "core.fsmonitor", f"touch {marker}; false")
    git_state()
    assert not marker.exists()


def test_without_git_there_is_no_state(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert git_state() is None


def test_a_git_that_does_not_answer_is_not_waited_for(tmp_path, monkeypatch):
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("veridical.store.environment._PATIENCE_S", 0.1)
    assert git_state() is None


def test_only_what_computes_is_named():
    found = environment()
    assert set(found) == {"python", "implementation", "system", "machine", "kernels", "versions"}
    assert {"veridical", "numpy"} <= set(found["versions"])
