import { expect, it } from "vitest";
import { changeOfPrinter, fieldsOfPrinter } from "./change-of-printer.ts";

it("a change of a printer holds only the fields that were changed in its form [UI-456]", () => {
  const before = fieldsOfPrinter({
    id: "p1",
    name: "Cocina",
    address: "tcp://192.168.1.50",
    width: 80,
    model: "Epson",
    cutter: true,
    drawer: false,
    fallback: "p2",
  });
  expect(changeOfPrinter(before, before)).toEqual({});
  expect(changeOfPrinter(before, { ...before, name: "Caliente" })).toEqual({ name: "Caliente" });
  const others = { address: "192.168.1.51", model: " ", fallback: null, drawer: true };
  expect(changeOfPrinter(before, { ...before, ...others })).toEqual({
    address: "tcp://192.168.1.51",
    model: null,
    fallback: null,
    drawer: true,
  });
});
