// Types of a view, from the generated protocol.
export type { BulwarkView, Place, RequestView, SideView, SoldierView, TrumpView, View } from "./protocol";
