import type { Language } from "@comanda/protocol";

/** Each language under its own name, for users who do not read the other one. */
export const languageNames = { es: "Español", en: "English" } as const satisfies Record<Language, string>;
