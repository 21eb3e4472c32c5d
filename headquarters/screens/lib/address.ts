import { useSyncExternalStore } from "react";
import { searchOf } from "./hq.ts";

/** Returns a screen's path and query from the address behind `#`. */
const useHash = () => splitHash(useSyncExternalStore(follow, () => location.hash));

function splitHash(hash: string): [path: string, query: string] {
  const [path = "", query = ""] = hash.split("?");
  return [path.replace(/^#?\/?/, "/"), query];
}

/** After `popstate` the browser restores the scroll position, so the screen has to be rendered before that. */
const changes = ["popstate", "hashchange"] as const;

function follow(onChange: () => void): () => void {
  for (const each of changes) addEventListener(each, onChange);
  return () => changes.forEach((each) => removeEventListener(each, onChange));
}

/** Opens an address. A new screen begins at its top; on the way back the browser restores the scroll position. */
function goTo(address: string, { replace = false }: { replace?: boolean } = {}): void {
  const [before] = splitHash(location.hash);
  history[replace ? "replaceState" : "pushState"](null, "", `#${address}`);
  if (splitHash(location.hash)[0] !== before) scrollTo(0, 0);
  // The browser fires this event only for its own navigation.
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The location hook for wouter, whose own hook keeps the query of one screen for the next, and decodes it twice. */
export const useAddress = Object.assign((): [string, typeof goTo] => [useHash()[0], goTo], {
  hrefs: (address: string): string => `#${address}`,
});

/**
 * Returns the query of a screen's address, and a function that changes it and drops empty values. With `isTyped` it replaces
 * the history entry: a single letter is not a step to go back to.
 */
export function useSearchParams() {
  const [path, query] = useHash();
  const params: Readonly<Record<string, string | undefined>> = Object.fromEntries(new URLSearchParams(query));
  function ask(next: object, isTyped = false): void {
    const search = searchOf({ ...params, ...next });
    goTo(search === "" ? path : `${path}?${search}`, { replace: isTyped });
  }
  return [params, ask] as const;
}
