import { createStore } from "@comanda/ui/store.ts";

/** Whether there is less room for the ways to the screens beside the badge. */
export const isBadgeShown = createStore(false);
