"""Exercises made of choices in finished games. The turning points of the game must be known."""

from __future__ import annotations

from typing import Final

import msgspec

from blackpoker.errors import BlackPokerError
from blackpoker.learn.moments import moment_of
from blackpoker.server.admission import JOB, declare_job
from blackpoker.server.http.api.context import app_state_of, run_in_process
from blackpoker.server.http.api.lessons import PracticeAnswer, Practised, run_message
from blackpoker.server.http.api.previews import fetch_record
from blackpoker.server.http.api.puzzles import JUDGE_SECONDS
from blackpoker.server.http.api.replay import game_at_step
from blackpoker.server.http.endpoint import JSON, Endpoint, HttpProblem, Problem
from blackpoker.server.http.types import HttpRequest, HttpResponse
from blackpoker.server.worker_pool import with_time_limit

JUDGE_MOMENT: Final = declare_job("move in a moment", JOB, with_time_limit)


async def send_moment_message(request: HttpRequest, id: str, step: str, body: Practised) -> HttpResponse:
    """Handle a message in the exercise of one choice of a finished game. A move is judged by playing on."""
    analysed = app_state_of(request).analysis_queue.results.get(id)
    points = [] if analysed is None else analysed.points
    point = next((one for one in points if str(one.step) == step and one.better_move), None)
    if point is None:
        raise HttpProblem(404, "no_moment", "there is no exercise here", "この局面の練習はありません")
    text, _ = await fetch_record(request, id)
    args = text, point.step, point.better_move, msgspec.json.encode(body)
    try:
        status, found = await run_in_process(request, JUDGE_MOMENT, JUDGE_SECONDS, run_moment_message, *args)
    except TimeoutError:
        raise HttpProblem(
            503, "slow", "that takes too long to judge; try again", "判定に時間がかかりすぎました"
        ) from None
    return HttpResponse(found, status, media_type=JSON)


def run_moment_message(text: str, step: int, better: str, message: bytes) -> tuple[int, bytes]:
    """Return the status and the body of the response."""
    exercise = moment_of(game_at_step(text, step), better)
    try:
        return 200, msgspec.json.encode(run_message(exercise, msgspec.json.decode(message, type=Practised)))
    except BlackPokerError as error:
        return 422, msgspec.json.encode(Problem("unreadable", error.en[:600], error.ja[:600]))


MOMENT_ENDPOINTS: Final = [
    Endpoint(
        "POST",
        "/api/records/{id}/moments/{step}",
        send_moment_message,
        PracticeAnswer,
        body=Practised,
        problems=(404, 503),
        cost=JOB,
    ),
]
