import type { PosConfig, Station } from "@comanda/protocol";

/** Who acts, when, and what is known of the house at that moment. */
export interface RuleContext {
  /** The moment of the change, in ms since 1970. */
  now: number;
  /** When the terminal queued it, by the same clock; null when it did not say. */
  queuedAt: number | null;
  writer: Actor;
  /** The kitchen's stations; none means one kitchen without a name. */
  stations: readonly Station[];
  /** For names and categories; null where the menu was never read. */
  menu: Pick<PosConfig, "products"> | null;
  newId(): string;
}

/** Whoever a change is made by: a person at a terminal, an integration, or the hub itself. */
export interface Actor {
  terminalId: string;
  userName: string;
}
