"""Every sub-command of ``blackpoker`` and its parameters, as data.

Parser, help in both languages and shell completion are generated from these tables. This module imports no game code: a
command's module is imported when the command runs.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

TextPair = tuple[str, str]  # Japanese, English

MAX_SEED: Final = 2**31


class Parameter(NamedTuple):
    """One argument or option. Its ``name`` is the name of the function's parameter."""

    name: str
    flags: str  # such as "--seed -s"; empty for an argument
    help: TextPair
    kind: str = "text"  # text, number, file, flag (inverts its default)
    default: Any = None
    minimum: int = 0  # limits of a number
    maximum: int = MAX_SEED
    repeatable: bool = False
    required: bool = False
    metavar: str = ""  # metavariable in the help text
    word_list: str = ""  # the list in choices.py for completion
    restricted: bool = False  # only words of that list are valid

    @property
    def display_name(self) -> str:
        """The name of the parameter in error messages."""
        return self.flags.split()[0] if self.flags else self.metavar


class Command(NamedTuple):
    """A sub-command, run by ``function`` in ``module``; ``extra`` is the optional dependency group it needs."""

    name: str
    module: str
    function: str
    help: TextPair
    parameters: tuple[Parameter, ...]
    extra: str = ""


LANG = Parameter(
    "lang",
    "--lang",
    ("表示の言語。指定しなければ環境に従う。", "Language of the output; else the language of the environment."),
    metavar="ja|en",
    word_list="languages",
    restricted=True,
)
EDITION = Parameter(
    "edition",
    "--edition",
    ("ルールの版。指定しなければ第六版。", "Edition of the rules; else edition 6."),
    metavar="6|9",
    word_list="editions",
    restricted=True,
)
VERBOSE = Parameter(
    "verbose",
    "--verbose",
    ("ボットが標準エラー出力に書いたものを表示する。", "Show what bots write to standard error."),
    "flag",
    False,
)
JSON = Parameter("json", "--json", ("結果をJSONで出力する。", "Print the result as JSON."), "flag", False)
SEED = Parameter(
    "seed",
    "--seed -s",
    ("最初のシード。ゲーム i のシードは S + i。", "First seed; game i is dealt with seed S + i."),
    "number",
    0,
    metavar="S",
)
JOBS = Parameter(
    "jobs",
    "--jobs -j",
    ("プロセスの数。0 ならコアごとに1つ。", "Number of processes; 0 starts one per core."),
    "number",
    1,
    maximum=256,
    metavar="N",
)
FORGIVE = Parameter(
    "forgive",
    "--forgive",
    (
        "ボットの異常をゲームごとにN回まで許す（既定では1回で負け）。",
        "Faults that a bot may commit per game before it loses.",
    ),
    "number",
    0,
    maximum=1_000_000,
    metavar="N",
)

PACKAGES = Parameter(
    "packages",
    "--rules",
    (
        "ローカルルールのフォルダー。複数指定できる。",
        "Folder of local rules; may be repeated, later ones change earlier ones.",
    ),
    "file",
    repeatable=True,
    metavar="PACKAGE",
)

KEEP = (
    Parameter(
        "keep_waiting",
        "--keep-waiting",
        (
            "始まらない部屋を削除するまでの日数。0：削除しない。",
            "Days after which a room without a game is deleted; 0 keeps it.",
        ),
        "number",
        1,
        maximum=36_500,
        metavar="DAYS",
    ),
    Parameter(
        "keep_unfinished",
        "--keep-unfinished",
        ("終わらないゲームを削除するまでの日数。", "Days after its last move until an unfinished game is deleted."),
        "number",
        30,
        maximum=36_500,
        metavar="DAYS",
    ),
    Parameter(
        "keep_rooms",
        "--keep-rooms",
        (
            "終わった部屋を削除するまでの日数。棋譜は残る。",
            "Days after its match until a room is deleted; its records stay.",
        ),
        "number",
        7,
        maximum=36_500,
        metavar="DAYS",
    ),
)

PORT = Parameter(
    "port",
    "--port -p",
    ("待ち受けるポート。使用中なら次の空きポート。", "Port to listen on; the next free one if it is busy."),
    "number",
    8080,
    0,
    65535,
    metavar="N",
)

START = Command(
    "",
    "blackpoker.cli.serve",
    "start",
    (
        "サーバーを起動してページを開く。同じネットワークの機器からも遊べる。",
        "Serve the page and open it, for this machine and those on its network.",
    ),
    (
        Parameter("local", "--local", ("この機器だけで遊ぶ。", "Keep it to this machine."), "flag", False),
        PORT,
        PACKAGES,
        LANG,
    ),
    "server",
)

PLAY = Command(
    "play",
    "blackpoker.cli.play",
    "play",
    ("端末で遊ぶ：コンピューターと、または2人で。", "Play in the terminal: against a computer player, or hot-seat."),
    (
        Parameter(
            "regulation",
            "--regulation -r",
            ("遊ぶレギュレーション。ライト+エントリー、lite+entry など。", "Regulation to play, such as lite+entry."),
            default="lite+entry",
            metavar="REGULATION",
            word_list="regulations",
        ),
        Parameter(
            "seed",
            "--seed -s",
            (
                "シャッフルのシード。同じシードなら同じ配りになる。",
                "Seed of the shuffles; the same seed gives the same deal.",
            ),
            "number",
            metavar="S",
        ),
        Parameter(
            "opponent",
            "--opponent -o",
            (
                "P2に座る相手：レベル、hotseat、ボット（mybot.py:Bot）。",
                "Opponent at seat P2: a level, hotseat, or a bot such as mybot.py:Bot.",
            ),
            default="easy",
            metavar="LEVEL",
            word_list="opponents",
        ),
        Parameter(
            "deck",
            "--deck",
            ("P1のデッキファイル（構築のフレームで使う）。", "Deck file of P1, for constructed frames."),
            "file",
            metavar="FILE",
        ),
        Parameter(
            "deck2",
            "--deck2",
            ("P2のデッキファイル（構築のフレームで使う）。", "Deck file of P2, for constructed frames."),
            "file",
            metavar="FILE",
        ),
        Parameter(
            "resume",
            "--resume",
            ("続きから遊ぶ、保存したゲームやマッチ。", "Saved game or match to continue."),
            "file",
            metavar="FILE",
        ),
        PACKAGES,
        LANG,
    ),
    "cli",
)

SCENARIO = Command(
    "scenario",
    "blackpoker.cli.scenario",
    "scenario",
    ("シナリオ（局面・手・期待）を実行する。", "Run scenario files: a position, moves, expectations."),
    (
        Parameter(
            "files",
            "",
            ("シナリオファイル、またはそのフォルダー。", "Scenario files or folders."),
            "file",
            repeatable=True,
            required=True,
            metavar="FILE",
        ),
        PACKAGES,
        LANG,
    ),
)

RULES = Command(
    "rules",
    "blackpoker.cli.rules",
    "rules",
    ("ルールを名前・番号・カード・言葉で引く。", "Look up a rule by name, number, card or everyday question."),
    (
        Parameter(
            "words",
            "",
            (
                "名前（ブロック）、番号（R-154）、カード（♢5）、言葉（負け）。",
                "Name (block), number (R-154), card (♢5) or question (how do I lose?).",
            ),
            repeatable=True,
            required=True,
            metavar="WORD",
            word_list="rules",
        ),
        PACKAGES,
        EDITION,
        LANG,
    ),
    "cli",
)

RULES_INDEX = Command(
    "rules index",
    "blackpoker.cli.rules",
    "index",
    ("ルールの目次。", "List everything in the rulebook by name."),
    (PACKAGES, EDITION, LANG),
    "cli",
)

PACKAGE = Parameter(
    "package",
    "",
    ("ローカルルールのフォルダー。", "Folder of the local rules."),
    "file",
    required=True,
    metavar="PACKAGE",
)

RULES_NEW = Command(
    "rules new",
    "blackpoker.cli.rule_packages",
    "new",
    (
        "ローカルルールのフォルダーを作る。すぐに遊べて、書き換えられる。",
        "Make a folder of local rules that can be played at once and changed.",
    ),
    (PACKAGE, LANG),
)

RULES_CHECK = Command(
    "rules check",
    "blackpoker.cli.rule_packages",
    "check",
    (
        "ローカルルールを調べる：文章、定義、2,000ゲームの試し遊び、シナリオ。",
        "Check local rules: texts, definitions, 2,000 smoke games, their scenarios.",
    ),
    (
        PACKAGE,
        Parameter(
            "games",
            "--games -n",
            ("試し遊びの数。", "Number of smoke games."),
            "number",
            2000,
            1,
            1_000_000,
            metavar="N",
        ),
        SEED,
        Parameter(
            "jobs",
            "--jobs -j",
            ("プロセスの数。0 ならコアごとに1つ。", "Number of processes; 0 starts one per core."),
            "number",
            0,
            maximum=256,
            metavar="N",
        ),
        Parameter(
            "to",
            "--to",
            (
                "見つかったものの棋譜を置くフォルダー。なければ PACKAGE/check。",
                "Folder for the records of the faults found; else PACKAGE/check.",
            ),
            "file",
            metavar="FOLDER",
        ),
        PACKAGES,
        LANG,
    ),
    "cli",
)

RULES_DIFF = Command(
    "rules diff",
    "blackpoker.cli.rule_packages",
    "diff",
    (
        "2つのルールの違いを遊ぶ人の言葉で。1つなら標準との違い。",
        "Describe the differences between two sets of rules, or between one and the standard rules.",
    ),
    (
        PACKAGE,
        Parameter(
            "other",
            "",
            (
                "比べる相手のフォルダー。指定しなければ標準のルール。",
                "Second folder of local rules; else the standard rules.",
            ),
            "file",
            metavar="PACKAGE",
        ),
        Parameter(
            "lang",
            "--lang",
            ("表示の言語。指定しなければ両方。", "Language of the output; else both."),
            metavar="ja|en",
            word_list="languages",
            restricted=True,
        ),
    ),
)

RULES_PRINT = Command(
    "rules print",
    "blackpoker.cli.printing",
    "print_paper",
    (
        "紙に刷る：早見表（A4・2ページ）、切札のカード（63 × 88 mm）、デッキの一覧。",
        "Print on paper: the quick reference (A4, two pages), the trumps as cards (63 × 88 mm), a deck list.",
    ),
    (
        Parameter(
            "what",
            "",
            (
                "印刷するもの：quick、trumps、またはデッキのファイル。",
                "Document to print: quick, trumps, or a deck file.",
            ),
            default="quick",
            metavar="WHAT",
        ),
        Parameter(
            "format",
            "--format -f",
            ("早見表のフォーマット。", "Format that the quick reference describes."),
            default="lite",
            word_list="formats",
            restricted=True,
            metavar="FORMAT",
        ),
        Parameter(
            "to",
            "--to -o",
            (
                "書き出すファイル。.pdf なら Chromium で PDF にする。なければ標準出力に HTML。",
                "File to write, .html or .pdf (needs Chromium); else HTML on the standard output.",
            ),
            "file",
            metavar="FILE",
        ),
        Parameter(
            "both", "--both", ("切札を日本語と英語の両方で。", "Print the trumps in both languages."), "flag", False
        ),
        PACKAGES,
        LANG,
    ),
)
RULES_DOCS = Command(
    "rules docs",
    "blackpoker.cli.rule_packages",
    "docs",
    ("ローカルルールのページを両方の言語で書き出す。", "Write the rule pages of local rules in both languages."),
    (
        PACKAGE,
        Parameter(
            "to",
            "--to",
            ("書き出すフォルダー。なければ PACKAGE/docs。", "Folder to write to; else PACKAGE/docs."),
            "file",
            metavar="FOLDER",
        ),
        PACKAGES,
        LANG,
    ),
)

REGULATIONS = Command(
    "regulations",
    "blackpoker.cli.regulations",
    "regulations",
    ("使えるレギュレーションの一覧、または1つの説明。", "List every legal regulation, or explain one."),
    (
        Parameter(
            "text",
            "",
            ("説明するレギュレーション：マスター+フル など。", "Regulation to explain, such as master+full."),
            metavar="REGULATION",
            word_list="regulations",
        ),
        PACKAGES,
        LANG,
    ),
    "cli",
)

SIMULATE = Command(
    "simulate",
    "blackpoker.cli.simulate",
    "simulate",
    (
        "ランダムなプレイヤーどうしのゲームを繰り返し、数値を出す。Ctrl-C で途中までの結果。",
        "Play games between random players and print statistics. Ctrl-C stops early and prints the games so far.",
    ),
    (
        Parameter(
            "regulation",
            "",
            ("遊ぶレギュレーション。ライト+エントリー、master+full など。", "Regulation to play, such as lite+entry."),
            required=True,
            metavar="REGULATION",
            word_list="regulations",
        ),
        Parameter(
            "games", "--games -n", ("ゲームの数。", "Number of games."), "number", 1000, 1, 100_000_000, metavar="N"
        ),
        SEED,
        JOBS,
        PACKAGES,
        JSON,
        LANG,
    ),
    "cli",
)

ARENA = Command(
    "arena",
    "blackpoker.cli.arena",
    "arena",
    (
        "プレイヤーどうしを対戦させる。同じ配りを席を替えて2回。Ctrl-C で途中までの結果。",
        "Let players play each other, every deal twice with the seats exchanged. Ctrl-C stops early and prints the games so far.",
    ),
    (
        Parameter(
            "players",
            "--players -p",
            ("2人以上：master,strong,mybot.py:Bot など。", "Two or more players, such as master,strong,mybot.py:Bot."),
            required=True,
            metavar="NAMES",
            word_list="players",
        ),
        Parameter(
            "regulation",
            "--regulation -r",
            ("遊ぶレギュレーション。lite+entry など。", "Regulation to play, such as lite+entry."),
            default="lite+entry",
            metavar="REGULATION",
            word_list="regulations",
        ),
        Parameter(
            "games",
            "--games -n",
            ("組ごとのゲームの数。", "Number of games of each pair."),
            "number",
            100,
            1,
            10_000_000,
            metavar="N",
        ),
        SEED,
        JOBS,
        Parameter(
            "results",
            "--results -o",
            (
                "終わったゲームをここに残し、続きから進む。",
                "File that keeps finished games; a later run continues from it.",
            ),
            "file",
            metavar="FILE",
        ),
        FORGIVE,
        VERBOSE,
        PACKAGES,
        JSON,
        LANG,
    ),
    "cli",
)

ANALYSE = Command(
    "analyse",
    "blackpoker.cli.analyse",
    "analyse",
    (
        "局面の勝つ見込みと最善の続き、ゲームの分かれ目。",
        "Show the win chance and the best lines of a position, or the turning points of a game.",
    ),
    (
        Parameter(
            "file",
            "",
            ("棋譜・保存したゲーム・局面。", "Record, saved game or position."),
            "file",
            required=True,
            metavar="FILE",
        ),
        Parameter(
            "playouts",
            "--playouts -n",
            ("読みの回数。多いほど正確で遅い。", "Number of play-outs; more is slower and more exact."),
            "number",
            2000,
            10,
            1_000_000,
            metavar="N",
        ),
        Parameter(
            "lines", "--lines", ("表示する手の数。", "Number of moves to show."), "number", 3, 1, 20, metavar="N"
        ),
        Parameter(
            "points",
            "--points",
            ("表示する分かれ目の数。", "Number of turning points to show."),
            "number",
            3,
            0,
            50,
            metavar="N",
        ),
        Parameter(
            "seat",
            "--seat",
            ("選ぶ側が知っていることだけで読む。", "Use only what the player to decide knows."),
            "flag",
            False,
        ),
        Parameter("seed", "--seed -s", ("読みのシード。", "Seed of the play-outs."), "number", 1, metavar="S"),
        Parameter(
            "player",
            "--player -p",
            ("選択を併せて示すレベルまたはボット。", "Level or bot whose choice is shown as well."),
            metavar="LEVEL",
            word_list="players",
        ),
        PACKAGES,
        JSON,
        LANG,
    ),
    "cli",
)

SERVE = Command(
    "serve",
    "blackpoker.cli.serve",
    "serve",
    (
        "ブラウザーやボットのためのサーバー。Ctrl-C か SIGTERM で終わる。",
        "Serve games to browsers and bots; stop with Ctrl-C or SIGTERM.",
    ),
    (
        PORT,
        Parameter(
            "host",
            "--host",
            (
                "待ち受けるアドレス。0.0.0.0 ならネットワーク全体から受け付ける。",
                "Address to listen on; 0.0.0.0 accepts the whole network.",
            ),
            default="127.0.0.1",
            metavar="ADDRESS",
        ),
        Parameter(
            "database",
            "--database -d",
            (
                "データベース。SQLiteのファイルか postgresql://…。指定しなければデータフォルダーのファイル。",
                "Database: an SQLite file or postgresql://…; else a file in your data folder.",
            ),
            default="",
            metavar="FILE|URL",
        ),
        Parameter(
            "redis",
            "--redis",
            ("Redis のアドレス。2つ以上のプロセスで必要。", "Address of Redis; needed for more than one process."),
            default="",
            metavar="URL",
        ),
        Parameter(
            "processes", "--processes", ("プロセスの数。", "Number of processes."), "number", 1, 1, 64, metavar="N"
        ),
        Parameter(
            "exact", "--exact-port", ("ポートが使われていれば止める。", "Fail if the port is busy."), "flag", False
        ),
        Parameter(
            "origin",
            "--origin",
            ("接続を許す他のサイト。", "Address of another site whose pages may connect."),
            repeatable=True,
            metavar="URL",
        ),
        Parameter(
            "allow_host",
            "--allow-host",
            (
                "受け付けるホスト名（プロキシの後ろなど）。* ならすべて。",
                "Host name that the server accepts, as behind a proxy; * accepts any.",
            ),
            repeatable=True,
            metavar="NAME",
        ),
        Parameter(
            "open_metrics",
            "--open-metrics",
            ("/metrics の数値を他の機器にも知らせる。", "Serve /metrics to other machines too."),
            "flag",
            False,
        ),
        Parameter(
            "metrics_token",
            "--metrics-token-file",
            (
                "このファイルの言葉を知っている機器にも /metrics を見せる（Bearer）。",
                "Serve /metrics also to those that send the token in this file (Bearer).",
            ),
            "file",
            metavar="FILE",
        ),
        Parameter(
            "root_path",
            "--root-path",
            (
                "プロキシがこのサーバーに割り当てるフォルダー（/bp など）。",
                "Path under which a proxy serves the page, such as /bp.",
            ),
            default="",
            metavar="PATH",
        ),
        Parameter(
            "no_limits",
            "--no-limits",
            ("回数の制限をなくす。信頼できるネットワーク用。", "Turn off rate limits; for trusted networks."),
            "flag",
            False,
        ),
        Parameter(
            "qr",
            "--no-qr",
            ("スマートフォン用のQRコードを出さない。", "Do not show a QR code for phones."),
            "flag",
            True,
        ),
        Parameter(
            "log_level",
            "--log-level",
            ("ログの詳しさ。", "Least level of the messages that are logged."),
            default="info",
            metavar="LEVEL",
            word_list="log_levels",
            restricted=True,
        ),
        Parameter(
            "open_page",
            "--open",
            ("この機器のブラウザーでページを開く。", "Open the page in the browser of this machine."),
            "flag",
            False,
        ),
        *KEEP,
        PACKAGES,
        LANG,
    ),
    "server",
)

ADMIN = Command(
    "admin",
    "blackpoker.cli.admin",
    "admin",
    (
        "サーバーのデータベース：数える、期限切れのデータを削除する、棋譜を書き出す、アカウントとレーティングを管理する。",
        "Manage a server's database: count, delete expired data, export records, moderate accounts, maintain ratings.",
    ),
    (
        Parameter(
            "what",
            "",
            (
                "処理：stats、purge、export、rename、mute、ban、lift、ratings、season、void、reports、records、tournaments、close。",
                "Task: stats, purge, export, rename, mute, ban, lift, ratings, season, void, reports, records, tournaments or close.",
            ),
            required=True,
            metavar="WHAT",
            word_list="admin_tasks",
            restricted=True,
        ),
        Parameter(
            "database",
            "--database -d",
            ("データベース。serve と同じ。", "Database, as for serve."),
            default="",
            metavar="FILE|URL",
        ),
        *KEEP,
        Parameter(
            "yes",
            "--yes",
            (
                "purge：本当に削除する。reports：処理済みにする。records・tournaments：削除する。",
                "purge: delete without a question. reports: mark as handled. records, tournaments: delete.",
            ),
            "flag",
            False,
        ),
        Parameter(
            "to", "--to", ("export：書き出すフォルダー。", "export: folder to write to."), "file", metavar="FOLDER"
        ),
        Parameter(
            "who",
            "--who",
            ("rename・mute・ban・lift：アカウントの名前。", "rename, mute, ban, lift: name of the account."),
            default="",
            metavar="NAME",
        ),
        Parameter(
            "name",
            "--name",
            (
                "rename：新しい名前。前の名前はだれも使えなくなる。season：次のシーズンの名前。いま始まる。tournaments：大会の新しい名前。",
                "rename: new name; former names stay reserved. season: name of the season that begins now. tournaments: new name.",
            ),
            default="",
            metavar="NAME",
        ),
        Parameter(
            "name_en",
            "--name-en",
            ("season：英語の名前。", "season: English name of the season."),
            default="",
            metavar="NAME",
        ),
        Parameter(
            "days",
            "--days",
            (
                "mute・ban・season：日数。0なら決めるまで。",
                "mute, ban, season: number of days; 0 sets no end.",
            ),
            "number",
            0,
            metavar="N",
        ),
        Parameter(
            "id",
            "--id",
            (
                "reports：1件をすべて見る。records・void：棋譜のID。tournaments・close：大会のID。",
                "reports: number of the report to show in full. records, void: id of the record. tournaments, close: id.",
            ),
            default="",
            metavar="ID",
        ),
        Parameter(
            "again",
            "--again",
            (
                "ratings：保存されたゲームからすべて計算し直す。",
                "ratings: compute all ratings again from the stored games.",
            ),
            "flag",
            False,
        ),
        JSON,
        LANG,
    ),
    "server",
)

BOT = Command(
    "bot",
    "blackpoker.cli.bot",
    "bot",
    (
        "ボットをサーバーの席に着かせる。接続が切れても戻り、止めるまで遊ぶ。",
        "Let a bot play on a server until stopped; it reconnects after a lost connection.",
    ),
    (
        Parameter(
            "what",
            "",
            ("処理：join。", "Task: join."),
            required=True,
            metavar="join",
            word_list="bot_verbs",
            restricted=True,
        ),
        Parameter(
            "url",
            "",
            (
                "サーバー（ほかのボットと対戦）か、部屋のアドレス。",
                "Address of a server, to play other bots, or of a room.",
            ),
            required=True,
            metavar="URL",
        ),
        Parameter(
            "bot",
            "--bot -b",
            ('動かすボット：mybot.py:Bot か exec:"node bot.js"。', 'Bot to run: mybot.py:Bot or exec:"node bot.js".'),
            required=True,
            metavar="BOT",
        ),
        Parameter(
            "name",
            "--name",
            ("サーバーでの名前。なければボットの名前。", "Name on the server; else the bot's own name."),
            default="",
            metavar="NAME",
        ),
        Parameter(
            "regulation",
            "--regulation -r",
            ("ほかのボットと遊ぶレギュレーション。", "Regulation to play with other bots."),
            default="lite+entry",
            metavar="REGULATION",
            word_list="regulations",
        ),
        Parameter(
            "matches",
            "--matches -n",
            ("マッチの数。0なら止めるまで続ける。", "Number of matches; 0 plays until stopped."),
            "number",
            0,
            metavar="N",
        ),
        FORGIVE,
        VERBOSE,
        LANG,
    ),
    "server",
)

VERIFY = Command(
    "verify",
    "blackpoker.cli.verify",
    "verify",
    (
        "棋譜を再生し、すべてのシャッフルが約束された秘密から出ているか確かめる。",
        "Replay a record and check that every shuffle comes from the secret that was promised before the game.",
    ),
    (
        Parameter(
            "record",
            "",
            ("サーバーで遊んだゲームの記録。", "Record of a game played on a server."),
            "file",
            required=True,
            metavar="FILE",
        ),
        Parameter(
            "receipt",
            "--receipt",
            (
                "手元の控え（画面の「控えを保存」）。なければ証明にはならない。",
                "Your receipt, as the page saves it; without it the check proves nothing.",
            ),
            "file",
            metavar="FILE",
        ),
        PACKAGES,
        LANG,
    ),
    "server",
)

BENCH = Command(
    "bench",
    "blackpoker.cli.bench",
    "bench",
    ("選択・ゲーム・コピー・ビューの速さを測る。", "Measure decisions and games per second, copies and views."),
    (PACKAGES, JSON, LANG),
    "cli",
)

COMPLETION = Command(
    "completion",
    "blackpoker.cli.completion",
    "completion",
    (
        'シェルの補完を出力する：eval "$(blackpoker completion bash)"',
        'Print the shell\'s completion: eval "$(blackpoker completion bash)"',
    ),
    (
        Parameter(
            "shell",
            "",
            ("シェル：bash、zsh、fish。", "Shell: bash, zsh or fish."),
            required=True,
            metavar="SHELL",
            word_list="shells",
            restricted=True,
        ),
        LANG,
    ),
)

PUZZLES = Command(
    "puzzles",
    "blackpoker.cli.puzzles",
    "puzzles",
    (
        "問題：一覧、1問（ヒントと解答）、探索で作る、すべて証明し直す。",
        "Puzzles: list them, show one with hints and solution, make more by search, prove them all again.",
    ),
    (
        Parameter(
            "what",
            "",
            ("処理：list、show、make、check。", "Task: list, show, make or check."),
            default="list",
            metavar="WHAT",
            word_list="puzzle_verbs",
            restricted=True,
        ),
        Parameter("id", "", ("showする問題のID。", "Puzzle to show."), metavar="ID", word_list="puzzles"),
        Parameter(
            "games",
            "--games -n",
            ("make：自己対戦の数。", "make: number of self-played games."),
            "number",
            20,
            1,
            1_000_000,
            metavar="N",
        ),
        Parameter("seed", "--seed -s", ("make：最初のシード。", "make: first seed."), "number", 1, metavar="S"),
        Parameter(
            "output",
            "--output -o",
            ("make：書き足すファイル（JSON Lines）。", "make: file to add to (JSON lines)."),
            "file",
            metavar="FILE",
        ),
        Parameter(
            "jobs",
            "--jobs -j",
            (
                "make、check：プロセスの数。0 ならコアごとに1つ。",
                "make, check: number of processes; 0 starts one per core.",
            ),
            "number",
            0,
            maximum=256,
            metavar="N",
        ),
        LANG,
    ),
    "cli",
)

LAB_RUN = Command(
    "lab run",
    "blackpoker.cli.lab",
    "run",
    (
        "実験：同じ配りをいくつもの条件で遊ばせる。Ctrl-C で止めても、同じ命令で続きから。",
        "Run an experiment: several arms play the same deals. Ctrl-C stops; the same command continues.",
    ),
    (
        Parameter(
            "file",
            "",
            (
                "実験のTOML。なければ下のオプションから。",
                "TOML file of the experiment; else the options below define the arms.",
            ),
            "file",
            metavar="FILE",
        ),
        Parameter(
            "regulation",
            "--regulation -r",
            (
                "条件のレギュレーション（いくつでも）。all ならすべて。",
                "Regulation to play; may be repeated; all plays every one.",
            ),
            repeatable=True,
            metavar="REGULATION",
            word_list="regulations",
        ),
        Parameter(
            "players",
            "--players -p",
            (
                "XとY（heuristic,random など、いくつでも）。なければ heuristic どうし。",
                "Players X,Y such as heuristic,random; may be repeated; else heuristic.",
            ),
            repeatable=True,
            metavar="NAMES",
            word_list="players",
        ),
        Parameter(
            "packages",
            "--rules",
            (
                "ローカルルールのフォルダー。なしの条件と比べる。a,b は重ねる。",
                "Folder of local rules to compare with the standard rules; a,b combines two.",
            ),
            repeatable=True,
            metavar="PACKAGE",
        ),
        Parameter(
            "deck",
            "--deck",
            ("デッキファイル。XとYが違えば a,b。", "Deck file; a,b if X and Y have different decks."),
            repeatable=True,
            metavar="FILE",
        ),
        Parameter(
            "deals",
            "--deals -n",
            ("配りの数（1000）。後で増やせる。", "Number of deals (default 1000); a later run can add more."),
            "number",
            None,
            1,
            50_000_000,
            metavar="N",
        ),
        Parameter(
            "seed",
            "--seed -s",
            ("配り i のシードは S + i。", "First seed; deal i has seed S + i."),
            "number",
            None,
            metavar="S",
        ),
        Parameter(
            "seats",
            "--seats",
            (
                "2：席を替えてもう1回。1：替えない。なければ、XとYが同じなら1、違えば2。",
                "Games per deal: 2 exchanges the seats, 1 does not. Without it: 1 if X and Y are the same, else 2.",
            ),
            "number",
            None,
            1,
            2,
            metavar="N",
        ),
        JOBS._replace(default=0),
        Parameter(
            "dask",
            "--dask",
            ("Daskスケジューラーのアドレス。", "Address of a Dask scheduler whose workers play."),
            default="",
            metavar="ADDRESS",
        ),
        Parameter(
            "output",
            "--output -o",
            ("ゲームを残すファイル（.lab）。", "File that keeps the games (.lab)."),
            "file",
            metavar="FILE",
        ),
        LANG,
    ),
    "lab",
)

LAB_REPORT = Command(
    "lab report",
    "blackpoker.cli.lab",
    "report",
    (
        "実験の報告書を書く：1つのHTML、両方の言語。",
        "Write the report of an experiment: one HTML file in both languages.",
    ),
    (
        Parameter(
            "file",
            "",
            ("lab run が書いたファイル。", "File that lab run wrote."),
            "file",
            required=True,
            metavar="FILE",
        ),
        Parameter("output", "--output -o", ("報告書（.html）。", "Report to write (.html)."), "file", metavar="FILE"),
        Parameter(
            "csv",
            "--csv",
            ("表を CSV で書き出すフォルダー。", "Folder for the tables as CSV."),
            "file",
            metavar="FOLDER",
        ),
        Parameter(
            "png",
            "--png",
            ("図を PNG で書き出すフォルダー。", "Folder for the pictures as PNG."),
            "file",
            metavar="FOLDER",
        ),
        LANG,
    ),
    "lab",
)

COMMANDS: Final = {
    command.name: command
    for command in (
        PLAY,
        SCENARIO,
        RULES,
        RULES_INDEX,
        RULES_NEW,
        RULES_CHECK,
        RULES_DIFF,
        RULES_DOCS,
        RULES_PRINT,
        REGULATIONS,
        SIMULATE,
        ARENA,
        ANALYSE,
        SERVE,
        ADMIN,
        BOT,
        VERIFY,
        BENCH,
        PUZZLES,
        COMPLETION,
        LAB_RUN,
        LAB_REPORT,
    )
}

#: the modules of each optional dependency group; a test compares them with pyproject.toml
EXTRAS: Final[dict[str, tuple[str, ...]]] = {
    "cli": ("msgspec", "openskill", "rich"),
    "lab": ("matplotlib", "numpy", "rich", "scipy"),
    "server": (
        "PIL",
        "alembic",
        "confusable_homoglyphs",
        "itsdangerous",
        "msgspec",
        "openskill",
        "prometheus_client",
        "rustworkx",
        "segno",
        "sqlalchemy",
        "starlette",
        "uvicorn",
        "webauthn",
        "websockets",
    ),
}
