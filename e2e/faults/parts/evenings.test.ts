// @module-tag long
// The short form of the evenings around a restore; also tests that a deliberate loss is found.
import { expect, it } from "vitest";
import { createEvenings, evenings } from "./evenings.ts";
import { expectNothing, PART_MS } from "../expect-nothing.ts";
import { runPart } from "../run-part.ts";

it(
  "evenings around a restore have every dish and every peso again once all is recovered [FAULT-50] [FAULT-110] [FAULT-111]",
  () => expectNothing(evenings),
  PART_MS,
);

it(
  "evenings around a restore report a dish that was lost on purpose, by its name [FAULT-120]",
  async () => {
    const { findings } = await runPart(createEvenings({ isSpoiled: true }), { seed: "spoiled", rounds: 3 });
    const dish = {
      kind: "lost",
      count: 2,
      description: expect.stringContaining("The dish that is thrown away: ordered 0"),
    };
    expect(findings.toSorted((one, other) => one.round - other.round)).toEqual(
      [0, 1, 2].map((round) => ({ ...dish, round })),
    );
  },
  PART_MS,
);
