import { expect, it } from "vitest";
import { readFaultOptions } from "./options.ts";

const names = ["kill", "damage"];

it("readFaultOptions reads parts, rounds and the seed [FAULT-11]", () => {
  expect(readFaultOptions(["--only", "damage", "--cases", "300", "--seed", "7"], names)).toEqual({
    only: ["damage"],
    seed: "7",
    isShort: false,
    rounds: 300,
    round: null,
  });
});

it.each([
  [["--dance"], "--dance is no option"],
  [["--only", "dance"], "dance is no part"],
  [["--cases", "many"], '--cases is "many"'],
  [["--seed"], "--seed needs a value"],
])("readFaultOptions refuses %j in words [FAULT-11]", (args, sentence) => {
  expect(() => readFaultOptions(args, names)).toThrow(sentence);
});
