import type { HqProposal } from "@comanda/protocol/headquarters.ts";
import { useSaid } from "@comanda/ui/hub-sentences.ts";

/**
 * Why a restaurant refused a proposal; a sentence that this page does not know comes in the hub's English. What is not on
 * its menu has a name at headquarters alone.
 */
export function useRefusalText(
  nameOf: (key: string) => string,
): (outcome: HqProposal["restaurants"][number]["outcome"]) => string {
  const sentence = useSaid();
  return (outcome) => {
    const { values = {}, ...said } = outcome?.said ?? {};
    const { products } = values;
    const named = Array.isArray(products) ? { ...values, products: products.map(nameOf) } : values;
    return sentence({ ...said, values: named }) || (outcome?.error ?? outcome?.code ?? "");
  };
}
