import { finishGrammar } from "@comanda/ui/grammar.ts";
import type { Language } from "@comanda/protocol";

/** The texts of one language: of a feature, or of a group within it. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

/** What a text is filled with; `count` chooses between its singular and its plural. */
export type TextValues = Readonly<Record<string, string | number | null | undefined>>;

const plurals = { es: new Intl.PluralRules("es"), en: new Intl.PluralRules("en") };

/**
 * The text at `key`, such as `failed.offline`, with its `{{values}}`; `key_one` or `key_other` where there is a `count`.
 * The key itself where there is no such text.
 */
export function translate(texts: Texts | undefined, language: Language, key: string, values: TextValues = {}): string {
  const { count } = values;
  const text =
    (typeof count === "number" ? pluralOf(texts, key, plurals[language].select(count)) : undefined) ??
    textAt(texts, key) ??
    key;
  return finishGrammar(
    text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => (name in values ? String(values[name] ?? "") : place)),
  );
}

function pluralOf(texts: Texts | undefined, key: string, category: Intl.LDMLPluralRule): string | undefined {
  // Spanish has a third one, for millions, that no text needs.
  return textAt(texts, `${key}_${category}`) ?? textAt(texts, `${key}_other`);
}

function textAt(texts: Texts | undefined, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((inner, name) => (typeof inner === "object" ? inner[name] : undefined), texts);
  return typeof found === "string" ? found : undefined;
}
