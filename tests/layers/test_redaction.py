"""Redaction: secrets go, by key and by pattern, and JSON stays JSON."""

import json
import time

import pytest

from agentlib.layers.redaction import HIDDEN, is_secret_key, redact

SECRET = "hunter2-Zx9"  # looks like no known token: only its place gives it away


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "passwd",
        "pwd",
        "Password",
        "new_password",
        "passwordHash",
        "passphrase",
        "secret",
        "client_secret",
        "token",
        "access_token",
        "refreshToken",
        "id-token",
        "apiKey",
        "api_key",
        "api-key",
        "X-Api-Key",
        "OPENAI_API_KEY",
        "auth",
        "AWS_SECRET_ACCESS_KEY",
        "Authorization",
        "Proxy-Authorization",
        "Cookie",
        "set-cookie",
        "credentials",
        "private_key",
        "cvv",
        "card_number",
        "session_id",
        "otp",
        "pin",
        "密码",
    ],
)
def test_secret_keys(key):
    assert is_secret_key(key)
    assert redact({key: SECRET}) == {key: HIDDEN}
    assert redact({key: {"deep": [SECRET]}, "n": 1}) == {key: HIDDEN, "n": 1}
    assert redact({key: 1234}) == {key: HIDDEN}


@pytest.mark.parametrize(
    "key",
    [
        "path",
        "content",
        "city",
        "max_tokens",
        "tokens",
        "token_count",
        "tokenizer",
        "secretary",
        "order_id",
        "pinned",
        "author",
        "opinion",
    ],
)
def test_other_keys_stay(key):
    assert redact({key: "x"}) == {key: "x"}


@pytest.mark.parametrize(
    "value",
    [
        {"a": [{"b": {"password": SECRET}}]},
        {"body": json.dumps({"user": "u", "token": SECRET})},
        {"body": json.dumps({"inner": json.dumps({"api_key": SECRET})})},
        {"headers": [["Authorization", SECRET], ["Accept", "*/*"]]},
        {"headers": [{"name": "Cookie", "value": SECRET}]},
        {"command": f"export API_KEY={SECRET} && run"},
        {"command": f"tool --password {SECRET} --verbose"},
        {"command": f"tool --db-password={SECRET}"},
        {"command": f"curl -H 'Authorization: Bearer {SECRET}' https://host"},
        {"command": f"curl -u user:{SECRET} https://host"},
        {"url": f"https://user:{SECRET}@host/path"},
        {"url": f"https://host/path?access_token={SECRET}&page=2"},
        {"text": f"the password: {SECRET}"},
        {"text": f"密码：{SECRET}"},
        f'{{"password": "{SECRET}',
        f'{{"password": "a\\"{SECRET}", "x": 1',
        f'{{"body": "{{\\"password\\": \\"{SECRET}\\", \\"x\\": 1',
        f"password={SECRET}",
        f"{{'secret': '{SECRET}'}}",
    ],
)
def test_a_secret_in_its_place_is_gone_and_json_stays_json(value):
    clean = json.dumps(redact(value), allow_nan=False)
    assert SECRET not in clean and "hunter2" not in clean and "Zx9" not in clean
    assert HIDDEN in clean
    assert type(redact(value)) is type(value)


def test_nested_json_text_stays_json():
    body = json.loads(redact({"body": json.dumps({"token": SECRET, "n": 1})})["body"])
    assert body == {"token": HIDDEN, "n": 1}


def test_a_key_given_twice_hides_nothing():
    clean = redact({"body": f'{{"token": "{SECRET}", "token": null, "n": 1}}'})
    assert SECRET not in json.dumps(clean) and json.loads(clean["body"])["n"] == 1


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "proj-" + "a1B2c3D4e5F6g7H8",
        "sk_live_" + "a1B2c3D4e5F6g7H8",
        "ghp_" + "a1B2c3D4e5F6g7H8i9J0",
        "github_pat_" + "a1B2c3D4e5F6g7H8i9J0",
        "xoxb-" + "123456789012-abcdefABCDEF",
        "AKIA" + "ABCDEFGHIJKLMNOP",
        "AIza" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H",
        "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE\n-----END RSA PRIVATE " + "KEY-----",
        "-----BEGIN PRIVATE " + "KEY-----\nMIIEcut off",
    ],
)
def test_a_secret_of_known_shape_is_gone_wherever_it_stands(secret):
    for value in ({"note": f"use {secret} there"}, [secret], {secret: 1}, f"use {secret}"):
        clean = json.dumps(redact(value), allow_nan=False)
        assert json.dumps(secret)[1:-1] not in clean and HIDDEN in clean


@pytest.mark.parametrize(
    "value",
    [
        {"path": "passwords.txt", "n": 3, "ok": True, "none": None, "list": [1, 2.5, "a"]},
        {"order_id": "123456789012345678", "text": "write a tokenizer: done"},
        {"has_password": True, "token": None, "secret": ""},
        "北京 明天的天气",
    ],
)
def test_what_is_no_secret_stays(value):
    assert redact(value) == value


@pytest.mark.parametrize(
    "value, expected",
    [
        (float("nan"), "nan"),
        ({1: {2}}, {"1": [2]}),
        ((1, "a"), [1, "a"]),
    ],
)
def test_anything_becomes_json(value, expected):
    assert redact(value) == expected


def test_nesting_beyond_the_stack_is_no_error():
    deep = value = {}
    for _ in range(5_000):
        value["a"] = value = {}
    assert isinstance(redact(deep), str)
    assert isinstance(redact("[" * 100_000), str)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 10**6,
        "password" * 10**5,
        "sk-" * 10**5,
        "password='" * 10**5,
        '\\"' * 10**5,
        "-" * 10**5,
    ],
)
def test_long_texts_take_no_long_time(text):
    began = time.process_time()
    redact(text)
    assert time.process_time() - began < 20  # quadratic ones take minutes
