import { useMatch } from "@comanda/ui/use-match.ts";

const paper = matchMedia("print");

/** Whether the page is being laid out for paper, where nothing is scrolled. */
export function usePrinting(): boolean {
  return useMatch(paper);
}
