import { useSyncExternalStore } from "react";
import { useSearchParams } from "wouter";
import { searchOf } from "./hq.ts";

/** What stands behind `#`: the path of a screen, and its query. */
function useHash(): [path: string, query: string] {
  const [path = "", query = ""] = useSyncExternalStore(follow, () => location.hash).split("?");
  return [path.replace(/^#?\/?/, "/"), query];
}

function follow(onChange: () => void): () => void {
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
}

function goTo(address: string, { replace = false }: { replace?: boolean } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", `#${address}`);
  // The browser says so of its own steps alone.
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The address of a screen, with its query behind `#`: wouter's own leaves that of one screen to the next. */
export const useAddress = Object.assign((): [string, typeof goTo] => [useHash()[0], goTo], {
  searchHook: (): string => useHash()[1],
  hrefs: (address: string): string => `#${address}`,
});

/**
 * What is asked of a screen by the query of its address, and a change of that; what is empty is not in it. `isTyped`: it takes
 * the place of the address before, because no letter is a step that somebody wants back.
 */
export function useAsked() {
  const [params, setParams] = useSearchParams();
  const asked: Readonly<Record<string, string | undefined>> = Object.fromEntries(params);
  const ask = (next: object, isTyped = false): void => setParams(searchOf({ ...asked, ...next }), { replace: isTyped });
  return [asked, ask] as const;
}
