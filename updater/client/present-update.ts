import type { UpdateOffer, UpdateState } from "@comanda/protocol";
import type { Offer } from "./guard-offer.ts";
import type { FlowState } from "./update-flow.ts";

/** The state as a page may see it: without addresses and signatures. */
export function presentUpdate(state: FlowState): UpdateState {
  switch (state.name) {
    case "checking":
    case "app":
      return { name: state.name };
    case "overlay":
      return { ...state, offer: presentOffer(state.offer) };
    case "downloading":
      return { name: state.name, offer: presentOffer(state.offer), progress: state.progress };
    case "verifying":
    case "installing":
      return { name: state.name, offer: presentOffer(state.offer) };
    case "fallback":
      return { name: state.name, problem: state.problem };
  }
}

function presentOffer({ version, notes, publishedAt }: Offer): UpdateOffer {
  return { version, notes, publishedAt };
}
