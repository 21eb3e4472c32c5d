import type { UpdateState } from "@comanda/protocol";
import type { FlowState } from "./update-flow.ts";

/** Returns the state as a page may see it: without addresses and signatures. */
export function presentUpdate(state: FlowState): UpdateState {
  if (!("offer" in state)) return state;
  const { version, notes, publishedAt } = state.offer;
  const offer = { version, notes, publishedAt };
  if (state.name === "overlay") return { ...state, offer };
  return state.name === "downloading"
    ? { name: state.name, offer, progress: state.progress }
    : { name: state.name, offer };
}
