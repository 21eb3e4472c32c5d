import { createStore } from "@comanda/ui/store.ts";
import type { LiveTerminal } from "./live-terminal.ts";

/** The terminal open in this page, for parts outside the screens; null if none is. */
export const openPos = createStore<LiveTerminal | null>(null);
