import { createStore } from "./store.ts";

/** Whether the hub serves another version of this page, as after an update. */
export const isPageOutdated = createStore(false);

/** Compares this page with what the hub serves now. Returns whether the hub serves a page. */
export async function checkServedPage(): Promise<boolean> {
  const script = document.querySelector("script[type=module]")?.getAttribute("src") ?? "";
  try {
    const answer = await fetch("");
    if (answer.ok) isPageOutdated.set(!(await answer.text()).includes(script));
    return answer.ok;
  } catch {
    // The hub is unreachable again. A later call checks once it is back.
    return false;
  }
}

let isReloading = false;

/**
 * Reloads the page, because some browsers remember a failed fetch, and an updated hub has other files. A page that was already
 * reloaded stays, unless the hub serves another one. Does nothing while the user is typing.
 */
export function reloadPage(): void {
  const [loading] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (isReloading || (loading?.type === "reload" && !isPageOutdated.get())) return;
  if (document.querySelector("dialog[open],:focus:read-write") !== null) return;
  isReloading = true;
  location.reload();
}
