import { savedStore } from "./saved.ts";

/** Whether this device signals that a dish of its user is ready. */
export const readyBell = savedStore(
  "comanda-terminal-ready-bell",
  (value): value is boolean => typeof value === "boolean",
  true,
);
