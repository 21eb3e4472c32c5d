// Pages that the app itself serves, under its own scheme, each with its own origin.

export const appScheme = "app";

/** The page that explains why the hub cannot start. */
export const builtInAddress = "app://desktop/";
export const builtInOrigin = "app://desktop";

/** The terminal. The hub knows this origin (hub/http/access/allowed-origin.ts). */
export const terminalAddress = "app://terminal/";
export const terminalOrigin = "app://terminal";
