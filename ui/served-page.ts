import { createStore } from "./store.ts";

/** Whether the hub serves another version of this page, as it does once it was updated. */
export const isPageOutdated = createStore(false);

/** Compares this page with what the hub serves now. */
export async function lookAtServedPage(): Promise<void> {
  const script = document.querySelector("script[type=module]")?.getAttribute("src") ?? "";
  try {
    const answer = await fetch("");
    if (answer.ok) isPageOutdated.set(!(await answer.text()).includes(script));
  } catch {
    // The hub is away again; it is asked once it is back.
  }
}
