import type { Language } from "@comanda/protocol";
import { finishGrammar } from "./grammar.ts";

/** The texts of one language, of a feature or of a group in it. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

/** The values in a text. `count` selects its singular or its plural. */
export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

const plurals = { es: new Intl.PluralRules("es"), en: new Intl.PluralRules("en") };

/**
 * Returns the text at `key`, such as `failed.offline`, with its `{{values}}`. With a `count`, the text is at `key_one` or
 * `key_other`, or for 0 at `key_zero` if that exists. Returns the key itself if there is no text.
 */
export function translate(texts: Texts | undefined, language: Language, key: string, values: TextValues = {}): string {
  const { count } = values;
  const text = (typeof count === "number" ? pluralOf(texts, language, key, count) : undefined) ?? textAt(texts, key);
  return finishGrammar(
    (text ?? key).replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) =>
      name in values ? String(values[name] ?? "") : place,
    ),
  );
}

function pluralOf(texts: Texts | undefined, language: Language, key: string, count: number): string | undefined {
  const none = count === 0 ? textAt(texts, `${key}_zero`) : undefined;
  // Spanish also has a plural for millions, which no text needs.
  return none ?? textAt(texts, `${key}_${plurals[language].select(count)}`) ?? textAt(texts, `${key}_other`);
}

/** Returns the text at a key. A name may itself contain dots, such as that of an action in the audit log. */
function textAt(texts: Texts | undefined, key: string): string | undefined {
  const found = texts?.[key];
  if (typeof found === "string") return found;
  const dot = key.indexOf(".");
  const group = dot === -1 ? undefined : texts?.[key.slice(0, dot)];
  return typeof group === "object" ? textAt(group, key.slice(dot + 1)) : undefined;
}
