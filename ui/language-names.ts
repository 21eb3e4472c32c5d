import type { Language } from "@comanda/protocol";

/** Each language under its own name: somebody who looks for theirs may not read the other. */
export const languageNames = { es: "Español", en: "English" } as const satisfies Record<Language, string>;
