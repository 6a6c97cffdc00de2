"""get_weather, weather_on and get_current_time."""

from __future__ import annotations

import datetime
import re

import pytest

from agentlib.builtin_tools import get_current_time, get_weather, weather_on
from agentlib.builtin_tools.weather import CITIES, CONDITIONS


def test_eight_cities_each_with_a_dict() -> None:
    assert len(CITIES) == 8
    for city in CITIES:
        weather = get_weather(city)
        assert weather["city"] == city and weather["simulated"] is True
        assert isinstance(weather["temperature_c"], int)
        assert get_weather(city) == weather


@pytest.mark.parametrize(
    "said, city",
    [
        ("北京", "Beijing"),
        ("北京市", "Beijing"),
        (" beijing ", "Beijing"),
        ("NEW  YORK", "New York"),
        ("纽约", "New York"),
        ("伦敦", "London"),
        ("Ｌｏｎｄｏｎ", "London"),
    ],
)
def test_names_of_a_city(said: str, city: str) -> None:
    assert get_weather(said)["city"] == city


@pytest.mark.parametrize("city", ["Paris", "", "Beijin", "York", "北"])
def test_an_unknown_city_is_an_error_that_lists_the_known(city: str) -> None:
    for ask in (get_weather, lambda c: weather_on(c, datetime.date(2026, 1, 1))):
        with pytest.raises(ValueError, match="no weather data") as caught:
            ask(city)
        assert all(name in str(caught.value) for name in CITIES)


def test_weather_of_a_day_depends_on_city_and_date_only() -> None:
    day = datetime.date(2026, 3, 1)
    assert weather_on("Beijing", day) == weather_on("北京", day)
    week = [weather_on("Beijing", day + datetime.timedelta(n)) for n in range(7)]
    assert sorted(w["condition"] for w in week) == sorted(CONDITIONS)
    assert weather_on("Beijing", day + datetime.timedelta(7))["condition"] == week[0]["condition"]
    assert {w["rain"] for w in week} == {True, False}
    for w in week:
        assert w["rain"] == (w["condition"] in ("rain", "light rain", "thunderstorm"))


def test_current_time_is_local_with_its_offset_and_weekday() -> None:
    before = datetime.datetime.now().astimezone().replace(microsecond=0)
    said = get_current_time()
    match = re.fullmatch(r"(\S+) \((\w+)\)", said)
    assert match is not None
    then = datetime.datetime.fromisoformat(match[1])
    assert then.utcoffset() == before.utcoffset()
    assert before <= then <= before + datetime.timedelta(seconds=5)
    assert match[2] == then.strftime("%A")
