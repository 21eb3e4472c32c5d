import { knownText } from "@comanda/ui/known-text.ts";
import { translateIn, type Translate } from "@comanda/ui/translation.ts";
import { expect, it } from "vitest";
import { textsOf } from "../../app/texts.ts";

const t: Translate<"backOffice"> = translateIn(textsOf("es"), "es", "backOffice");
const nameOf = (type: string) => knownText(t, `ncfTypes.${type}`);

it("each type of fiscal number has a name, on paper and electronic [UI-501]", () => {
  const onPaper = ["B01", "B02", "B03", "B04", "B11", "B12", "B13", "B14", "B15", "B16", "B17"];
  const electronic = ["E31", "E32", "E33", "E34", "E41", "E43", "E44", "E45", "E46", "E47"];
  expect([...onPaper, ...electronic].filter((type) => nameOf(type) === undefined)).toEqual([]);
});

it("a type of fiscal number that the screens do not know has no name [UI-501]", () => {
  expect(["E99", "toString", ""].map(nameOf)).toEqual([undefined, undefined, undefined]);
});
