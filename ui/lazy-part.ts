import { createElement, lazy, Suspense, useState, type ComponentType } from "react";
import { lookAtServedPage, reloadPage } from "./served-page.ts";

const RETRY_MS = 2_000;
/** Long enough after the start that nothing a person waits for comes later for it. */
const FETCH_AFTER_MS = 1_500;

const loads: (() => Promise<unknown>)[] = [];

/**
 * A screen that is fetched when it is first shown, or when there is time (`fetchParts`). It waits for the hub instead of
 * failing: a page over plain http has nobody else to ask. The Suspense around it shows something meanwhile. One that has
 * been fetched is drawn at once: what suspends, even for a moment, React shows 300 ms later.
 */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let fetched: ComponentType<Props> | undefined;
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  let isAwaited = false;
  const loadOnce = () => (loading ??= persist(load, () => isAwaited).then((part) => ({ default: (fetched = part) })));
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

/** The same of a part of a screen: until it is there nothing is in its place. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazyScreen(load);
  return (props) => createElement(Suspense, null, createElement(Part, props));
}

/** Something else that `fetchParts` fetches. */
export function fetchLater(load: () => Promise<unknown>): void {
  loads.push(load);
}

/** Fetches every part, so that each screen opens while the hub is away; the page says when it has them all. */
export function fetchParts(afterMs = FETCH_AFTER_MS): () => void {
  const timer = setTimeout(() => {
    void fetchFrom(0).then(() => {
      document.documentElement.dataset["parts"] = "fetched";
    });
  }, afterMs);
  return () => clearTimeout(timer);
}

/** A part may have parts of its own, which are known once it is there. */
async function fetchFrom(place: number): Promise<void> {
  const known = loads.length;
  if (place === known) return;
  await Promise.all(loads.slice(place).map((load) => load()));
  await fetchFrom(known);
}

/** Loads until it succeeds; what somebody waits for by then, and cannot be fetched although the hub is there, with a fresh page. */
export async function persist<T>(load: () => Promise<T>, isAwaited = () => false): Promise<T> {
  let isThere = false;
  for (;;) {
    try {
      return await load();
    } catch {
      if (isThere && isAwaited()) reloadPage();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      isThere = await lookAtServedPage();
    }
  }
}
