"""Offers: a draw, a rewind, a rematch. The computer accepts a rewind and a rematch at once and never a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from blackpoker.server.rooms.seats import NAMES, MessageRefused, RoomClient
from blackpoker.wire import protocol as p

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: rewinds per game; each adds entries, and a room must not grow without bound
MOST_REWINDS: Final = 300


class RoomOffers:
    def __init__(self, room: Room) -> None:
        self.room = room
        # kind: the seat that made it, and for a rewind the number to go back to
        self.open: dict[str, tuple[int, int]] = {}

    def clear(self) -> None:
        self.open = {}

    def propose(self, client: RoomClient, place: int, said: p.Propose) -> None:
        room = self.room
        other = room.seats[1 - place]
        seq = self.check(place, said)
        if said.kind == "draw" and other.kind == "ai":
            raise MessageRefused("ai", "a computer player accepts no draw", "コンピューターは引き分けを受けません")
        if other.kind != "ai":
            room.may_talk(client)
        room.broadcast.send(client, p.Ack(said.id, room.table.seq))
        if other.kind == "ai":
            self.take(said.kind, place, seq)
            return
        waiting = self.open.get(said.kind)
        if waiting is not None and waiting[0] != place and said.kind != "rewind":
            self.take(said.kind, *waiting)  # both seats offered it
            return
        self.open[said.kind] = (place, seq)
        self.tell(said.kind, place, "open", seq)

    def check(self, place: int, said: p.Propose) -> int:
        """Check that the offer is possible now. Return the move number a rewind goes back to, else 0; raise
        `MessageRefused`."""
        room = self.room
        if room.held is not None:
            room.held.check_offer(said.kind)
        if said.kind == "rematch":
            if room.phase != "over":
                raise MessageRefused("phase", "the match is not over", "マッチはまだ終わっていません")
            return 0
        room.playing()
        if room.table.game is None:
            raise MessageRefused("no_game", "no game is being played", "ゲーム中ではありません")
        if said.kind == "draw":
            return 0
        if room.table.rewinds >= MOST_REWINDS:
            raise MessageRefused(
                "rewind", f"a game is taken back {MOST_REWINDS} times at most", f"巻き戻しは{MOST_REWINDS}回までです"
            )
        seq = room.table.rewind_to(place, said.seq)
        if seq is None:
            raise MessageRefused("rewind", "there is nothing to take back", "巻き戻せる手がありません")
        return seq

    def reply(self, client: RoomClient, place: int, said: p.Reply) -> None:
        room = self.room
        offer = self.open.get(said.kind)
        if offer is None or offer[0] == place:
            raise MessageRefused("no_offer", "there is no such offer", "その申し出はありません")
        room.broadcast.send(client, p.Ack(said.id, room.table.seq))
        if said.accept:
            self.take(said.kind, *offer)
        else:
            del self.open[said.kind]
            self.tell(said.kind, offer[0], "declined", offer[1])

    def take(self, kind: str, by: int, seq: int) -> None:
        self.open.pop(kind, None)
        self.tell(kind, by, "taken", seq)
        if kind == "rematch":
            self.room.wait_again()
        else:
            self.room.conclude(kind, by, [seq] if kind == "rewind" else [])

    def tell_again(self, client: RoomClient) -> None:
        """Send the open offers to a client that has come back."""
        for kind, (by, seq) in self.open.items():
            self.room.broadcast.send(client, p.Offer(kind, NAMES[by], "open", seq))  # type: ignore[arg-type]

    def tell(self, kind: str, by: int, state: str, seq: int) -> None:
        self.room.broadcast.to_all(p.Offer(kind, NAMES[by], state, seq))  # type: ignore[arg-type]
