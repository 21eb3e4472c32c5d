import { finishGrammar } from "@comanda/ui/grammar.ts";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { textsOf } from "../app/texts.ts";
import { translate, type Texts } from "./translate.ts";

const values = {
  count: 1,
  name: "{{count}} de $t(x)",
  amount: "RD$ 1,200.50",
  what: "2 Mofongo",
  number: 7,
  time: "9:00 p. m.",
};

/** Every key as a screen names it: without the endings of its plurals. */
function keysOf(texts: Texts, before = ""): string[] {
  return Object.entries(texts).flatMap(([name, inner]) =>
    typeof inner === "string"
      ? [before + name, before + name.replace(/_(one|other)$/, "")]
      : keysOf(inner, `${before}${name}.`),
  );
}

describe("the page's own translation", () => {
  it.each(["es", "en"] as const)("[TOUCH-173] says every text as i18next would (%s)", async (language) => {
    const tables: Record<string, Texts> = textsOf(language);
    const reference = i18next.createInstance();
    await reference.init({ lng: language, resources: { [language]: tables }, interpolation: { escapeValue: false } });
    for (const [ns, texts] of Object.entries(tables)) {
      const t = reference.getFixedT(language, ns as never) as unknown as (key: string, with_: object) => string;
      const asked = keysOf(texts).flatMap((key) =>
        [undefined, 0, 1, 1.5, 2, 21].map((count) => ({ key, given: { ...values, count } })),
      );
      expect(asked.map(({ key, given }) => translate(texts, language, key, given))).toEqual(
        asked.map(({ key, given }) => finishGrammar(t(key, given))),
      );
    }
  });

  it("[TOUCH-173] shows the key of a text that is missing", () => {
    expect(translate({ group: { text: "a" } }, "es", "group.other", { count: 2 })).toBe("group.other");
    expect(translate(undefined, "en", "text")).toBe("text");
  });
});
