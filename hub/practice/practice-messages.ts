import type { BootstrapAnswer } from "@comanda/protocol";
import type { Person } from "../people/person.ts";

/** What the thread of a practice is started with. */
export interface PracticeInput {
  /** The practice hub's settings, but for those that only its thread knows. */
  env: Record<string, string>;
  /** The restaurant as its own back-office last described it. */
  bootstrap: BootstrapAnswer;
  /** Who gets the practice PIN. */
  people: readonly Person[];
  /** Signs the sessions. */
  secret: string;
  /** Sessions that were signed out before it began. */
  ended: readonly string[];
}

/** What the thread says: where its hub listens, that somebody did something, and that its file has grown too large. */
export type PracticeEvent = { type: "ready"; port: number } | { type: "active" } | { type: "full" };

export type PracticeOrder = { type: "stop" };

/** Everybody's PIN in the practice: real ones stay out of it. */
export const PRACTICE_PIN = "123456";
