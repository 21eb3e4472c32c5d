import type { BootstrapAnswer } from "@comanda/protocol";
import type { Person } from "../people/person.ts";

/** The input of a practice thread. */
export interface PracticeInput {
  /** The practice hub's settings, except those that only its thread knows. */
  env: Record<string, string>;
  /** The restaurant as its back-office last described it. */
  bootstrap: BootstrapAnswer;
  /** The people who get the practice PIN. */
  people: readonly Person[];
  /** Key that signs the sessions. */
  secret: string;
  /** Sessions that were signed out before the practice began. */
  ended: readonly string[];
}

/** Events of the thread: the port its hub listens on, activity of a person, and a data file that has grown too large. */
export type PracticeEvent = { type: "ready"; port: number } | { type: "active" } | { type: "full" };

export type PracticeOrder = { type: "stop" };

/** The PIN of all people in the practice: real ones stay out of it. */
export const PRACTICE_PIN = "123456";
