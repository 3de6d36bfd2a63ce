// Worker that checks the shuffles, so that the page stays responsive.
import { check, type Opened, type Receipt } from "./fair_check";

onmessage = (event: MessageEvent<{ receipt: Receipt; opened: Opened }>) =>
  postMessage(check(event.data.receipt, event.data.opened));
