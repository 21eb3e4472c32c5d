import { expect, it } from "vitest";
import { changedFields } from "./changed-fields.ts";

it("sends of a form what was changed in it, and leaves the rest to others [HQ-185]", () => {
  const opened = { name: "Malecón", groups: ["Norte", "Este"] };
  expect(changedFields(opened, { name: "Malecón", groups: ["Este", "Norte"] })).toEqual({});
  expect(changedFields(opened, { name: "El Malecón", groups: ["Norte", "Este"] })).toEqual({ name: "El Malecón" });
  expect(changedFields(opened, { name: "Malecón", groups: [] })).toEqual({ groups: [] });
});
