import { createStore } from "./store.ts";

/** The open dialogs, the frontmost last. */
export const openModals = createStore<readonly HTMLDialogElement[]>([]);
