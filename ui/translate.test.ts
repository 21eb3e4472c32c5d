import { describe, expect, it } from "vitest";
import { knownText } from "./known-text.ts";
import { translate } from "./translate.ts";
import { translateIn } from "./translation.ts";

const es = {
  name: "{{name}}, de {{place}}",
  end: "Llega a las {{time}}.",
  group: { inner: { text: "dentro" }, "check.paid": "la cuenta se pagó" },
  guest_one: "{{count}} persona",
  guest_other: "{{count}} personas",
  waiting_zero: "Ninguno espera",
  waiting_one: "Uno espera",
  waiting_other: "{{count}} esperan",
  fixed: "para {{count}}",
};

describe("translation", () => {
  it("each value is filled in literally, even if it looks like a placeholder [TOUCH-173]", () => {
    const values = { name: "{{place}} $1 $t(end)", place: "Baní" };
    expect(translate(es, "es", "name", values)).toBe("{{place}} $1 $t(end), de Baní");
    expect(translate(es, "es", "name", { name: null, place: undefined })).toBe(", de ");
    expect(translate(es, "es", "name", { name: 3 })).toBe("3, de {{place}}");
  });

  it("a text is found in its group [TOUCH-173]", () => {
    expect(translate(es, "es", "group.inner.text")).toBe("dentro");
    expect(translate(es, "es", "group.check.paid")).toBe("la cuenta se pagó");
  });

  it("the plural follows the language, with a form of its own for none if there is one [TOUCH-173]", () => {
    const forms = (key: string) => [0, 1, 1.5, 2, 21, 1_000_000].map((count) => translate(es, "es", key, { count }));
    expect(forms("guest")).toEqual([
      "0 personas",
      "1 persona",
      "1.5 personas",
      "2 personas",
      "21 personas",
      "1000000 personas",
    ]);
    expect(forms("waiting").slice(0, 3)).toEqual(["Ninguno espera", "Uno espera", "1.5 esperan"]);
    expect(forms("fixed").slice(0, 2)).toEqual(["para 0", "para 1"]);
    expect(translate({ day_one: "a day", day_other: "{{count}} days" }, "en", "day", { count: 0 })).toBe("0 days");
  });

  it("a sentence ends with one full stop [TOUCH-173]", () => {
    expect(translate(es, "es", "end", { time: "1:00 p. m." })).toBe("Llega a la 1:00 p. m.");
  });

  it("a missing text shows its key [TOUCH-173]", () => {
    expect(translate(es, "es", "group.other", { count: 2 })).toBe("group.other");
    expect(translate(es, "es", "group")).toBe("group");
    expect(translate(undefined, "en", "text")).toBe("text");
  });

  it("a name without a text has none, whatever characters it contains [UI-845]", () => {
    const t = translateIn({ till: { share: { waiter: "Meseros" } } }, "es", "till");
    const shown = (who: string) => knownText(t, `share.${who}`) ?? who;
    expect(shown("waiter")).toBe("Meseros");
    for (const who of ["barra", "Barra: noche", "A las 1:00", "Srta..", "till:share.waiter", ""])
      expect(shown(who)).toBe(who);
  });
});
