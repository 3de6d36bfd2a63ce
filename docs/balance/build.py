"""Makes docs/balance from the files of two experiments; README.md says how they were run.

python docs/balance/build.py balance.lab extra.lab [FOLDER]
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from blackpoker.lab import Store
from blackpoker.lab.metrics import ArmGames, ArmMetrics, ReportMetrics, Usage, action_uses, compute_metrics, extremes
from blackpoker.lab.plots import make_plots
from blackpoker.lab.report import toml_of, write_report
from blackpoker.lab.report_page import page
from blackpoker.lab.statistics import Estimate
from blackpoker.lab.summary import percent, summary
from blackpoker.lab.tables import csv_of, overview, pairing_table, trump_names, trump_table

#: an action is called rare below this share of the games it could be used in
RARE = 0.005
#: uses in a game in which it is used at all; more than these are a loop a player does not leave
LOOP = 12


def main(survey_file: str, extra_file: str, folder: str = "") -> None:
    place = Path(folder) if folder else Path(__file__).parent
    with Store(Path(survey_file)) as store:
        survey = compute_metrics(store)
        pooled = action_uses(ArmGames([row[1:] for row in store.rows(("arm", *ArmGames.COLUMNS))]))
        names = {id: pair for arm in survey.arms for id, pair in arm.data["names"]["actions"].items()}
        text = page(survey, summary(survey), make_plots(survey), [], toml_of(store), "en")
    (place / "report.html").write_text(text, encoding="utf-8")
    (place / "regulations.csv").write_text(csv_of(overview(survey)), encoding="utf-8")
    write_report(Path(extra_file), place / "extra.html")
    with Store(Path(extra_file)) as store:
        extra = compute_metrics(store).arms[0]
    (place / "trumps.csv").write_text(csv_of(trump_table(extra)), encoding="utf-8")
    (place / "trump-pairs.csv").write_text(csv_of(pairing_table(extra, everything=True)), encoding="utf-8")
    offered = {id: sum(id in arm.data["names"]["actions"] for arm in survey.arms) for id in names}
    (place / "actions.csv").write_text(actions_csv(survey, pooled, names, offered), encoding="utf-8")
    (place / "README.md").write_text(readme(survey, pooled, names, offered, extra), encoding="utf-8")


def shown(found: Estimate) -> str:
    return f"{percent(found.value)} ({percent(found.low)} – {percent(found.high)})"


def readme(
    survey: ReportMetrics, pooled: list[Usage], names: dict[str, list[str]], offered: dict[str, int], extra: ArmMetrics
) -> str:
    head = HEAD.format(
        edition=survey.arms[0].data["edition"],
        deals=survey.deals,
        arms=len(survey.arms),
        games=survey.games,
        extra=extra.games,
        version=survey.about["blackpoker"],
        begun=survey.about["begun"][:10],
        seed=survey.about["seed"],
    )
    return "\n".join([head, "## What stands out\n", *standing_out(survey, pooled, names, offered, extra)]) + "\n"


HEAD = """# Balance of edition 6

Made by [build.py](build.py) from two experiments of [the lab](../guide/lab.md); not written by hand.

Edition `{edition}`, blackpoker {version}, {begun}. {arms} regulations × {deals:,} deals = {games:,} games
between two `heuristic` players, and {extra:,} more of `extra+full` with two random trumps for each player. **These are
figures of one kind of player**, who plays by rules of thumb and never looks ahead; [stronger players](thinkers.md) get
other results. Intervals are 95 %; the same deals (seeds from {seed}) are played in every regulation. In frames with two
decks the first one is played; in constructed frames the built-in one.

- [regulations.csv](regulations.csv): win rate of the first player, draws and length of each regulation.
- [actions.csv](actions.csv): uses per game, share of the games with a use, and win rate of the users, over the
  regulations that have the action.
- [trumps.csv](trumps.csv), [trump-pairs.csv](trump-pairs.csv): how often each trump is opened, and the win rate of
  its holder.

`stands_out` marks what differs from 50 % (Benjamini–Hochberg over all rows). The win rate of an action's users is no
cause: winners get to attack, losers have to save themselves. These commands repeat the experiments (they may be stopped
and go on), and also write `report.html` and `extra.html` with curves, openings and the actions of each regulation:

```sh
blackpoker lab run --regulation all --seats 1 --deals {deals} --output balance.lab
blackpoker lab run --regulation extra+full --seats 1 --deals {extra} --output extra.lab
python docs/balance/build.py balance.lab extra.lab
```
"""


def unused(pooled: list[Usage], names: dict[str, list[str]]) -> set[str]:
    return set(names) - {use.id for use in pooled}


def standing_out(
    survey: ReportMetrics, pooled: list[Usage], names: dict[str, list[str]], offered: dict[str, int], extra: ArmMetrics
) -> list[str]:
    arms = sorted(survey.arms, key=lambda arm: -arm.first.value)
    out = [f"- {en}" for _, en in summary(survey)]
    for title, some in (("Strongest for the first player", arms[:3]), ("Weakest for the first player", arms[-3:])):
        out.append(f"- {title}: " + "; ".join(f"{arm.name} {shown(arm.first)}" for arm in some) + ".")
    by_format: dict[str, list[float]] = {}
    for arm in survey.arms:
        by_format.setdefault(arm.name.split("+")[0], []).append(arm.first.value)
    ranges = (f"{name} {percent(min(mine))} to {percent(max(mine))}" for name, mine in by_format.items())
    out.append(f"- By frame and options the first player wins: {'; '.join(ranges)}.")
    rare = [use for use in pooled if use.games * survey.games < RARE * offered[use.id] * survey.deals]
    told = [names[id][1] for id in sorted(unused(pooled, names))]
    out.append(f"- Never used by `heuristic`: {', '.join(told) or 'none'}.")
    out.append(
        f"- Used in fewer than {percent(RARE)} of the games they could be used in: "
        f"{', '.join(names[use.id][1] for use in rare) or 'none'}."
    )
    loops = [use for use in pooled if use.per_game > LOOP * use.games]
    for use in loops:
        n = use.per_game / use.games
        out.append(
            f"- {names[use.id][1]} is used {n:.0f} times in a game in which it is used at all: `heuristic` does"
            " not see that it goes round in a circle."
        )
    marked = sorted((use for use in pooled if use.significant), key=lambda use: -use.wins.value)
    for title, some in (("Users win most often", marked[:5]), ("Users win least often", marked[-5:])):
        out.append(f"- {title}: " + "; ".join(f"{names[use.id][1]} {shown(use.wins)}" for use in some) + ".")
    strong = [use for use in extra.trumps if use.significant]
    title = trump_names(extra)
    if strong:
        out.append(
            "- Trumps that stand out: " + "; ".join(f"{title[use.id][1]} {shown(use.wins)}" for use in strong) + "."
        )
    else:
        out.append("- No trump stands out.")
    widest = extremes(extra.pairings)[:3]
    told = [f"{title[pair.mine][1]} against {title[pair.other][1]} {shown(pair.wins)}" for pair in widest]
    out.append(f"- Widest pairs of trumps (of so many that chance alone makes some wide): {'; '.join(told)}.")
    return out


def actions_csv(
    survey: ReportMetrics, pooled: list[Usage], names: dict[str, list[str]], offered: dict[str, int]
) -> str:
    """Return the use of every action in the regulations that have it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("action", "ja", "regulations", "per_game", "games", "wins", "wins_low", "wins_high", "stands_out"))
    for use in pooled:
        scale = len(survey.arms) / offered[use.id]  # pooled figures are of all games
        rates = (f"{number:.3f}" for number in (use.games * scale, *use.wins[:3]))
        writer.writerow(
            (
                names[use.id][1],
                names[use.id][0],
                offered[use.id],
                f"{use.per_game * scale:.2f}",
                *rates,
                use.significant,
            )
        )
    for id in sorted(unused(pooled, names)):
        writer.writerow((names[id][1], names[id][0], offered[id], 0, 0, "", "", "", False))
    return out.getvalue()


if __name__ == "__main__":
    main(*sys.argv[1:])
