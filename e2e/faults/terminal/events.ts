import type { HubMessageOf } from "@comanda/protocol";
import type { MutationMessage } from "@comanda/terminal";

/** What a terminal's program is to do; its one argument, as JSON. */
export interface TerminalWork {
  url: string;
  deviceId: string;
  token: string;
  /** The file of its outbox. */
  outbox: string;
  /** Begins the references of its checks. */
  name: string;
  seed: string;
  /** 0 only sends what is in the outbox. */
  steps: number;
}

/** A line of its output. */
export type TerminalEvent =
  | { kind: "requested"; type: string; posReference: string; lineId: string | null }
  | { kind: "stored"; type: string; posReference: string; lineId: string | null }
  | { kind: "acknowledged"; message: MutationMessage; answer: HubMessageOf<"ORDER_ACK"> }
  | { kind: "refused"; what: string }
  | { kind: "done" };
