"""Report of the trial games of an edition: its problems, each with the shortest record that demonstrates it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from blackpoker import Audience, Game, Regulation
from blackpoker.define import Action, Character, Format, Trump
from blackpoker.game.assistant import Assistant
from blackpoker.ruleset import Edition, all_regulations
from blackpoker.ruleset.packages.validation import Change
from blackpoker.smoke.games import PLAYERS, ActionUsage, Sighting, Trial, TrialResult

#: texts by kind: Japanese, English; {0} is the observation
TEXTS: Final = {
    "broken": ("成り立つはずのことが成り立ちません：{0}", "something that always holds does not: {0}"),
    "crash": ("効果の途中で失敗します：{0}", "an effect fails: {0}"),
    "loop": (
        "{0} で同じ局面に戻ります（無限ループ。R-221で止まります）",
        "{0} comes back to the same position: an endless loop (R-221 cuts it off)",
    ),
    "still": ("だれも何も起こせず、ターンが終わりません", "nobody can do anything and the turn does not end"),
    "endless": ("ゲームが終わりません：{0}", "the game does not end: {0}"),
    "hang": ("{0} を選ぶと戻ってきません（無限ループ）", "after {0} it never comes back: an endless loop"),
    "never": ("{0} は{1}ゲームで一度も使えませんでした{2}", "{0} could never be used in {1} games{2}"),
    "unused": ("{0} は{1}回使えましたが一度も使われませんでした", "{0} could be used {1} times and nobody ever did"),
    "vain": ("{0} は{1}回解決しましたが何も起きませんでした", "{0} took effect {1} times and nothing ever came of it"),
    "why": ("（いちばん多い理由：{0}）", " (most often because: {0})"),
}


@dataclass(frozen=True)
class Finding:
    """A problem for the designer. ``id``: the action concerned; ``record``: the shortest demonstration."""

    kind: str
    id: str
    ja: str
    en: str
    record: str
    serious: bool = True  # False if the standard rules have the same problem


@dataclass
class TrialReport:
    """The aggregated results of all games."""

    edition: Edition
    games: int = 0
    undecided: int = 0
    turns: int = 0
    uses: dict[str, ActionUsage] = field(default_factory=dict)
    played: dict[str, int] = field(default_factory=dict)  # number of games with each action among the rules
    shortest: dict[tuple[str, str], Sighting] = field(default_factory=dict)
    vain: dict[str, tuple[Trial, tuple[int, ...]]] = field(default_factory=dict)
    quickest: dict[str, TrialResult] = field(default_factory=dict)  # the shortest game with each action among the rules

    def add(self, result: TrialResult) -> None:
        self.games += 1
        self.undecided += not result.decided
        self.turns += result.turns
        for id, use in result.uses.items():
            self.uses.setdefault(id, ActionUsage()).add(use)
        for plan in Regulation.parse(result.trial.regulation, self.edition).rules().plans:
            self.played[plan.id] = self.played.get(plan.id, 0) + 1
            best = self.quickest.get(plan.id)
            if not result.sightings and (best is None or result.decisions < best.decisions):
                self.quickest[plan.id] = result
        for id, choices in result.vain.items():
            if id not in self.vain or len(choices) < len(self.vain[id][1]):
                self.vain[id] = (result.trial, choices)
        for seen in result.sightings:
            known = self.shortest.get((seen.kind, seen.what))
            if known is None or seen.length < known.length:
                self.shortest[seen.kind, seen.what] = seen

    def findings(self, ids: Sequence[str]) -> list[Finding]:
        """Return the problems seen, then those of ``ids`` (the actions of the package) that are never useful."""
        loops = [set(one.what.split()) for one in self.shortest.values() if one.kind == "loop"]
        seen = [
            self._seen(one, set(ids))
            for one in self.shortest.values()
            if one.kind != "loop" or not any(loop < set(one.what.split()) for loop in loops)
        ]
        return [*seen, *(found for id in ids for found in self._unused_findings(id))]

    def _game(self, trial: Trial) -> Game:
        return Game(Regulation.parse(trial.regulation, self.edition), seed=trial.seed)

    def _record(self, trial: Trial, choices: Sequence[int], since: int = 0) -> str:
        """Return the record of these choices; the moves before ``since`` only lead to its start position."""
        game = self._game(trial)
        for option in choices[:since]:
            game.push(option)
        if since:
            game = Game.from_json(game.to_json(), edition=self.edition)
        for option in choices[since:]:
            game.push(option)
        return game.record()

    def _seen(self, seen: Sighting, ids: set[str]) -> Finding:
        choices, what = seen.history, seen.what
        if seen.kind in ("hang", "crash"):  # the last choice cannot be repeated
            *before, last = choices or (0,)
            choices = tuple(before)
            if seen.kind == "hang":
                what = self._chosen_token(seen.trial, choices, last)
        ja, en = (text.format(what) for text in TEXTS[seen.kind])
        id = what.split()[0] if seen.kind in ("loop", "hang") and what else ""
        serious = seen.kind != "loop" or bool(ids & set(what.split()))
        return Finding(seen.kind, id, ja, en, self._record(seen.trial, choices, seen.since), serious)

    def _chosen_token(self, trial: Trial, choices: Sequence[int], last: int) -> str:
        game = self._game(trial)
        for option in choices:
            game.push(option)
        decision = game.decision
        words = {} if decision is None else {word.option: word.text for word in decision.options}
        action = decision.so_far[0] if decision is not None and decision.so_far else ""
        stage = game.view(Audience.PUBLIC).stage
        resolving = stage[-1].action if stage else ""
        return action or (resolving if words.get(last) == "pass" else "") or words.get(last, "")

    def _unused_findings(self, id: str) -> list[Finding]:
        use, games = self.uses.get(id, ActionUsage()), self.played.get(id, 0)
        if not games or use.worked:
            return []
        if use.resolved:
            trial, choices = self.vain[id]
            return [self._finding("vain", id, self._record(trial, choices), use.resolved)]
        result = self.quickest.get(id)
        record = "" if result is None else self._record(result.trial, result.history)
        if use.offered:
            return [self._finding("unused", id, record, use.offered, serious=False)]
        reasons = self._frequent_reason(result, id) if result is not None else ("", "")
        ja, en = (text.format(id, games, why) for text, why in zip(TEXTS["never"], reasons, strict=True))
        return [Finding("never", id, ja, en, record)]

    def _finding(self, kind: str, id: str, record: str, count: int, serious: bool = True) -> Finding:
        ja, en = (text.format(id, count) for text in TEXTS[kind])
        return Finding(kind, id, ja, en, record, serious)

    def _frequent_reason(self, result: TrialResult, id: str) -> tuple[str, str]:
        """Return the most frequent reason in that game for which the action could not be requested."""
        game = self._game(result.trial)
        reasons: Counter[tuple[str, str]] = Counter()
        for option in result.history:
            decision = game.decision
            view = game.view(Audience.PUBLIC)
            if decision is not None and decision.kind == "chance" and view.turn == view.chance and not view.stage:
                refusal = Assistant(game).why_not(id)
                if refusal is not None:
                    reasons[refusal.ja, refusal.en] += 1
            game.push(option)
        if not reasons:
            return "", ""
        (ja, en), _ = reasons.most_common(1)[0]
        return TEXTS["why"][0].format(ja), TEXTS["why"][1].format(en)


def actions_of(changes: Iterable[Change], edition: Edition) -> list[str]:
    """Return the actions a package concerns: changed or added, or granted by a changed trump or character."""
    ids: list[str] = []
    for change in changes:
        thing = change.after
        if isinstance(thing, Action):
            ids.append(thing.id)
        elif isinstance(thing, Trump | Character):
            named = set(thing.allows if isinstance(thing, Trump) else thing.permissions)
            ids += [action.id for action in edition.actions if action.permission and action.permission in named]
    return list(dict.fromkeys(ids))


def trials_of(edition: Edition, changes: Sequence[Change], games: int, seed: int) -> list[Trial]:
    """Return games of every regulation affected by the changes, alternating between both kinds of players."""
    regulations = all_regulations(edition)
    touched = [regulation for regulation in regulations if _touches(regulation, changes)] or regulations
    texts = [regulation.text for regulation in touched]
    return [Trial(texts[(n // 2) % len(texts)], PLAYERS[n % 2], seed + n // 2) for n in range(games)]


def _touches(regulation: Regulation, changes: Sequence[Change]) -> bool:
    """Return whether a changed definition is used there."""
    format = regulation.format.format
    for change in changes:
        thing = change.after or change.before
        if isinstance(thing, Trump):
            touched = format is Format.EXTRA
        elif isinstance(thing, Action | Character):
            touched = thing.since <= format
        else:
            touched = False
        if touched or change.id in {part.id for part in regulation.parts}:
            return True
    return False


def run_trials(
    trials: Sequence[Trial],
    edition: Edition,
    jobs: int,
    on_progress: Callable[[int], None],
    patience: float | None = None,
) -> TrialReport:
    """Play all games; ``on_progress`` is called with the number of finished games."""
    from blackpoker.smoke.watchdog import PATIENCE, run

    report = TrialReport(edition)
    for result in run(trials, edition, jobs, PATIENCE if patience is None else patience):
        report.add(result)
        on_progress(report.games)
    return report
