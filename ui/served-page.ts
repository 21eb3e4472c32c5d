import { createStore } from "./store.ts";

/** Whether the hub serves another version of this page, as it does once it was updated. */
export const isPageOutdated = createStore(false);

/** Compares this page with what the hub serves now; answers whether it serves any. */
export async function lookAtServedPage(): Promise<boolean> {
  const script = document.querySelector("script[type=module]")?.getAttribute("src") ?? "";
  try {
    const answer = await fetch("");
    if (answer.ok) isPageOutdated.set(!(await answer.text()).includes(script));
    return answer.ok;
  } catch {
    // The hub is away again; it is asked once it is back.
    return false;
  }
}

let isAsked = false;

/**
 * Some browsers remember that a fetch failed, and a hub that was updated has other files: a fresh page has neither. One that
 * was loaded again already lacks what it lacks, unless the hub has another by now. While somebody types nothing is done.
 */
export function reloadPage(): void {
  const [loading] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (isAsked || (loading?.type === "reload" && !isPageOutdated.get())) return;
  if (document.querySelector("dialog[open],:focus:read-write") !== null) return;
  isAsked = true;
  location.reload();
}
