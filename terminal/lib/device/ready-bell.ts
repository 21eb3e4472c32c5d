import { savedStore } from "./saved.ts";

/** Whether this device says when a dish of the person who works here is ready. */
export const readyBell = savedStore(
  "comanda-terminal-ready-bell",
  (value): value is boolean => typeof value === "boolean",
  true,
);
