import { expect, it } from "vitest";
import { changedFields } from "./changed-fields.ts";

it("a form sends only the fields that were changed in it [HQ-185]", () => {
  const opened = { name: "Malecón", groups: ["Norte", "Este"] };
  expect(changedFields(opened, { name: "Malecón", groups: ["Este", "Norte"] })).toEqual({});
  expect(changedFields(opened, { name: "El Malecón", groups: ["Norte", "Este"] })).toEqual({ name: "El Malecón" });
  expect(changedFields(opened, { name: "Malecón", groups: [] })).toEqual({ groups: [] });
});
