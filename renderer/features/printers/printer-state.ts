import type { ListedPrinter } from "@comanda/protocol";
import type { Tone } from "../../components/layout/status-mark.tsx";

/** The tone of each printer state. */
export const stateTone: Readonly<Record<ListedPrinter["state"], Tone>> = {
  ready: "good",
  paper_low: "warn",
  paper_out: "bad",
  cover_open: "bad",
  unreachable: "bad",
  unknown: "idle",
};
