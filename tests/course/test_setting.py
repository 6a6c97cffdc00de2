"""A setting lent for a block is put back, whatever happens in it."""

import os

import pytest

from agentlib.course.setting import setting


@pytest.mark.parametrize("before", [None, "of the reader"])
def test_a_setting_is_put_back_whatever_happens(monkeypatch, before):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if before:
        monkeypatch.setenv("OPENAI_API_KEY", before)
    monkeypatch.delenv("OPENAI_MODEL", raising=False)
    for error in (None, KeyError("x")):
        try:
            with setting(api_key="lent", model=None):
                assert os.environ["OPENAI_API_KEY"] == "lent"
                if error:
                    raise error
        except KeyError:
            pass
        assert os.environ.get("OPENAI_API_KEY") == before
        assert "OPENAI_MODEL" not in os.environ
