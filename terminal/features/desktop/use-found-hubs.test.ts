import { expect, it } from "vitest";
import { withFound } from "./use-found-hubs.ts";

const hub = (id: string, name = id) => ({ id, name, url: `http://${id}:8766` });

it("every hub stays where it first appeared, under its newest name [DESK-82]", () => {
  const first = withFound([], [hub("b"), hub("a")]);
  expect(withFound(first, [hub("a", "La Terraza"), hub("c")])).toEqual([hub("b"), hub("a", "La Terraza"), hub("c")]);
});
