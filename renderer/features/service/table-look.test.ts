import { expect, it } from "vitest";
import { shortName, tableLook } from "./table-look.ts";

it("draws a table by its check, and without one by its own state [UI-9]", () => {
  expect(tableLook({ status: "occupied", checkStatus: "changed" })).toBe("changed");
  expect(tableLook({ status: "reserved", checkStatus: null })).toBe("reserved");
  expect(tableLook({ status: "available", checkStatus: null })).toBe("available");
  expect(tableLook({ status: "occupied", checkStatus: null })).toBe("open");
});

it("shortens a name to its number, where it has one", () => {
  expect(["Mesa 4", "Terraza 12", "7", "Barra", "Patio 3B"].map(shortName)).toEqual(["4", "12", "7", "Barra", "3B"]);
});
