"""``blackpoker rules check``: texts, scenarios and smoke games of a package, reported one by one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from blackpoker.cli.console import UsageError
from blackpoker.cli.rule_packages import write
from blackpoker.cli.scenario import files_of, run_file
from blackpoker.cli.terminal import progress
from blackpoker.ruleset import all_regulations
from blackpoker.ruleset.packages import PackageError, load_all
from blackpoker.smoke.report import Finding, TrialReport, actions_of, run_trials, trials_of
from blackpoker.text.resources import in_lang

if TYPE_CHECKING:
    from blackpoker.text.resources import Lang

LOADED: Final = b"\nloaded\n"
LOAD_SCRIPT: Final = """
import os, sys
from blackpoker.ruleset.packages import PackageError, load_all
try:
    load_all(sys.argv[1:])
except PackageError:
    pass
sys.stdout.flush()
os.write(1, b"\\nloaded\\n")
"""
ENDS_PROCESS: Final = (
    "{0} を読み込むとプロセスが終わります（終了コード {1}）。ローカルルールは edition を作るだけです",
    "{0} ends the process that loads it (exit code {1}); a package only makes its edition",
)
TEXTS: Final = {
    "package": ("{0}　{1}", "{0}  {1}"),
    "definitions": (
        "定義：{0}個の変更、{1}のレギュレーションで組み立てられます",
        "definitions: {0} changes, every clause compiles in {1} regulations",
    ),
    "texts": (
        "文章：2つの言語がそろい、前のルールの文は残っていません",
        "texts: both languages, none left over from the rules before",
    ),
    "scenarios": ("シナリオ：{0}件すべて成立", "scenarios: all {0} hold"),
    "no_scenarios": ("シナリオ：ありません（{0} に置けます）", "scenarios: there are none (they go into {0})"),
    "games": (
        "試し遊び：{0}ゲーム（ランダムと定石）、平均{1:.1f}ターン、時間切れ{2}",
        "trial games: {0} (random and rules of thumb), {1:.1f} turns on average, {2} ran out of turns",
    ),
    "use": (
        "  {0}：使えた場面 {1}、使用 {2}、解決 {3}、効いた {4}",
        "  {0}: offered {1} times, used {2}, took effect {3}, did something {4}",
    ),
    "wrong": ("誤り：{0}", "wrong: {0}"),
    "note": ("参考：{0}", "note: {0}"),
    "record": (
        "  棋譜：{0}（analyse や play --resume に --rules をつけて開けます）",
        "  record: {0} (open it with analyse or play --resume, and --rules)",
    ),
    "fine": ("問題は見つかりませんでした。", "Nothing is wrong with it."),
    "count": ("{0}件の誤りがあります。", "{0} things are wrong with it."),
}


class Check:
    """The check of one package on top of its base packages; records of findings are written to ``folder``."""

    def __init__(self, package: Path, below: list[Path], folder: Path, lang: Lang) -> None:
        self.folder = folder
        self.package = package
        self.lang = lang
        self.wrong: int = 0
        self.test_load([*below, package])
        try:
            self.loaded = load_all([*below, package])[-1]
        except PackageError as error:
            raise UsageError((error.ja, error.en)) from None

    def test_load(self, packages: list[Path]) -> None:
        """Load the packages in a subprocess first, because a package could end this process without an error
        message."""
        done = subprocess.run(
            [sys.executable, "-c", LOAD_SCRIPT, *map(str, packages)], capture_output=True, check=False
        )
        if not done.stdout.endswith(LOADED):
            raise UsageError(ENDS_PROCESS, self.package, done.returncode)

    def run(self, games: int, seed: int, jobs: int) -> int:
        edition = self.loaded.edition
        self.report("package", edition.text, self.loaded.package.ja if self.lang == "ja" else self.loaded.package.en)
        self.report("definitions", len(self.loaded.changes), len(all_regulations(edition)))
        self.check_texts()
        self.check_scenarios()
        self.check_games(games, seed, jobs or os.cpu_count() or 1)
        if self.wrong:
            self.report("count", self.wrong)
        else:
            self.report("fine")
        return 1 if self.wrong else 0

    def report(self, name: str, *values: object) -> None:
        print(in_lang(TEXTS[name], self.lang, *values), flush=True)

    def report_fault(self, text: str) -> None:
        self.wrong += 1
        self.report("wrong", text)

    def check_texts(self) -> None:
        found = self.loaded.stale_texts()
        for error in found:
            self.report_fault(error.ja if self.lang == "ja" else error.en)
        if not found:
            self.report("texts")

    def check_scenarios(self) -> None:
        folder = self.package / "scenarios"
        files = files_of([folder]) if folder.is_dir() else []
        results = [(path, result) for path in files for result in run_file(path, self.loaded.edition)]
        for path, result in results:
            if not result.ok:
                where = f"{path}:{result.line}" if result.line else str(path)
                name = f" [{result.variant}]" if result.variant else ""
                self.report_fault(f"{where}:{name} {result.text}: {result.error}")
        if not files:
            self.report("no_scenarios", folder)
        elif all(result.ok for _, result in results):
            self.report("scenarios", len(results))

    def check_games(self, games: int, seed: int, jobs: int) -> None:
        loaded = self.loaded
        trials = trials_of(loaded.edition, loaded.changes, games, seed)
        ids = actions_of(loaded.changes, loaded.edition)
        with progress() as bar:
            task = bar.add_task(loaded.package.id, total=games)
            report = run_trials(trials, loaded.edition, jobs, lambda done: bar.update(task, completed=done))
        self.report("games", report.games, report.turns / max(1, report.games), report.undecided)
        self.show_uses(report, ids)
        for number, finding in enumerate(report.findings(ids), 1):
            self.show(finding, number)

    def show_uses(self, report: TrialReport, ids: list[str]) -> None:
        for id in ids:
            use = report.uses.get(id)
            if use is not None:
                self.report("use", id, use.offered, use.requested, use.resolved, use.worked)

    def show(self, finding: Finding, number: int) -> None:
        text = finding.ja if self.lang == "ja" else finding.en
        if not finding.serious:
            self.report("note", text)
            return
        self.report_fault(text)
        if finding.record:
            name = "-".join(part for part in (str(number), finding.kind, finding.id) if part) + ".record"
            write(self.folder, {name: finding.record}, self.lang)
            self.report("record", self.folder / name)
