// The check of the shuffles, beside the page: nothing on it waits for that.
import { check, type Opened, type Receipt } from "./fair_check";

onmessage = (event: MessageEvent<{ receipt: Receipt; opened: Opened }>) => postMessage(check(event.data.receipt, event.data.opened));
