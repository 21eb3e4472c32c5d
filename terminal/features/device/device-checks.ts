import type { StorageState } from "../../lib/device/try-storage.ts";

/** Results of the device's tests so far; null if not known yet. */
export interface Findings {
  storage: StorageState | null;
  /** Round trip to the hub in ms; "away" without an answer. */
  roundTrip: number | "away" | null;
  /** How far this device's clock is ahead of the hub's, in ms; null without a hub. */
  clockAheadMs: number | null;
  /** The user's answer whether the test tone was heard. */
  sound: "heard" | "silent" | null;
  /** `byHand` if the user has set it in the device's settings. */
  awake: "kept" | "byHand" | "missing" | null;
  isSecure: boolean;
}

export type CheckName = "storage" | "path" | "clock" | "sound" | "awake" | "secure";
export interface Check {
  name: CheckName;
  tone: "good" | "warn" | "bad" | "idle";
  /** Key of the sentence for the result. */
  text: string;
}

/** Beyond this, in ms, times on the device look wrong. */
const CLOCK_OFF_MS = 2 * 60_000;
/** Beyond this, in ms, a tap feels slow. */
const SLOW_MS = 400;

/** Returns every check with its sentence, the most important first. */
export function checksOf(findings: Findings): Check[] {
  const { storage, roundTrip, clockAheadMs, sound, awake, isSecure } = findings;
  return [
    path(roundTrip),
    storageCheck(storage),
    clock(clockAheadMs),
    check("sound", sound === null ? "idle" : sound === "heard" ? "good" : "warn", sound ?? "untried"),
    check("awake", awake === null ? "idle" : awake === "missing" ? "warn" : "good", awake ?? "running"),
    check("secure", isSecure ? "good" : "idle", isSecure ? "yes" : "no"),
  ];
}

/** Returns the check to resolve next, or null if the device is ready. */
export function nextStep(checks: readonly Check[]): Check | null {
  const open = checks.filter(({ name, tone, text }) => {
    if (name === "secure" || tone === "good") return false;
    return tone !== "idle" || text === "untried";
  });
  return open.find(({ tone }) => tone === "bad") ?? open[0] ?? null;
}

function path(roundTrip: Findings["roundTrip"]): Check {
  if (roundTrip === null) return check("path", "idle", "running");
  if (roundTrip === "away") return check("path", "bad", "away");
  return roundTrip > SLOW_MS ? check("path", "warn", "slow") : check("path", "good", "quick");
}

function storageCheck(storage: StorageState | null): Check {
  if (storage === null) return check("storage", "idle", "running");
  if (storage === "refused") return check("storage", "bad", "refused");
  return check("storage", "good", storage);
}

function clock(aheadMs: number | null): Check {
  if (aheadMs === null) return check("clock", "idle", "running");
  if (Math.abs(aheadMs) < CLOCK_OFF_MS) return check("clock", "good", "right");
  return check("clock", "warn", aheadMs > 0 ? "ahead" : "behind");
}

function check(name: CheckName, tone: Check["tone"], text: string): Check {
  return { name, tone, text };
}
