"""Simulated weather for eight cities: the same question always has the same answer."""

from __future__ import annotations

import datetime
import unicodedata
from typing import Any

from agentlib.builtin_tools.common import options

# name: (other names, condition, temperature in degrees Celsius, humidity in %, wind in km/h)
CITIES: dict[str, tuple[tuple[str, ...], str, int, int, int]] = {
    "Beijing": (("北京", "peking"), "sunny", 22, 35, 12),
    "Shanghai": (("上海",), "cloudy", 24, 68, 15),
    "Guangzhou": (("广州", "canton"), "thunderstorm", 29, 85, 20),
    "Shenzhen": (("深圳",), "rain", 28, 82, 18),
    "Hangzhou": (("杭州",), "light rain", 23, 75, 8),
    "Chengdu": (("成都",), "fog", 19, 80, 4),
    "London": (("伦敦",), "light rain", 14, 78, 22),
    "New York": (("纽约", "new york city", "nyc"), "partly cloudy", 18, 55, 16),
}
CONDITIONS = ("sunny", "partly cloudy", "rain", "cloudy", "light rain", "sunny", "thunderstorm")


@options(category="search", tags=("weather",), repeatable=True)
def get_weather(city: str) -> dict[str, Any]:
    """Get the current weather of one city: condition, temperature, humidity and wind.

    Use it for questions about the weather now. It knows eight cities: Beijing, Shanghai,
    Guangzhou, Shenzhen, Hangzhou, Chengdu, London, New York; any other city is an error. The
    data is simulated and fixed. It has no forecast. No side effects.

    Args:
        city: The city's name in English or Chinese, for example "Beijing" or "北京".
    """
    name = find_city(city)
    _, condition, temperature, humidity, wind = CITIES[name]
    return {
        "city": name,
        "condition": condition,
        "temperature_c": temperature,
        "humidity_percent": humidity,
        "wind_kmh": wind,
        "simulated": True,
    }


def weather_on(city: str, date: datetime.date) -> dict[str, Any]:
    """The simulated weather of one day, a pure function of city and date.

    ValueError: a city without data. Each city walks through the seven conditions day by day,
    every one from a different start; `rain` is True for rain, light rain and thunderstorm.
    """
    name = find_city(city)
    place = list(CITIES).index(name)
    condition = CONDITIONS[(date.toordinal() + place) % len(CONDITIONS)]
    usual = CITIES[name][2]
    warmer = (3, 1, -2, 0, -1, 2, -3)[(date.toordinal() + place) % len(CONDITIONS)]
    return {
        "city": name,
        "date": date.isoformat(),
        "condition": condition,
        "rain": condition in ("rain", "light rain", "thunderstorm"),
        "temperature_c": usual + warmer,
        "simulated": True,
    }


def find_city(city: str) -> str:
    """The English name of one of the eight cities. ValueError lists them."""
    wanted = " ".join(unicodedata.normalize("NFKC", city).casefold().split()).removesuffix("市")
    for name, (others, *_) in CITIES.items():
        if wanted == name.casefold() or wanted in others:
            return name
    raise ValueError(f"no weather data for {city!r}. Cities with data: {', '.join(CITIES)}.")
