"""Tasks in which a quick guess does harm: undoing tools, counts nobody gave, old text, midnight."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, no, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
HELD = {"shopping.txt": "milk\nsix eggs", "todo.txt": "rest", "sub/b.txt": "b"}
shelf = Shelf("careful")
have = shelf.have

have(tool("set_reminder", "Set a reminder for the user at a date and time, once or repeating.",
          {"title": text("what to remind of"), "when": text("date and local time, such as 2026-12-01T09:00:00", format="date-time")},
          repeat={"type": "string", "enum": ["none", "daily", "weekly"], "default": "none"}), lambda **given: "set")
have(tool("list_reminders", "List the reminders that are set, the earliest first."), lambda: [])
have(tool("cancel_reminder", "Cancel one reminder by its id.", {"reminder_id": I}), lambda reminder_id: "cancelled")
have(tool("room_booking", "Delete the booking of a room by its number.", {"number": I}), lambda number: "gone")
have(tool("quxiao_tixing", "取消一个提醒", {"bianhao": text("提醒的编号", type="integer")}), lambda bianhao: "已取消")
have(tool("transfer_money", "Transfer money to somebody.", {"to": S, "amount": {"type": "number"}}), lambda **given: "transferred")
have(tool("list_dir", "List the files and folders in one folder, one name per line; folders end with \"/\".\n\nUse it to find out which "
          "files exist before reading one, or after a file was not found. It does not look into sub-folders and shows no file contents.",
          {"path": text("The folder, relative to the workspace. \".\" is the workspace itself.")}),
     lambda path: {".": "mynotes.txt\nshopping.txt\nsub/\ntodo.txt", "sub": "b.txt"}.get(path, "Error: NotADirectoryError: not a directory"))
have(tool("read_file", "Read one whole text file and return its content exactly.\n\nUse it when you need what a file says. Not for folders "
          "(use list_dir).", {"path": text("The file, relative to the workspace.")}), lambda path: HELD[path])
have(tool("write_file", "Write a text file (UTF-8). Creates it and its folders, or replaces all that was in it.",
          {"path": text("The file, relative to the workspace."), "content": text("The whole new content of the file.")}), lambda **given: "Wrote it.")

REMIND = shelf("set_reminder list_reminders cancel_reminder")
UNDO = shelf("cancel_reminder room_booking transfer_money")
FILES = shelf("list_dir read_file write_file")
READ = call("read_file", path="shopping.txt")
MILK = "milk\nsix eggs\n"


def reminder(when, title="buy milk"):
    return call("set_reminder", title=title, when=when)


def wrote(path, content):
    return call("write_file", path=path, content=content)


CAREFUL = [
    # an undoing tool is chosen by an undoing verb only
    Case("wake is not cancel", ["Wake me at 7 every day."], REMIND, [], ["title"]),
    Case("a bare number", ["Reminder 7?"], shelf("cancel_reminder"), [], [no("cancelled")]),
    Case("by its description", ["Book the room number 7"], UNDO, [], [no("gone")]),
    Case("zh not cancel", ["提醒 7 是什么？"], shelf("quxiao_tixing"), [], [no("已取消")]),
    Case("not a transfer", ["Note that Ana has 50 in money"], shelf("transfer_money"), [], [no("transferred")]),
    Case("one step cancels, one does not", ["Cancel reminder 3. What about reminder 4 at 9 am?"], shelf("cancel_reminder"),
         [call("cancel_reminder", reminder_id=3)]),
    Case("cancel", ["Cancel reminder 7."], REMIND, [call("cancel_reminder", reminder_id=7)], ["cancelled"]),
    Case("cancel zh", ["取消提醒 7"], REMIND, [call("cancel_reminder", reminder_id=7)], ["cancelled"]),
    Case("cancel zh name", ["把提醒 7 删了，取消"], shelf("quxiao_tixing"), [call("quxiao_tixing", bianhao=7)]),
    Case("cancel asks", ["Cancel a reminder", "7"], REMIND, [call("cancel_reminder", reminder_id=7)]),
    Case("transfer", ["Transfer 50 to Ana"], UNDO, [call("transfer_money", to="Ana", amount=50)], ["transferred"]),
    # yes, no and counts that no result gives
    Case("an order is no question", ["Do not write anything. What is in todo.txt?"], FILES, [call("read_file", path="todo.txt")], ["rest", no("Yes"), no("No.")]),
    Case("eggs are not lines", ["How many eggs are in shopping.txt?"], FILES, [READ], ["six eggs", no("There are")]),
    Case("lines are lines", ["How many lines are in shopping.txt?"], FILES, [READ], ["There are 2."]),
    # files and folders
    Case("zh what is in a file", ["shopping.txt 里有什么？"], FILES, [READ], ["six eggs"]),
    Case("what is in a file", ["What is in shopping.txt"], FILES, [READ], ["six eggs"]),
    Case("zh what is in a folder", ["sub 目录里有什么？"], FILES, [call("list_dir", path="sub")], ["b.txt"]),
    Case("is there a file", ["Is there a file called notes.txt?"], FILES, [call("list_dir", path=".")], ["No."]),
    Case("there is a file", ["Is there a file called todo.txt?"], FILES, [call("list_dir", path=".")], ["Yes."]),
    Case("a file in a folder", ["Is there a file called sub/b.txt?"], FILES, [call("list_dir", path="sub")], ["Yes."]),
    Case("a file in that folder", ["Is there a file todo.txt in sub?"], FILES, [call("list_dir", path="sub")], ["No."]),
    Case("a file in the folder named", ["Is there a file called b.txt in the sub folder?"], FILES, [call("list_dir", path="sub")], ["Yes."]),
    # old text is kept
    Case("write to the end", ["Read shopping.txt, then write 'cheese' to the end of it."], FILES, [READ, wrote("shopping.txt", f"{MILK}cheese")]),
    Case("write at the end", ["Write 'cheese' at the end of shopping.txt."], FILES, [READ, wrote("shopping.txt", f"{MILK}cheese")]),
    Case("write of an end", ["Write a line saying 'go to the end' to shopping.txt"], FILES, [wrote("shopping.txt", "go to the end")]),
    Case("write anew", ["Write 'cheese' to shopping.txt."], FILES, [wrote("shopping.txt", "cheese")]),
    # "with ... in it"
    Case("with hello in it", ["create a file a.txt with hello in it, then show me the files"], FILES, [wrote("a.txt", "hello"), call("list_dir", path=".")]),
    Case("with three things in it", ["create a file a.txt with three things in it"], FILES, [], ["content"]),
    # a day is no time of day
    Case("when tomorrow", ["Remind me tomorrow to buy milk."], REMIND, [], ["when"]),
    Case("tomorrow at nine", ["Remind me tomorrow to buy milk.", "at 9 am"], REMIND, [reminder("2026-12-02T09:00:00")], ["set"]),
    Case("tomorrow, nine", ["Remind me tomorrow to buy milk.", "9"], REMIND, [reminder("2026-12-02T09:00:00")], ["set"]),
    Case("zh when tomorrow", ["明天提醒我买牛奶"], REMIND, [], ["when"]),
    Case("midnight said", ["Remind me tomorrow at midnight to buy milk."], REMIND, [reminder("2026-12-02T00:00:00")], ["set"]),
]
