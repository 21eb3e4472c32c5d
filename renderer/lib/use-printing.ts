import { useMatch } from "@comanda/ui/use-match.ts";

const paper = matchMedia("print");

/** Whether the page is laid out for paper, where nothing scrolls. */
export function usePrinting(): boolean {
  return useMatch(paper);
}
