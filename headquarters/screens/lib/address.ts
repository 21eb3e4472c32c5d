import { useSyncExternalStore } from "react";
import { useSearchParams } from "wouter";
import { searchOf } from "./hq.ts";

/** What stands behind `#`: the path of a screen, and its query. */
const useHash = () => splitHash(useSyncExternalStore(follow, () => location.hash));

function splitHash(hash: string): [path: string, query: string] {
  const [path = "", query = ""] = hash.split("?");
  return [path.replace(/^#?\/?/, "/"), query];
}

/** After `popstate` the browser scrolls to where somebody was: by then that screen has to be there. */
const changes = ["popstate", "hashchange"] as const;

function follow(onChange: () => void): () => void {
  for (const each of changes) addEventListener(each, onChange);
  return () => changes.forEach((each) => removeEventListener(each, onChange));
}

/** What is opened is read from its top; the way back leads to where somebody was, which the browser remembers. */
function goTo(address: string, { replace = false }: { replace?: boolean } = {}): void {
  const [before] = splitHash(location.hash);
  history[replace ? "replaceState" : "pushState"](null, "", `#${address}`);
  if (splitHash(location.hash)[0] !== before) scrollTo(0, 0);
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
