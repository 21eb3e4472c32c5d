import type { Language } from "@comanda/protocol";
import { finishGrammar } from "./grammar.ts";

/** The texts of one language: of a feature, or of a group within it. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

/** What a text is filled with; `count` chooses between its singular and its plural. */
export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

const plurals = { es: new Intl.PluralRules("es"), en: new Intl.PluralRules("en") };

/**
 * The text at `key`, such as `failed.offline`, with its `{{values}}`; with a `count` that of `key_one` or `key_other`, of
 * `key_zero` for none where there is one. The key itself where there is no such text.
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
  // Spanish has a third one, for millions, that no text needs.
  return none ?? textAt(texts, `${key}_${plurals[language].select(count)}`) ?? textAt(texts, `${key}_other`);
}

/** The text at a key; a name may have dots itself, such as that of an action in the audit log. */
function textAt(texts: Texts | undefined, key: string): string | undefined {
  const found = texts?.[key];
  if (typeof found === "string") return found;
  const dot = key.indexOf(".");
  const group = dot === -1 ? undefined : texts?.[key.slice(0, dot)];
  return typeof group === "object" ? textAt(group, key.slice(dot + 1)) : undefined;
}
