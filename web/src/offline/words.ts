// What a static page says of its engine.
import { catalogue } from "../core/i18n.svelte";

export const say = catalogue(
  {
    loading: "対戦の準備をしています… {0}％",
    failed: "ゲームの準備ができませんでした",
    failed_text: "このページはゲームそのものをブラウザーで動かしますが、起動できませんでした。保存したゲームは残っています。",
    slow: "30秒待っても起動しませんでした。保存したゲームは残っています。",
    again: "もう一度",
    fresh: "新しいバージョンがあります",
    reload: "読み込み直す",
  },
  {
    loading: "Getting the game ready… {0}%",
    failed: "The game could not be made ready",
    failed_text: "This page runs the whole game in your browser, and it did not start. Your games are kept.",
    slow: "It did not start within 30 seconds. Your games are kept.",
    again: "Try again",
    fresh: "There is a new version",
    reload: "Reload",
  },
);
