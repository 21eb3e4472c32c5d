import { describe, expect, it } from "vitest";
import { createFormat } from "./format.ts";
import { finishGrammar } from "./grammar.ts";

describe("sentences with values", () => {
  it("a sentence that ends with a time has one full stop [UI-228]", () => {
    const time = createFormat("es", "DOP", "America/Santo_Domingo").time("2026-11-22T19:05:00.000Z");
    expect(finishGrammar(`Sin conexión desde las ${time}.`).replaceAll(/\s/gu, " ")).toBe(
      "Sin conexión desde las 3:05 p. m.",
    );
    expect(finishGrammar("A las 9:00 a. m.. Después, nada.")).toBe("A las 9:00 a. m. Después, nada.");
    expect(finishGrammar("Un momento… ../hub.sqlite y ...")).toBe("Un momento… ../hub.sqlite y ...");
  });

  it("one o'clock takes the singular in Spanish [UI-228]", () => {
    expect(finishGrammar("Bloqueada hasta las 1:30 p. m.")).toBe("Bloqueada hasta la 1:30 p. m.");
    expect(finishGrammar("Bloqueada hasta las 11:30 p. m.")).toBe("Bloqueada hasta las 11:30 p. m.");
    const format = createFormat("es", "DOP", "America/Santo_Domingo");
    const hours = [17, 16].map((hour) => finishGrammar(`hasta las ${format.hour(`2026-11-22T${hour}:00:00.000Z`)}`));
    expect(hours.map((text) => text.replaceAll(/\s/gu, " "))).toEqual(["hasta la 1 p. m.", "hasta las 12 p. m."]);
  });
});
