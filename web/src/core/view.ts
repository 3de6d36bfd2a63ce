// Types of a view, from the generated protocol.
export type { BulwarkView, Location, RequestView, SideView, SoldierView, TrumpView, View } from "./protocol";
