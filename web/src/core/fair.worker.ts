// Worker that checks the shuffles, so that the page stays responsive.
import { check, comparisonCode, type Opened, type Receipt } from "./fair_check";

onmessage = (event: MessageEvent<{ receipt: Receipt; opened: Opened | null }>) => {
  const { receipt, opened } = event.data;
  postMessage({ lines: opened ? check(receipt, opened) : null, code: comparisonCode(receipt) });
};
