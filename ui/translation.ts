import type { Language } from "@comanda/protocol";
import { use, useContext, useMemo } from "react";
import { type Format, FormatContext } from "./format.ts";
import { readLanguage, rememberLanguage } from "./language.ts";
import { fetchLater, persist } from "./lazy-part.ts";
import { createStore, useStore } from "./store.ts";
import type { InOneLanguage } from "./texts.ts";
import { translate, type Texts, type TextValues } from "./translate.ts";
import type refusal from "./refusal-texts.json";
import type setting from "./setting-texts.json";
import type update from "./update-texts.json";

/** The text tables by feature: those of the kit, and those of a page (`declare module "@comanda/ui/translation.ts"`). */
export interface TextTables {
  refusal: InOneLanguage<typeof refusal>;
  setting: InOneLanguage<typeof setting>;
  update: InOneLanguage<typeof update>;
}

type Feature = keyof TextTables;

/** The names of the texts in a table. Plurals are without their ending, texts in a group are `group.name`. */
type NamesIn<Table> = {
  [Name in keyof Table & string]: Table[Name] extends string
    ? Name extends `${infer Base}_${"zero" | "one" | "other"}`
      ? Base
      : Name
    : `${Name}.${NamesIn<Table[Name]>}`;
}[keyof Table & string];

/** Returns a text of the feature `Main`, or of any of its features as `feature:name`. */
export type Translate<Main extends Feature, Others extends Feature = never> = (
  key: NamesIn<TextTables[Main]> | { [Each in Main | Others]: `${Each}:${NamesIn<TextTables[Each]>}` }[Main | Others],
  values?: TextValues,
) => string;

type Tables = Readonly<Record<string, Texts>>;
type Load = () => Promise<{ default: object }>;

/** The loaders of a language's texts: those of the first screens, and all others. */
export type LanguageParts = Readonly<Record<Language, { first: Load; others?: Load }>>;

let parts: LanguageParts;
/** The language of the page. */
export const shownLanguage = createStore<Language>("es");
const tables: Record<Language, Tables> = { es: {}, en: {} };
let namesOfFirst: ReadonlySet<string> = new Set();
const loading = new Map<Load, Promise<void>>();

/** Fetches the texts of the first screens. Nothing may be shown before. */
export async function startTexts(allParts: LanguageParts): Promise<void> {
  parts = allParts;
  const chosen = readLanguage();
  document.documentElement.lang = chosen;
  await loadOnce(chosen, parts[chosen].first);
  namesOfFirst = new Set(Object.keys(tables[chosen]));
  shownLanguage.set(chosen);
  // Each screen must open in each language while the hub is unreachable.
  fetchLater(() => loadAll("es"));
  fetchLater(() => loadAll("en"));
}

async function loadAll(of: Language): Promise<void> {
  const { first, others } = parts[of];
  await Promise.all([loadOnce(of, first), others === undefined ? null : loadOnce(of, others)]);
}

function loadOnce(of: Language, load: Load): Promise<void> {
  const pending = loading.get(load);
  if (pending !== undefined) return pending;
  const started = persist(load, () => of === readLanguage()).then((loaded) => {
    tables[of] = { ...tables[of], ...(loaded.default as Tables) };
  });
  loading.set(load, started);
  return started;
}

/** Shows the page in another language once all its texts are loaded, so that two languages are never mixed. */
export async function changeLanguage(next: Language): Promise<void> {
  rememberLanguage(next);
  await loadAll(next);
  shownLanguage.set(next);
}

export function useLanguage(): Language {
  return useStore(shownLanguage);
}

/**
 * Returns `t` of one or several features, and the formats of the language. A key without a feature means the first one.
 * Suspends until the texts are loaded.
 */
export function useTranslation<Main extends Feature, Others extends Feature = never>(
  names: Main | readonly [Main, ...Others[]],
): { t: Translate<Main, Others>; format: Format; language: Language } {
  const language = useLanguage();
  const format = useContext(FormatContext);
  const all: readonly [string, ...string[]] = typeof names === "string" ? [names] : names;
  const { others } = parts[language];
  // Depends on the name, not on what is loaded: when React retries a suspended component, it expects the same calls.
  if (others !== undefined && all.some((name) => !namesOfFirst.has(name))) use(loadOnce(language, others));
  const [main] = all;
  const t = useMemo(() => translateIn<Main, Others>(tables[language], language, main), [language, main]);
  return { t, format, language };
}

/** Returns `t` of a feature in the current language, for use outside of components. */
export function translator<Main extends Feature>(name: Main): Translate<Main> {
  const language = shownLanguage.get();
  return translateIn<Main>(tables[language], language, name);
}

/** Returns `t` over these tables. */
export function translateIn<Main extends Feature, Others extends Feature = never>(
  texts: object,
  language: Language,
  main: string,
): Translate<Main, Others> {
  return (key: string, values?: TextValues) => {
    const at = key.indexOf(":");
    return translate((texts as Tables)[at === -1 ? main : key.slice(0, at)], language, key.slice(at + 1), values);
  };
}
