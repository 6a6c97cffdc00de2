"""Loop detection: what trips, what is left alone, and when."""

import pytest

from agentlib.errors import ToolCallError
from agentlib.loops import MOST_KEPT, LoopDetectionConfig, LoopDetector
from agentlib.loops.similarity import COMPARED, similarity
from agentlib.results import ToolCall, ToolResult


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def detector(**limits):
    limits.setdefault("clock", Clock())
    return LoopDetector(LoopDetectionConfig(**limits))


def kinds(calls, watch=None, step=1.0):
    """The verdict before each (tool, arguments, result); every call is recorded all the same."""
    watch = watch or detector()
    out = []
    for tool, arguments, result in calls:
        call = ToolCall(tool, arguments)
        out.append(watch.check(call).kind)
        watch.record(call, failure(call, result) if isinstance(result, Exception) else result)
        watch.config.clock.now += step
    return out


def failure(call, error):
    return ToolResult.failure(call, error)


def missing(name):
    return ToolCallError(f"there is no file {name}")


A, B = ("read", '{"path": "a"}', "A"), ("list", "{}", "a b")
C, D = ("find", '{"for": "x"}', "-"), ("now", "{}", "noon")
OK5_WARN_STOP = ["ok"] * 5 + ["warn", "stop"]


def test_a_verdict_can_be_compared_and_shown():
    watch, call = detector(max_consecutive_calls=1), ToolCall("f", "{}")
    first = watch.check(call)
    assert first.ok and first == "ok" and str(first) == "ok" and first == watch.check(call)
    watch.record(call, 1)
    warned = watch.check(call)
    assert not warned.ok and warned == "warn" and warned != first and warned != "stop"
    assert str(warned) == f"warn: {warned.reason}"


LOOPS = {
    "the same call over and over": ([A] * 8, [*OK5_WARN_STOP, "stop"]),
    "L2 A-B-A-B": ([A, B] * 5, [*OK5_WARN_STOP, *["stop"] * 3]),
    "a circle of three, gone round twice": ([A, B, C] * 4, ["ok"] * 6 + ["warn"] + ["stop"] * 5),
    "a circle of four": ([A, B, C, D] * 3, ["ok"] * 8 + ["warn"] + ["stop"] * 3),
    "the same few in any order": (
        [A, B, C, A, C, B, B, C, A],
        ["ok"] * 6 + ["warn", "stop", "stop"],
    ),
    "L3 keys in another order, other spacing, a dict": (
        [("f", a, 1) for a in ['{"a":1,"b":{"c":2,"d":3}}', '{"b": {"d":3, "c":2}, "a": 1}',
                               {"b": {"c": 2, "d": 3}, "a": 1}] * 3],
        [*OK5_WARN_STOP, "stop", "stop"],
    ),
    "L3 and another call in between": (
        [call for a in ['{"a":1,"b":2}', '{"b": 2, "a": 1}'] * 4 for call in (("f", a, 1), B)][:8],
        [*OK5_WARN_STOP, "stop"],
    ),
    "small variations with the same result": (
        [("search", {"query": q}, "nothing found") for q in
         ["weather beijing", "weather beijing?", "weather  beijing", "Weather Beijing",
          "weather, beijing", "weather: beijing", "weather beijing!"]],
        OK5_WARN_STOP,
    ),
    "guessed file names, each missing in words of its own": (
        [("read", {"path": f"notes{n}.txt"}, missing(f"notes{n}.txt")) for n in range(7)],
        OK5_WARN_STOP,
    ),
    "no arguments at all": ([("poll", None, "x"), ("poll", "null", "x"), ("poll", "{}", "x")] * 3,
                            [*OK5_WARN_STOP, "stop", "stop"]),
    "arguments that are no JSON": ([("f", '{"a":', "bad")] * 7, OK5_WARN_STOP),
}  # fmt: skip

HONEST = {
    "L1 a poll whose result changes": [("poll", "{}", f"{n} %") for n in range(20)],
    "different files read one after another": [
        ("read", {"path": path}, f"text of {path}")
        for path in ["README.md", "setup.py", "a/b.c", "Makefile", "docs/index.rst", "LICENSE"]
    ],
    "chapters 1 to 9": [
        ("read", {"path": f"chapter{n}.txt"}, f"text {n}") for n in range(1, 10)
    ],
    "similar names, different texts": [
        ("read", {"path": f"chapter-{x}.txt"}, f"text {x}") for x in "abcdefghi"
    ],
    "pages of a search, all empty": [
        ("search", {"query": "cats", "page": n}, "[]") for n in range(9)
    ],
    "different files written, each answered alike": [
        ("write", {"path": f"part{n}.txt", "content": f"{n}"}, "written") for n in range(9)
    ],
    "a test run again after each edit": [
        call
        for n in range(9)
        for call in (("edit", {"new": f"x = {n}"}, "ok"), ("test", "{}", "1 failed"))
    ],
    "many calls of one tool, none consecutive": [
        call
        for n in range(9)
        for call in (("read", {"path": f"f{n}"}, f"{n}"), ("note", {"text": f"{n}"}, "ok"))
    ],
    "three files read once more": [A, B, C, A, B, C],
    "twice and once more": [A, A, A, B, B, A],
    "dissimilar questions, all empty": [
        ("search", {"query": q}, "nothing found")
        for q in ("cats", "weather in Oslo", "Python 3 sort", "北京", "how tall is a tree", "?")
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_is_warned_about_and_then_stopped(name):
    calls, expected = LOOPS[name]
    assert kinds(calls) == expected


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_left_alone(name):
    assert set(kinds(HONEST[name])) == {"ok"}


def test_calls_older_than_the_window_do_not_count():
    slow, quick = [("poll", "{}", "pending")] * 12, [("poll", "{}", "pending")] * 7
    assert set(kinds(slow, step=15)) == {"ok"}  # at most 4 in any 60 s
    assert kinds(quick, step=9.9) == OK5_WARN_STOP  # 7 in 60 s
    assert kinds(quick, detector(window_seconds=600), step=99) == OK5_WARN_STOP


def test_news_gives_the_same_call_a_new_start():
    edit = ("edit", {"new": "x"}, "ok")
    assert kinds([A] * 5 + [edit] + [A] * 4) == ["ok"] * 10
    assert kinds([A] * 5 + [edit] + [A] * 6)[-2:] == ["warn", "stop"]


def test_another_result_is_news_even_if_it_was_seen_before():
    assert set(kinds([("poll", "{}", r) for r in ("busy", "idle") * 9])) == {"ok"}


def test_the_21st_call_is_warned_about_and_the_22nd_stopped():
    calls = [("f", {"n": n}, n) for n in range(23)]
    assert kinds(calls) == ["ok"] * 20 + ["warn", "stop", "stop"]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"max_consecutive_calls": 1}, ["ok", "warn", "stop", "stop"]),
        ({"max_consecutive_calls": 3}, ["ok", "ok", "ok", "warn"]),
        ({"max_total_calls": 2}, ["ok", "ok", "warn", "stop"]),
    ],
)
def test_the_limits_can_be_set(limits, expected):
    assert kinds([A] * 4, detector(**limits)) == expected


def test_the_similarity_can_be_set():
    calls = [("search", {"q": q}, "none") for q in ("cats", "cat", "cart", "car", "care", "cares",
                                                    "caress")]  # fmt: skip
    assert kinds(calls, detector(similarity=0.6)) == OK5_WARN_STOP
    assert set(kinds(calls, detector(similarity=1.0))) == {"ok"}


@pytest.mark.parametrize(
    "wrong",
    [{"max_consecutive_calls": 0}, {"max_total_calls": 0}, {"window_seconds": 0}, {"similarity": 0},
     {"similarity": 1.1}],
)  # fmt: skip
def test_limits_without_sense_are_refused(wrong):
    with pytest.raises(ValueError):
        LoopDetectionConfig(**wrong)


def test_l4_asking_changes_nothing():
    watch = detector()
    kinds([A] * 5, watch)
    call = ToolCall(A[0], A[1])
    assert {watch.check(call).kind for _ in range(50)} == {"warn"}
    assert watch.total == 5
    watch.record(call, A[2])
    assert watch.check(call).kind == "stop"


def test_reset_forgets_everything():
    watch = detector()
    kinds([A] * 7, watch)
    watch.reset()
    assert kinds([A] * 7, watch) == OK5_WARN_STOP


@pytest.mark.parametrize(
    ("calls", "rule", "says"),
    [
        ([A] * 6, "repeat", "read was called 5 times with the same arguments"),
        ([A, B] * 4, "cycle", "5 calls went round in a circle (read, list)"),
        (LOOPS["guessed file names, each missing in words of its own"][0], "similar", "read"),
        ([("f", {"n": n}, n) for n in range(21)], "total", "20 calls"),
    ],
)
def test_the_reason_names_what_tripped(calls, rule, says):
    watch = detector()
    for tool, arguments, result in calls:
        verdict = watch.check(ToolCall(tool, arguments))
        if verdict.kind == "warn":
            break
        kinds([(tool, arguments, result)], watch)
    assert verdict.rule == rule
    assert says in verdict.reason


def test_calls_under_way_count_and_an_identical_one_beside_them_is_no_news():
    watch = detector()
    calls = [ToolCall("read", '{"path": "a"}', f"c{n}") for n in range(7)]
    verdicts = []
    for call in calls:
        verdicts.append(watch.check(call).kind)
        watch.begin(call)
    assert verdicts == OK5_WARN_STOP
    for call in reversed(calls):
        watch.record(call, "A")
    assert watch.total == 7


def test_the_results_of_calls_under_way_decide_once_they_are_there():
    watch = detector()
    calls = [ToolCall("poll", "{}", f"c{n}") for n in range(5)]
    for call in calls:
        watch.begin(call)
    for n, call in enumerate(calls):
        watch.record(call, f"{n} %")
    assert watch.check(calls[0]).kind == "ok"


def test_memory_and_work_per_call_stay_bounded():
    """The clock is asked a fixed number of times for each call, whatever came before."""

    class Counting(Clock):
        asked = 0

        def __call__(self):
            Counting.asked += 1
            return self.now

    watch = detector(max_total_calls=10**9, clock=Counting())
    asked = []
    for n in range(2_000):
        before = Counting.asked
        call = ToolCall("f", {"n": n})
        watch.check(call)
        watch.record(call, "r")
        asked.append(Counting.asked - before)
    assert max(asked[MOST_KEPT:]) == max(asked[2:20])
    assert len(watch._seen) <= MOST_KEPT
    assert len(watch._last) <= MOST_KEPT
    assert watch._running == {}


# ---- similarity


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({}, {}, 1.0),
        ({"q": "x"}, {"q": "x", "page": 2, "lang": "en"}, 1 / 3),  # not 1: keys of both count
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, {"a": 1, "b": 2, "c": 3, "d": 4, "e": 6}, 0.8),
        ({"q": "abcd"}, {"q": "abce"}, 0.75),  # 2 * 3 equal of 8 characters
        ({"q": "ABC"}, {"q": "abc"}, 1.0),
        ({"p": "chapter1.txt"}, {"p": "chapter2.txt"}, 0.0),
        ({"o": {"x": "y", "z": 1}}, {"o": {"x": "y", "z": 2}}, 0.5),
        ({"q": "x"}, {"r": "x"}, 0.0),
        ("no json", "no json", 1.0),
    ],
)
def test_similarity_is_the_mean_over_both_calls_keys(a, b, expected):
    assert similarity(a, b) == pytest.approx(expected)
    assert similarity(b, a) == pytest.approx(expected)


def test_similarity_is_the_same_from_either_side():
    texts = ["tide", "diet", "weather in beijing", "beijing weather", "a" * 700, "a" * 699 + "b"]
    for a in texts:
        for b in texts:
            assert similarity({"q": a}, {"q": b}) == similarity({"q": b}, {"q": a})


def test_numbers_can_be_left_out_of_it():
    assert similarity({"p": "ch1"}, {"p": "ch2"}, numbers_matter=False) == pytest.approx(2 / 3)


def test_long_texts_are_compared_by_their_ends():
    assert similarity("x" * COMPARED + "head", "x" * COMPARED + "tail") < 1.0
