// The shape of a view: the engine's own, as the generated protocol has it.
export type { BulwarkView, Place, RequestView, SideView, SoldierView, TrumpView, View } from "./protocol";
