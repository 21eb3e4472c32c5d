import { expect, it } from "vitest";
import { changeOfRestaurant } from "./change-of-restaurant.ts";

it("[HQ-185] changes of a restaurant what was changed in the form, and leaves the rest to others", () => {
  const opened = { name: "Malecón", groups: ["Norte", "Este"] };
  expect(changeOfRestaurant(opened, { name: "Malecón", groups: ["Este", "Norte"] })).toEqual({});
  expect(changeOfRestaurant(opened, { name: "El Malecón", groups: ["Norte", "Este"] })).toEqual({ name: "El Malecón" });
  expect(changeOfRestaurant(opened, { name: "Malecón", groups: [] })).toEqual({ groups: [] });
});
