import type { HqProposal } from "@comanda/protocol/headquarters.ts";
import { useSaid } from "@comanda/ui/hub-sentences.ts";

/** Why a restaurant refused a proposal; a sentence that this page does not know comes in the hub's English. */
export function useRefusalText(): (outcome: HqProposal["restaurants"][number]["outcome"]) => string {
  const sentence = useSaid();
  return (outcome) => sentence(outcome?.said ?? {}) || (outcome?.error ?? outcome?.code ?? "");
}
