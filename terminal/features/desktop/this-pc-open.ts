import { createStore } from "@comanda/ui/store.ts";

/** Whether the settings of the desktop app are shown. */
export const isThisPcOpen = createStore(false);
