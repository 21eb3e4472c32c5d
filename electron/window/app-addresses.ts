// The pages that the app itself serves, under a scheme of its own, each with an origin of its own.

export const appScheme = "app";

/** The page that explains why the hub cannot start. */
export const builtInAddress = "app://desktop/";
export const builtInOrigin = "app://desktop";

/** The terminal. The hub knows this origin (hub/http/access/allowed-origin.ts). */
export const terminalAddress = "app://terminal/";
export const terminalOrigin = "app://terminal";
