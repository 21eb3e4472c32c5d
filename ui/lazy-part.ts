import { createElement, lazy, Suspense, useState, type ComponentType } from "react";
import { checkServedPage, reloadPage } from "./served-page.ts";

const RETRY_MS = 2_000;
/** Late enough after the start not to delay anything that the user waits for, in ms. */
const FETCH_AFTER_MS = 1_500;

const loads: (() => Promise<unknown>)[] = [];

let begin: () => void;
/** Resolves once the first screen is shown: for what is on every screen but may come after it. */
export const fetchingAhead = new Promise<void>((resolve) => (begin = resolve));

type PropsOf<Part> = Part extends ComponentType<infer Props extends object> ? Props : never;

/**
 * Returns the screen `name` of a module, which is fetched when the screen is first shown, or before by `fetchParts`. It waits
 * for the hub instead of failing, and the surrounding Suspense shows its fallback. A fetched screen renders without suspending:
 * React shows what suspends, even for a moment, 300 ms later.
 */
export function lazyScreen<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>;
  let fetched: ComponentType<Props> | undefined;
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  let isAwaited = false;
  const loadOnce = () =>
    (loading ??= persist(load, () => isAwaited).then((parts) => ({
      default: (fetched = parts[name] as ComponentType<Props>),
    })));
  loads.push(loadOnce);
  const Awaited: ComponentType<Props> = lazy(() => {
    isAwaited = true;
    return loadOnce();
  });
  return (props) => {
    const [Part] = useState(() => fetched ?? Awaited);
    return createElement(Part, props);
  };
}

/** Like `lazyScreen`, for a part of a screen. Renders nothing until the part is fetched. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]>> {
  const Part = lazyScreen(load, name);
  return (props) => createElement(Suspense, null, createElement(Part, props));
}

/** Adds something else for `fetchParts` to fetch. */
export function fetchLater(load: () => Promise<unknown>): void {
  loads.push(load);
}

/** Fetches every part, so that each screen opens while the hub is unreachable. `data-parts` says when all are fetched. */
export function fetchParts(afterMs = FETCH_AFTER_MS): () => void {
  begin();
  const timer = setTimeout(() => {
    void fetchFrom(0).then(() => {
      document.documentElement.dataset["parts"] = "fetched";
    });
  }, afterMs);
  return () => clearTimeout(timer);
}

/** A fetched part may add parts of its own. */
async function fetchFrom(place: number): Promise<void> {
  const count = loads.length;
  if (place === count) return;
  await Promise.all(loads.slice(place).map((load) => load()));
  await fetchFrom(count);
}

/** Loads until it succeeds. Reloads the page if an awaited part cannot be fetched although the hub is reachable. */
export async function persist<T>(load: () => Promise<T>, isAwaited = () => false): Promise<T> {
  let isThere = false;
  for (;;) {
    try {
      return await load();
    } catch {
      if (isThere && isAwaited()) reloadPage();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      isThere = await checkServedPage();
    }
  }
}
