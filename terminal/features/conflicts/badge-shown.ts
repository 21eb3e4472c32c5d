import { createStore } from "@comanda/ui/store.ts";

/** Whether the badge is shown, which leaves less room for navigation links. */
export const isBadgeShown = createStore(false);
