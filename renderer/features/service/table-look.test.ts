import { expect, it } from "vitest";
import { shortName, tableLook } from "./table-look.ts";

it("a table is drawn by its check, or by its own state if it has none [UI-9]", () => {
  expect(tableLook({ status: "occupied", checkStatus: "changed" })).toBe("changed");
  expect(tableLook({ status: "reserved", checkStatus: null })).toBe("reserved");
  expect(tableLook({ status: "available", checkStatus: null })).toBe("available");
  expect(tableLook({ status: "occupied", checkStatus: null })).toBe("open");
});

it("a table's name is shortened to its number if it has one", () => {
  expect(["Mesa 4", "Terraza 12", "7", "Barra", "Patio 3B"].map(shortName)).toEqual(["4", "12", "7", "Barra", "3B"]);
});
