import type { HubMessageOf } from "@comanda/protocol";
import type { MutationMessage } from "@comanda/terminal";

/** The work of a terminal program; its only argument, as JSON. */
export interface TerminalWork {
  url: string;
  deviceId: string;
  token: string;
  /** Path of its outbox. */
  outbox: string;
  /** Prefix of its checks' references. */
  name: string;
  seed: string;
  /** Number of steps; with 0 it only sends what is in the outbox. */
  steps: number;
}

/** A line of the program's output. */
export type TerminalEvent =
  | { kind: "requested"; type: string; posReference: string; lineId: string | null }
  | { kind: "stored"; type: string; posReference: string; lineId: string | null }
  | { kind: "acknowledged"; message: MutationMessage; answer: HubMessageOf<"ORDER_ACK"> }
  | { kind: "refused"; description: string }
  | { kind: "done" };
