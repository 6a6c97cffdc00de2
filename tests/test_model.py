"""connect(): offline by default, live by one setting, and bad settings named with the mend."""

import socket
import traceback

import openai
import pytest

from agentlib import connect
from agentlib.model import explain
from agentlib.offline.server import running


def test_offline_without_any_setting():
    client, model = connect()
    assert model == "scripted-1" and str(client.base_url).startswith("http://offline.invalid")
    reply = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": "Who are you?"}]
    )
    assert "scripted" in reply.choices[0].message.content


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])
def test_live_when_a_setting_says_so(monkeypatch, name):
    monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_MODEL", "some-model")
    client, model = connect(check=False)
    assert model == "some-model" and "offline" not in str(client.base_url)
    assert connect(offline=True)[1] == "scripted-1"
    assert connect(quirks="rate_limited")[1] == "scripted-1"


def test_asked_for_a_live_model_without_a_setting():
    with pytest.raises(ConnectionError, match="OPENAI_API_KEY"):
        connect(offline=False)


def test_an_endpoint_that_is_not_there(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
    with pytest.raises(ConnectionError, match=f"OPENAI_BASE_URL.*{port}") as caught:
        connect()
    assert str(caught.value).endswith(" Or unset OPENAI_BASE_URL to use the offline model.")
    shown = traceback.format_exception(caught.value)
    assert len("".join(shown).splitlines()) < 20, "a chain of causes says nothing to a reader"


@pytest.fixture
def served():
    """The address of the offline model's server, with /v1."""
    with running() as url:
        yield url


@pytest.mark.parametrize("slash", ["", "/"])
def test_an_address_without_its_v1_is_told_with_the_right_one(monkeypatch, served, slash):
    monkeypatch.setenv("OPENAI_BASE_URL", served)
    assert connect(check=True)[0].models.list().data
    monkeypatch.setenv("OPENAI_BASE_URL", served.removesuffix("/v1") + slash)
    with pytest.raises(ConnectionError, match=f"set OPENAI_BASE_URL={served} "):
        connect()
    client, model = connect(check=False)
    with pytest.raises(openai.NotFoundError) as caught:
        client.chat.completions.create(model=model, messages=[])
    assert "lack its /v1" in explain(caught.value)


@pytest.mark.parametrize("key", ["密钥", "“sk-1”", "sk-\u200b1", "sk\n1"])
def test_a_key_that_no_header_can_carry(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ConnectionError, match="copy the key again"):
        connect()


def test_blanks_around_a_key_are_not_part_of_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " sk-1\n")
    client, _ = connect(check=False)
    assert client.api_key == "sk-1"


def test_an_unknown_quirk_is_named_with_those_there_are():
    with pytest.raises(ValueError, match="rate_limited"):
        connect(quirks="no_such_quirk")


def test_an_async_client():
    from openai import AsyncOpenAI

    assert isinstance(connect(asynchronous=True)[0], AsyncOpenAI)
