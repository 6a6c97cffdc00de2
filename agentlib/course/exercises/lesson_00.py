"""Exercises of lesson 00."""

from agentlib.course.exercise import Case, Exercise

EXERCISES = [
    Exercise(
        id="0.1",
        title="Greet somebody",
        stub="""
def greet(name):
    ...
""",
        cases=[
            Case(args=("Ana",), expected="Hello, Ana!"),
            Case(args=("Bo",), expected="Hello, Bo!"),
        ],
        hints=[
            "A function gives its answer back with `return`.",
            'An f-string puts a value into a text: f"Hello, {name}!"',
        ],
        solution="""
def greet(name):
    return f"Hello, {name}!"
""",
        wrong=[
            'def greet(name):\n    return "Hello, Ana!"',
            'def greet(name):\n    print(f"Hello, {name}!")',
        ],
    ),
]
