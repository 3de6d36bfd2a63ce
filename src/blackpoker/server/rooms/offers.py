"""Offers: a draw, a rewind, a rematch. The computer accepts a rewind and a rematch at once and never a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from blackpoker.protocol import messages as p
from blackpoker.server.rooms.seats import SEAT_NAMES, MessageRefused, RoomClient

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: rewinds per game; each adds entries, and a room must not grow without bound
MAX_REWINDS: Final = 300


class RoomOffers:
    def __init__(self, room: Room) -> None:
        self.room = room
        # kind: the seat that made it, and for a rewind the number to go back to
        self.open_offers: dict[str, tuple[int, int]] = {}

    def clear(self) -> None:
        self.open_offers = {}

    def propose(self, client: RoomClient, seat: int, message: p.MakeOffer) -> None:
        room = self.room
        other = room.seats[1 - seat]
        seq = self.check_offer(seat, message)
        if message.kind == "draw" and other.kind == "ai":
            raise MessageRefused("ai", "a computer player accepts no draw", "コンピューターは引き分けを受けません")
        if other.kind != "ai":
            room.check_rate(client)
        room.broadcast.send(client, p.Ack(message.id, room.room_game.seq))
        if other.kind == "ai":
            self.accept(message.kind, seat, seq)
            return
        open_offer = self.open_offers.get(message.kind)
        if open_offer is not None and open_offer[0] != seat and message.kind != "rewind":
            self.accept(message.kind, *open_offer)  # both seats offered it
            return
        self.open_offers[message.kind] = (seat, seq)
        self.notify(message.kind, seat, "open", seq)

    def check_offer(self, seat: int, message: p.MakeOffer) -> int:
        """Check that the offer is possible now. Return the move number a rewind goes back to, else 0; raise
        `MessageRefused`."""
        room = self.room
        if room.reserved is not None:
            room.reserved.check_offer(message.kind)
        if message.kind == "rematch":
            if room.phase != "over":
                raise MessageRefused("phase", "the match is not over", "マッチはまだ終わっていません")
            return 0
        room.check_playing()
        if room.room_game.game is None:
            raise MessageRefused("no_game", "no game is being played", "ゲーム中ではありません")
        if message.kind == "draw":
            return 0
        if room.room_game.rewinds >= MAX_REWINDS:
            raise MessageRefused(
                "rewind", f"a game is taken back {MAX_REWINDS} times at most", f"巻き戻しは{MAX_REWINDS}回までです"
            )
        seq = room.room_game.rewind_target(seat, message.seq)
        if seq is None:
            raise MessageRefused("rewind", "there is nothing to take back", "巻き戻せる手がありません")
        return seq

    def reply(self, client: RoomClient, seat: int, message: p.AnswerOffer) -> None:
        room = self.room
        offer = self.open_offers.get(message.kind)
        if offer is None or offer[0] == seat:
            raise MessageRefused("no_offer", "there is no such offer", "その申し出はありません")
        room.broadcast.send(client, p.Ack(message.id, room.room_game.seq))
        if message.accept:
            self.accept(message.kind, *offer)
        else:
            del self.open_offers[message.kind]
            self.notify(message.kind, offer[0], "declined", offer[1])

    def accept(self, kind: str, seat: int, seq: int) -> None:
        self.open_offers.pop(kind, None)
        self.notify(kind, seat, "accepted", seq)
        if kind == "rematch":
            self.room.prepare_rematch()
        else:
            self.room.apply_outside(kind, seat, [seq] if kind == "rewind" else [])

    def resend(self, client: RoomClient) -> None:
        """Send the open offers to a client that has come back."""
        for kind, (seat, seq) in self.open_offers.items():
            self.room.broadcast.send(client, p.Offer(kind, SEAT_NAMES[seat], "open", seq))  # type: ignore[arg-type]

    def notify(self, kind: str, seat: int, state: str, seq: int) -> None:
        self.room.broadcast.to_all(p.Offer(kind, SEAT_NAMES[seat], state, seq))  # type: ignore[arg-type]
