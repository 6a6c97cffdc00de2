"""The exercises of each lesson: one module `lesson_NN` a lesson, each with a list `EXERCISES`."""

from importlib import import_module
from pkgutil import iter_modules

from agentlib.course.exercise import Exercise


def lesson_numbers() -> list[int]:
    """Numbers of the lessons that have exercises, in order."""
    names = (module.name for module in iter_modules(__path__))
    return sorted(int(name[7:]) for name in names if name.startswith("lesson_"))


def of_lesson(number: int) -> list[Exercise]:
    """The exercises of one lesson, in order; empty for a lesson without any."""
    if number not in lesson_numbers():
        return []
    return list(import_module(f"{__name__}.lesson_{number:02d}").EXERCISES)


def all_exercises() -> list[Exercise]:
    """The exercises of all lessons, in order."""
    return [exercise for number in lesson_numbers() for exercise in of_lesson(number)]


def find(id: str) -> Exercise:
    """The exercise with this id, such as "3.1"; ValueError names the ones there are."""
    lesson = str(id).split(".")[0]
    there = of_lesson(int(lesson)) if lesson.isdecimal() else []
    for exercise in there:
        if exercise.id == id:
            return exercise
    known = ", ".join(exercise.id for exercise in there) or "none in that lesson"
    raise ValueError(f"there is no exercise {id!r}. Ids look like '3.1'. Known: {known}.")
