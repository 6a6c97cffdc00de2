"""The helper that takes definitions out of a lesson runs what defines, and nothing else."""

from lesson_code import run_definitions

CELLS = """
import json
%time 1
LIMIT = 20
SEEN = set()
class Box:
    pass
box = Box()
registry = {}
def keep(f):
    registry[f.__name__] = f
    return f
@keep
def double(x):
    return 2 * x
print(1 / 0)
answer = json.loads("broken")
later = Box(never_made)
await anything()
value = await anything()
LIMIT = 21
"""


def test_only_definitions_run():
    names: dict = {}
    run_definitions(CELLS, names)
    assert names["double"](4) == 8
    assert names["registry"] == {"double": names["double"]}
    assert names["LIMIT"] == 21
    assert isinstance(names["box"], names["Box"])
    assert names["SEEN"] == set()
    assert not {"answer", "later", "value"} & set(names)
