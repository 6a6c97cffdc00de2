"""Groups of objects, times from now, statements before orders, and what else readers found wrong."""

from __future__ import annotations

from planner_cases import call
from planner_toolbox import Case, Shelf, text, tool

S = {"type": "string"}
I = {"type": "integer"}  # noqa: E741
N = {"type": "number"}
shelf = Shelf("carried")
have = shelf.have

have(tool("pay","Pay somebody.",{"name":S,"amount":N,"currency":S}),lambda **k:"paid")
have(tool("remind","Remind the user of something.",{"what":S,"when":text("YYYY-MM-DD HH:MM")}),lambda **k:"reminder set")
have(tool("remind_at","Remind the user of something.",{"what":S,"time":text("HH:MM")}),lambda **k:"reminder set")
have(tool("get_price","Price of a product.",{"product":S}),lambda product:3.5)
have(tool("log_run","Log a run.",{"minutes":I}),lambda minutes:"logged")
have(tool("complete","Mark a todo item as done.",{"item":I}),lambda item:"done")
have(tool("complete_item","Complete an item of the todo list.",{"item_id":I}),lambda item_id:"done")
have(tool("find_movie","Find a movie by its title.",{"title":S}),lambda title:{"title":title,"year":1999})
have(tool("baike","查询百科词条",{"citiao":text("词条")}),lambda citiao:"……")
have(tool("search_book","搜索图书",{"keyword":text("关键词")}),lambda keyword:["书"])
have(tool("current_weather","Current weather of a city. Not for forecasts.",{"city":S}),lambda city:"sunny")
have(tool("weather_forecast","Weather forecast for a city and a day.",{"city":S,"date":text(format="date")}),lambda **k:"rain")
have(tool("book_table","Book a table.",{"restaurant":S,"people":I}),lambda restaurant,people:"booked" if people==4 else "Error: no table for that many. Try again with people=4")
have(tool("buy","Buy some of an article.",{"article":S,"quantity":I}),lambda **k:"bought")
have(tool("invite","Invite a person to a party on a day.",{"person":S,"day":S}),lambda **k:"invited")
have(tool("order", "Order food.", {"dish": S, "count": I}), lambda **k: "ordered")
have(tool("move", "Move money from one account to another.", {"amount": N, "source": S, "target": S}), lambda **k: "moved")
have(tool("list_add", "Add an item to the shopping list.", {"item": S}), lambda item: "added")
have(tool("timer", "Start a countdown.", {"minutes": I}), lambda minutes: "started")

CARRIED = [
    Case("pay2",["Pay Ana 50 EUR and Ben 30 EUR."],shelf("pay"),[call("pay",name="Ana",amount=50,currency="EUR"),call("pay",name="Ben",amount=30,currency="EUR")]),
    Case("pay3",["Pay Ana 50 EUR, Ben 30 EUR and Cleo 20 USD."],shelf("pay"),[call("pay",name="Ana",amount=50,currency="EUR"),call("pay",name="Ben",amount=30,currency="EUR"),call("pay",name="Cleo",amount=20,currency="USD")]),
    Case("pay same",["Pay 50 EUR to Ana and 30 EUR to Ben"],shelf("pay"),[call("pay",name="Ana",amount=50,currency="EUR"),call("pay",name="Ben",amount=30,currency="EUR")]),
    Case("pay both",["Pay Ana and Ben 30 EUR each"],shelf("pay"),[call("pay",name="Ana",amount=30,currency="EUR"),call("pay",name="Ben",amount=30,currency="EUR")]),
    Case("buy2",["Buy 3 apples and 2 pears"],shelf("buy"),[call("buy",article="apples",quantity=3),call("buy",article="pears",quantity=2)]),
    Case("rem2h",["Remind me in two hours to call Ana"],shelf("remind"),[call("remind",what="call Ana",when="2026-12-01 12:00")],system="It is 2026-12-01 10:00."),
    Case("rem30m",["Remind me to stretch in 30 minutes"],shelf("remind_at"),[call("remind_at",what="stretch",time="10:30")],system="The time is 2026-12-01 10:00."),
    Case("rem-half",["Remind me in half an hour to stretch"],shelf("remind_at"),[call("remind_at",what="stretch",time="10:30")],system="Now: 2026-12-01T10:00"),
    Case("rem-zh",["两小时后提醒我开会"],shelf("remind"),[call("remind",what="开会",when="2026-12-01 12:00")],system="现在是2026-12-01 10:00。"),
    Case("tea",["Get the price of green tea"],shelf("get_price"),[call("get_price",product="green tea")]),
    Case("tea2",["What is the price of a red apple?"],shelf("get_price"),[call("get_price",product="red apple")]),
    Case("tea3",["How much is the hot chocolate?"],shelf("get_price"),[call("get_price",product="hot chocolate")]),
    Case("ran",["I ran 30 minutes, log it"],shelf("log_run"),[call("log_run",minutes=30)],["logged"]),
    Case("ran2",["I ran 30 minutes. Log it."],shelf("log_run"),[call("log_run",minutes=30)],["logged"]),
    Case("item",["I finished item 2, complete it"],shelf("complete"),[call("complete",item=2)]),
    Case("item2",["I finished item 2, complete it"],shelf("complete_item"),[call("complete_item",item_id=2)]),
    Case("matrix",["When did The Matrix come out?"],shelf("find_movie"),[call("find_movie",title="The Matrix")],["1999"]),
    Case("matrix2",["Who directed The Matrix?"],shelf("find_movie complete"),[call("find_movie",title="The Matrix")]),
    Case("ai",["人工智能是什么？"],shelf("baike"),[call("baike",citiao="人工智能")]),
    Case("ai2",["搜索人工智能的书"],shelf("search_book"),[call("search_book",keyword="人工智能的书")]),
    Case("ai3",["查一下太阳能"],shelf("baike"),[call("baike",citiao="太阳能")]),
    Case("ai4",["查一下机器学习"],shelf("baike"),[call("baike",citiao="机器学习")]),
    Case("r2",["What is the weather in Rome tomorrow?"],shelf("current_weather weather_forecast"),[call("weather_forecast",city="Rome",date="2026-12-02")]),
    Case("r2now",["What is the weather in Rome?"],shelf("current_weather weather_forecast"),[call("current_weather",city="Rome")]),
    Case("r2only",["What will the weather in Rome be tomorrow?"],shelf("current_weather"),[],["no tool"]),
    Case("r5",["Book a table at Luigi for 6 people"],shelf("book_table"),[call("book_table",restaurant="Luigi",people=6),call("book_table",restaurant="Luigi",people=4)]),
    Case("inv",["Invite Ana on Monday and Ben on Tuesday"],shelf("invite"),[call("invite",person="Ana",day="2026-12-07"),call("invite",person="Ben",day="2026-12-08")]),
    Case("number words", ["Order two pizzas and one salad"], shelf("order"), [call("order", dish="pizzas", count=2), call("order", dish="salad", count=1)]),
    Case("three groups", ["Order 2 pizzas, 1 salad and 3 colas please"], shelf("order"), [call("order", dish="pizzas", count=2), call("order", dish="salad", count=1), call("order", dish="colas", count=3)]),
    Case("three values each", ["Move 50 from savings to checking and 20 from checking to holiday"], shelf("move"), [call("move", amount=50, source="savings", target="checking"), call("move", amount=20, source="checking", target="holiday")]),
    Case("one text", ["Add 2 apples and 3 pears"], shelf("list_add"), [call("list_add", item="2 apples and 3 pears")]),
    Case("two names", ["Get the price of green tea and coffee"], shelf("get_price"), [call("get_price", product="green tea"), call("get_price", product="coffee")]),
    Case("minutes alone", ["Set a timer that rings in 10 minutes"], shelf("timer"), [call("timer", minutes=10)]),
    Case("several told before", ["I finished items 2 and 3, complete them"], shelf("complete"), [call("complete", item=2), call("complete", item=3)]),
    Case("nobody's name", ["How are you today?"], shelf("find_movie"), [], ["no tool"]),
]
