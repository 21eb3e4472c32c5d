import type { HqProposal } from "@comanda/protocol/headquarters.ts";
import { useHubText } from "@comanda/ui/hub-sentences.ts";

/**
 * Returns a function that says why a restaurant refused a proposal; in the hub's English if this page lacks the text. Products
 * that are not on the restaurant's menu have a name only at headquarters (`nameOf`).
 */
export function useRefusalText(
  nameOf: (key: string) => string,
): (outcome: HqProposal["restaurants"][number]["outcome"]) => string {
  const sentence = useHubText();
  return (outcome) => {
    const { values = {}, ...parts } = outcome?.said ?? {};
    const { products } = values;
    const named = Array.isArray(products) ? { ...values, products: products.map(nameOf) } : values;
    return sentence({ ...parts, values: named }) || (outcome?.error ?? outcome?.code ?? "");
  };
}
