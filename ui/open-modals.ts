import { createStore } from "./store.ts";

/** The dialogs that stand in front of the screen, the frontmost last. */
export const openModals = createStore<readonly HTMLDialogElement[]>([]);
