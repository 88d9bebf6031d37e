"""A small site on plyhost, where people play Control or Congeners against each other."""

import json
import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import urlsplit

import click
import msgspec
from flask import Flask, abort, flash, g, redirect, render_template, request, session, url_for
from werkzeug.security import check_password_hash, generate_password_hash

from plyhost.client import Client, NoAnswer, Problem, calls

PLYHOST = os.environ.get("PLYHOST_URL", "http://localhost:8000")
SECRET = os.environ.get("PLYHOST_PICTURE_SECRET", "")
CLOCK = float(os.environ.get("SITE_CLOCK", 3 * 24 * 3600))  # seconds of thought for a whole game
POLICY = f"default-src 'self'; img-src 'self' {PLYHOST}; frame-ancestors 'none'"
TABLES = Path(__file__).with_name("tables.sql").read_text()
PAGE = ["render", "targets", "buttons", "sidebar", "prompt", "history", "chat"]

app = Flask(__name__)
app.secret_key = os.environ["SITE_SECRET"]  # signs the sessions; a long text that nobody knows
app.config.update(SESSION_COOKIE_SAMESITE="Lax", MAX_CONTENT_LENGTH=10_000)
plyhost = Client(PLYHOST, key=os.environ.get("PLYHOST_KEY"), timeout=5)
GAMES = {one.uid: one for one in plyhost.ask(calls.list_games()).games}


def run(query, *values):
    if "db" not in g:
        g.db = sqlite3.connect(os.environ.get("SITE_DB", "site.db"), isolation_level=None)
        g.db.row_factory = sqlite3.Row
        g.db.executescript(TABLES)
    return g.db.execute(query, values)


app.teardown_appcontext(lambda _: "db" in g and g.db.close())


@app.before_request
def guard():
    if request.method == "POST":
        if urlsplit(request.headers.get("Origin", "")).netloc != request.host:
            abort(403)  # a form on somebody else's page
        if "name" not in session and request.endpoint != "login":
            abort(401)


@app.after_request
def protect(answer):
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@app.errorhandler(Problem)
@app.errorhandler(NoAnswer)
def tell(error):
    told = getattr(error, "detail", "The game server does not answer. Try again in a moment.")
    if request.endpoint != "act":
        return told, getattr(error, "status", 503), {"Content-Type": "text/plain; charset=utf-8"}
    flash(told)
    return redirect(url_for("show", number=request.view_args["number"]))


@app.post("/login")
def login():
    name, password = request.form["name"].strip()[:40], request.form["password"]
    run("INSERT OR IGNORE INTO users VALUES (?, ?)", name, generate_password_hash(password))
    known = run("SELECT hash FROM users WHERE name = ?", name).fetchone()
    session.clear()
    if known and check_password_hash(known["hash"], password):
        session["name"] = name
    else:
        flash("That is not the password of this name.")
    return redirect("/")


@app.get("/")
def index():
    listed = run("SELECT * FROM games ORDER BY over, id DESC LIMIT 100")
    return render_template("index.html", listed=listed, games=GAMES, draw=sign_thumbnail)


def sign_thumbnail(game):
    asked = calls.picture(game["game"], "picture.svg", state=game["state"], width="160")
    until = int(time.time() // 86400 + 2) * 86400  # one address all day, so that browsers keep it
    return PLYHOST + (calls.sign_picture(asked, SECRET, until) if SECRET else asked).path


@app.post("/games")
def start():
    uid, _, variant = request.form["variant"].partition(" ")
    view = plyhost.ask(calls.new(uid, variants=[variant], form="compact"))
    insert = "INSERT INTO games (game, one, state, clock1, clock2, since) VALUES (?, ?, ?, ?, ?, ?)"
    made = run(insert, uid, session["name"], view.state, CLOCK, CLOCK, time.time())
    return redirect(url_for("show", number=made.lastrowid))


@app.post("/games/<int:number>/join")
def join(number):
    update = "UPDATE games SET two = ?, since = ? WHERE id = ? AND two IS NULL AND one != ?"
    run(update, session["name"], time.time(), number, session["name"])
    return redirect(url_for("show", number=number))


def find(number):
    game = run("SELECT * FROM games WHERE id = ?", number).fetchone() or abort(404)
    seats = {game["two"]: 2, game["one"]: 1}
    return game, [game["one"], game["two"] or "nobody yet"], seats.get(session.get("name", ""), 0)


def count_clocks(game):
    clocks = {1: game["clock1"], 2: game["clock2"]}
    if game["two"] and not game["over"]:
        clocks[game["to_move"]] -= time.time() - game["since"]
    return clocks


def store(game, view, clocks):
    update = """UPDATE games SET state = ?, ply = ?, to_move = ?, over = ?, offer = 0, clock1 = ?,
        clock2 = ?, since = ? WHERE id = ? AND ply = ?"""
    now = (view.state, view.ply, view.currplayer, view.gameover, *clocks.values(), time.time())
    if not run(update, *now, game["id"], game["ply"]).rowcount:
        flash("The game has gone on meanwhile.")  # somebody was quicker, so nothing was kept


def call_time(game):
    clocks, seat = count_clocks(game), game["to_move"]
    if is_over := bool(game["two"]) and not game["over"] and clocks[seat] <= 0:
        asked = calls.end(game["game"], game["state"], "timeout", player=seat)
        store(game, plyhost.ask(asked), clocks | {seat: 0})
    return is_over


@app.get("/games/<int:number>")
def show(number):
    game, names, seat = find(number)
    if call_time(game):
        return redirect(request.path)
    asked = calls.view(game["game"], game["state"], include=PAGE, players=names)
    view = plyhost.ask(asked)  # the one call: all that the page shows is in its answer
    mine = bool(game["two"]) and seat == view.to_move
    data = {"view": msgspec.to_builtins(view) | {"state": None}, "mine": mine}
    told = {"data": data | {"seen": list_news(game)}, "view": view, "mine": mine}
    told |= {"game": game, "names": names, "seat": seat, "clocks": count_clocks(game)}
    return render_template("game.html", about=GAMES[game["game"]], **told)


def list_news(game):
    return [game["ply"], game["two"], game["offer"]]


@app.get("/games/<int:number>/news")
def tell_news(number):
    return list_news(find(number)[0])


@app.post("/games/<int:number>/click")
def click_cell(number):
    game, _, _ = find(number)
    more = {"cell": request.form["cell"], "include": ["targets", "render"]}
    asked = calls.click(game["game"], game["state"], move=request.form["move"], **more)
    return msgspec.to_builtins(plyhost.ask(asked))


@app.post("/games/<int:number>/<any(move, resign, draw):deed>")
def act(number, deed):
    game, _, seat = find(number)
    if not seat or not game["two"]:
        abort(403)
    uid, state, ply = game["game"], game["state"], request.form.get("ply", -1, int)
    if deed == "move":
        asked = calls.move(uid, state, request.form["move"], player=seat, expected_ply=ply)
    else:
        who = {"player": seat} if deed == "resign" else {}
        asked = calls.end(uid, state, deed, expected_ply=ply, **who)
    if not call_time(game):
        if deed == "draw" and game["offer"] != 3 - seat:
            run("UPDATE games SET offer = ? WHERE id = ? AND ply = ?", seat, number, ply)
        else:
            store(game, plyhost.ask(asked), count_clocks(game))
    return redirect(url_for("show", number=number))


@app.get("/games/<int:number>/record.json")
def write_record(number):
    game, names, _ = find(number)
    players = [{"name": name} for name in names]
    more = {"gameid": str(number), "site": request.host, "running": True}
    asked = calls.record(game["game"], game["state"], players, **more)
    return msgspec.to_builtins(plyhost.ask(asked).record)


@app.cli.command("export")
@click.argument("file", type=click.File("w"))
def export(file):
    """Write every game as a line, for `plyhost replay`."""
    listed = run("SELECT id, state FROM games ORDER BY id")
    file.writelines(json.dumps(dict(game)) + "\n" for game in listed)
