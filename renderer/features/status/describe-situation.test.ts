import type { Language } from "@comanda/protocol";
import { createFormat } from "@comanda/ui/format.ts";
import { translateIn, type Translate } from "@comanda/ui/translation.ts";
import { expect, it } from "vitest";
import { textsOf } from "../../app/texts.ts";
import { describeSituation } from "./describe-situation.ts";

function meaningOf(language: Language, name: "keptChanges" | "numbersRefused" | "receipts", count: number): string {
  const t: Translate<"status"> = translateIn(textsOf(language), language, "status");
  return describeSituation({ name, tone: "bad", count }, t, createFormat(language), 0).explanation;
}

it("the explanation of the sentence on top is in the singular or plural of what it counts [UI-702]", () => {
  expect(meaningOf("es", "numbersRefused", 1)).toMatch(/^No va a contabilidad/);
  expect(meaningOf("es", "numbersRefused", 2)).toMatch(/^No van a contabilidad/);
  expect(meaningOf("en", "numbersRefused", 1)).toMatch(/^It does not go/);
  expect(meaningOf("en", "numbersRefused", 2)).toMatch(/^They do not go/);
  expect(meaningOf("es", "receipts", 1)).toMatch(/^La cuenta está/);
  expect(meaningOf("es", "keptChanges", 1)).toMatch(/aplicarlo /);
});
