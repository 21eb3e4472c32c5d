import { expect, it } from "vitest";
import { findResults, type Candidates, type Result } from "./result.ts";

const result = (label: string, more: Partial<Result> = {}): Result => ({
  id: label,
  label,
  open: () => undefined,
  ...more,
});

const labels = (candidates: Candidates, search: string) =>
  findResults(candidates, search).map(({ name, results }) => [name, results.map(({ label }) => label)]);

it("matching results are grouped in a fixed order, ignoring case and accents [UI-248]", () => {
  const candidates = {
    settings: [result("Nombre del hub", { keywords: "HUB_NAME" })],
    customers: [result("José Núñez")],
    tables: [result("Mesa 4")],
    terminals: [result("tablet-1", { about: "Ana Núñez" })],
  };
  expect(labels(candidates, "nunez")).toEqual([
    ["customers", ["José Núñez"]],
    ["terminals", ["tablet-1"]],
  ]);
  expect(labels(candidates, "hub_name")).toEqual([["settings", ["Nombre del hub"]]]);
  expect(labels(candidates, "nothing")).toEqual([]);
});

it("names are found by the beginnings of their words, numbers by any part [UI-248]", () => {
  const candidates = {
    screens: [result("Sistema"), result("Mañana"), result("Copias", { about: "Sistema · manual" })],
    tickets: [
      result("Mesa 4", { keywords: "Mofongo de camarones" }),
      result("Terraza 1", { keywords: "POS/2026/00012" }),
    ],
    settings: [result("HUB_NAME")],
  };
  expect(labels(candidates, "ma")).toEqual([["screens", ["Mañana", "Copias"]]]);
  expect(labels(candidates, "0012")).toEqual([["tickets", ["Terraza 1"]]]);
  expect(labels(candidates, "hub_na")).toEqual([["settings", ["HUB_NAME"]]]);
});

it("results whose name begins with the search come first, and a group lists six at most [UI-248]", () => {
  const tables = ["Terraza 1", "Mesa 1", "Mesa 10", "Barra 1", "Mesa 11", "Sala 1", "1", "Patio 1"].map((name) =>
    result(name),
  );
  expect(labels({ tables }, "1")).toEqual([["tables", ["1", "Terraza 1", "Mesa 1", "Mesa 10", "Barra 1", "Mesa 11"]]]);
});

it("an empty search offers screens and actions, and results found by the hub stay [UI-248]", () => {
  const candidates = {
    screens: [result("Orders")],
    actions: [result("Show on the wall")],
    orders: [result("POS/1", { isMatch: true })],
  };
  expect(labels(candidates, " ")).toEqual([
    ["screens", ["Orders"]],
    ["actions", ["Show on the wall"]],
  ]);
  expect(labels(candidates, "peralta")).toEqual([["orders", ["POS/1"]]]);
});
