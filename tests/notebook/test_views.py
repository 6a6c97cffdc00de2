"""What a notebook shows of a history, and of two states of it side by side."""

from agentlib.notebook.views import BeforeAfter, History


def user(text):
    return {"role": "user", "content": text}


def calling(call_id, arguments="{}"):
    function = {"name": "look", "arguments": arguments}
    call = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def result(call_id, content="ok"):
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def marks(before, after):
    sides = zip(*BeforeAfter(before, after).rows, strict=True)
    return [[part[0] if part else None for part in side] for side in sides]


def test_what_is_the_same_has_no_mark():
    assert marks([user("go"), user("on")], [user("go"), user("on")]) == [["", ""], ["", ""]]


def test_what_is_gone_leaves_a_gap_on_the_right():
    before = [user("go"), calling("a"), user("on")]
    assert marks(before, [user("go"), user("on")]) == [["", "gone", ""], ["", None, ""]]


def test_what_is_new_leaves_a_gap_on_the_left():
    after = [calling("a"), result("a")]
    assert marks([calling("a")], after) == [["", None], ["", "new"]]


def test_what_has_moved_is_marked_on_both_sides():
    before = [calling("a"), user("on"), result("a")]
    after = [calling("a"), result("a"), user("on")]
    left, right = marks(before, after)
    assert sorted(filter(None, left)) == sorted(filter(None, right)) == ["moved"]
    assert left.count(None) == right.count(None) == 1


def test_what_has_changed_stands_on_one_line():
    assert marks([result("a", "old")], [result("a", "new")]) == [["gone"], ["new"]]


def test_as_text_and_as_html():
    shown = BeforeAfter([user("<b>"), result("a")], [user("<b>")], titles=("kept", "sent"))
    assert repr(shown).splitlines() == [
        "kept               | sent",
        "  user      <b>    |   user      <b>",
        "- tool      [a] ok |",
    ]
    markup = shown._repr_html_()
    assert "&lt;b&gt;" in markup and "<b>&" not in markup
    assert markup.count("line-through") == 1


def test_two_empty_histories():
    assert repr(BeforeAfter([], [])) == "before | after"


def test_a_history_shortens_and_escapes():
    shown = History([user("x" * 300), calling("a", '{"p": "<"}')], limit=10)
    assert repr(shown).splitlines()[0] == f"user       {'x' * 10}… (300 characters)"
    assert "<&quot;" not in shown._repr_html_() and "&lt;" in shown._repr_html_()
