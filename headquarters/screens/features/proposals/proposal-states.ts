import type { HqProposalRow, HqProposalState } from "@comanda/protocol/headquarters.ts";

/** The tone of each state. States that need attention come first. */
export const toneOf = {
  refused: "bad",
  conflict: "warn",
  unreachable: "warn",
  waiting: "accent",
  sent: "accent",
  declined: "idle",
  expired: "idle",
  applied: "good",
  withdrawn: "idle",
} as const satisfies Record<HqProposalState, string>;

/** All states; those that need attention come first. */
export const statesByTrouble = Object.keys(toneOf);

/** Returns the word for a state. A waiting proposal that needs no consent only waits for its time: `ahead`. */
export function wordOf(state: HqProposalState, { policy }: HqProposalRow["terms"]): HqProposalState | "ahead" {
  return state === "waiting" && policy === "apply" ? "ahead" : state;
}

/** Returns how many restaurants are in one of the wanted states. */
export function countOf(states: HqProposalRow["states"], ...counted: HqProposalState[]): number {
  return states.reduce((sum, { state, restaurants }) => sum + (counted.includes(state) ? restaurants : 0), 0);
}

/** Returns whether a proposal takes dishes off, sells them again, does both, or changes a setting. */
export function kindOf({ kind, items }: HqProposalRow["terms"]): "out" | "resume" | "mixed" | "setting" {
  if (kind === "settings") return "setting";
  const states = new Set(items.map(({ want }) => want.state));
  if (states.size > 1 || states.has("limited")) return "mixed";
  return states.has("out") ? "out" : "resume";
}
