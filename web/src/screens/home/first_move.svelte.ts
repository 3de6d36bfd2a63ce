// The move on a first visitor's home screen: the task `first_move` of the server. The attack is already declared; the
// page offers the choice of the attacker, shows the engine's forecast of it, and sends it.
import { get, post } from "../../core/http";
import type { LessonPage, PracticeAnswer, ServerMessage, Update, View } from "../../core/protocol";
import { settings } from "../../core/settings.svelte";
import { wholeView } from "../../core/view";

const PATH = "/api/school/first_move";
const DECLARED = ["attack"];

type Sent =
  | { type: "join"; room: string; seat: "p1"; lang: string }
  | { type: "preview"; seq: number; text: string }
  | { type: "move"; seq: number; text: string };

export class FirstMove {
  page = $state.raw<LessonPage | null>(null);
  view = $state.raw<View | null>(null);
  /** the attacker that wins, and the damage it does */
  attacker = $state("");
  damage = $state(0);
  state = $state<"loading" | "open" | "sent" | "done" | "failed">("loading");
  /** the server's text on success */
  text = $state("");
  private seq = 0;
  private number = 0;

  async load(): Promise<void> {
    this.state = "loading";
    try {
      const [page, joined] = await Promise.all([
        get<LessonPage>(`${PATH}?lang=${settings.lang}`),
        this.send({ type: "join", room: "practice", seat: "p1", lang: settings.lang }, -1),
      ]);
      const update = lastUpdate(joined.messages);
      this.seq = update?.seq ?? 0;
      for (const option of update?.prompt?.options ?? []) {
        const answer = await this.send({ type: "preview", seq: this.seq, text: option.token }, this.seq);
        const found = answer.messages.find((one) => one.type === "preview_result");
        if (!found?.lethal_for?.includes("p2")) continue;
        this.attacker = option.token;
        this.damage = found.damage?.p2 ?? 0;
        break;
      }
      this.page = page;
      this.view = update?.view ?? null;
      this.state = this.attacker && this.view ? "open" : "failed";
    } catch {
      this.state = "failed";
    }
  }

  /** Send the attack and return true if it has won; the view afterwards is the server's. */
  async strike(): Promise<boolean> {
    if (this.state !== "open") return false;
    this.state = "sent";
    try {
      const answer = await this.send({ type: "move", seq: this.seq, text: this.attacker }, this.seq);
      for (const one of answer.messages) if (one.type === "update") this.view = wholeView(one, this.view) ?? this.view;
      this.text = answer.text;
      this.state = answer.state === "done" ? "done" : "failed";
      return answer.state === "done";
    } catch {
      this.state = "open"; // the attack can be sent again
      return false;
    }
  }

  private async send(
    message: Sent,
    since: number,
  ): Promise<{ messages: ServerMessage[]; state: string; text: string }> {
    const body = { message: { ...message, id: ++this.number }, moves: DECLARED, since, lang: settings.lang };
    return (await post<PracticeAnswer>(`${PATH}/1`, body)) as {
      messages: ServerMessage[];
      state: string;
      text: string;
    };
  }
}

function lastUpdate(messages: ServerMessage[]): Update | undefined {
  return messages.filter((one) => one.type === "update").at(-1);
}
