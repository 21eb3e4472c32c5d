import { useSyncExternalStore } from "react";

/** Whether the page is being laid out for paper, where nothing is scrolled. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia("print").matches);
}

function subscribe(listener: () => void): () => void {
  const paper = window.matchMedia("print");
  paper.addEventListener("change", listener);
  return () => paper.removeEventListener("change", listener);
}
