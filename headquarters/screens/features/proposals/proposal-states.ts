import type { HqProposalRow, HqProposalState } from "@comanda/protocol/headquarters.ts";

/** In the order in which somebody has to see to them. */
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

/** What somebody may have to see to, first. */
export const statesByTrouble = Object.keys(toneOf);

/** How a state is said: what a restaurant does without asking waits for its time alone. */
export function wordOf(state: HqProposalState, { policy }: HqProposalRow["terms"]): HqProposalState | "ahead" {
  return state === "waiting" && policy === "apply" ? "ahead" : state;
}

/** How many restaurants are so far. */
export function countOf(states: HqProposalRow["states"], ...wanted: HqProposalState[]): number {
  return states.reduce((sum, { state, restaurants }) => sum + (wanted.includes(state) ? restaurants : 0), 0);
}

/** Whether restaurants are asked to take dishes off, to sell them again, for both, or for a setting. */
export function kindOf({ kind, items }: HqProposalRow["terms"]): "out" | "resume" | "mixed" | "setting" {
  if (kind === "settings") return "setting";
  const states = new Set(items.map(({ want }) => want.state));
  if (states.size > 1 || states.has("limited")) return "mixed";
  return states.has("out") ? "out" : "resume";
}
