import { useSyncExternalStore } from "react";
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

/** The address of a screen, for wouter: its own leaves the query of one screen to the next, and decodes it twice. */
export const useAddress = Object.assign((): [string, typeof goTo] => [useHash()[0], goTo], {
  hrefs: (address: string): string => `#${address}`,
});

/**
 * What is asked of a screen by the query of its address, and a change of that; what is empty is not in it. `isTyped`: it takes
 * the place of the address before, because no letter is a step that somebody wants back.
 */
export function useAsked() {
  const [path, query] = useHash();
  const asked: Readonly<Record<string, string | undefined>> = Object.fromEntries(new URLSearchParams(query));
  function ask(next: object, isTyped = false): void {
    const search = searchOf({ ...asked, ...next });
    goTo(search === "" ? path : `${path}?${search}`, { replace: isTyped });
  }
  return [asked, ask] as const;
}
