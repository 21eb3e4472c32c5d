import { createStore } from "@comanda/ui/store.ts";
import type { LiveTerminal } from "./live-terminal.ts";

/** The terminal that is open in this page, for what stands around the screens; null while none is. */
export const openPos = createStore<LiveTerminal | null>(null);
