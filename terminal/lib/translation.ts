// What the terminal uses of i18next and react-i18next, under the names that they have there: the build puts this file in
// their place (vite.config.ts), because they are an eighth of the first load. Types and tests are those of i18next.
import { readLanguage, rememberLanguage } from "@comanda/ui/language.ts";
import { createStore, useStore } from "@comanda/ui/store.ts";
import type { Language } from "@comanda/protocol";
import { use, useMemo } from "react";
import { fetchLater, persist } from "./lazy-part.ts";
import { translate, type Texts, type TextValues } from "./translate.ts";

type Tables = Readonly<Record<string, Texts>>;
type Load = () => Promise<{ default: Tables }>;

/** The texts of a language: those of the first screens, and all others. */
export type LanguageParts = Readonly<Record<Language, { first: Load; others: Load }>>;

type Values = TextValues & { ns?: string };

let parts: LanguageParts;
const language = createStore<Language>("es");
const tables: Record<Language, Tables> = { es: {}, en: {} };
let namesOfFirst: ReadonlySet<string> = new Set();
const languageListeners = new Set<(next: Language) => void>();
const loading = new Map<Load, Promise<void>>();

/** Fetches what the first screens say. Until then nothing may be shown. */
export async function startTexts(allParts: LanguageParts): Promise<void> {
  parts = allParts;
  const chosen = readLanguage();
  document.documentElement.lang = chosen;
  await loadOnce(chosen, parts[chosen].first);
  namesOfFirst = new Set(Object.keys(tables[chosen]));
  language.set(chosen);
  // Each screen opens in each language while the hub is away.
  fetchLater(() => loadAll("es"));
  fetchLater(() => loadAll("en"));
}

function loadAll(of: Language): Promise<unknown> {
  return Promise.all([loadOnce(of, parts[of].first), loadOnce(of, parts[of].others)]);
}

function loadOnce(of: Language, load: Load): Promise<void> {
  const known = loading.get(load);
  if (known !== undefined) return known;
  const begun = persist(load).then((loaded) => {
    tables[of] = { ...tables[of], ...loaded.default };
  });
  loading.set(load, begun);
  return begun;
}

function textIn(of: Language, key: string, defaultNs: string, values: Values = {}): string {
  const at = key.indexOf(":");
  const ns = values.ns ?? (at === -1 ? defaultNs : key.slice(0, at));
  return translate(tables[of][ns], of, key.slice(at + 1), values);
}

const i18n = {
  get language(): Language {
    return language.get();
  },
  t: (key: string, values?: Values): string => textIn(language.get(), key, "common", values),
  getFixedT:
    (of: Language | null, ns: string) =>
    (key: string, values?: Values): string =>
      textIn(of ?? language.get(), key, ns, values),
  /** Shows the page in another language once all of it is there: nothing is shown in two. */
  async changeLanguage(next: Language): Promise<void> {
    rememberLanguage(next);
    await loadAll(next);
    language.set(next);
    for (const listener of languageListeners) listener(next);
  },
  on: (_event: "languageChanged", listener: (next: Language) => void): void => void languageListeners.add(listener),
  off: (_event: "languageChanged", listener: (next: Language) => void): void => void languageListeners.delete(listener),
};
export default i18n;

/** `t` of a feature, or of several whose first is meant where a key names none. Its screen waits until its texts are there. */
export function useTranslation(names: string | readonly string[] = "common") {
  const shown = useStore(language);
  const all = typeof names === "string" ? [names] : names;
  const [ns = "common"] = all;
  // By name, not by whether they are there by now: when React repeats what waited, it wants the same calls as before.
  if (all.some((name) => !namesOfFirst.has(name))) use(loadOnce(shown, parts[shown].others));
  const t = useMemo(() => (key: string, values?: Values) => textIn(shown, key, ns, values), [shown, ns]);
  return { t, i18n };
}
