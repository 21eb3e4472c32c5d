import type { Mutation } from "@comanda/terminal";
import { expect, it } from "vitest";
import { expectAgain } from "./party.ts";

type Outcome = Awaited<Mutation["outcome"]>;

it("[TOUCH-124] expects guests again once their check is gone, and not while the hub keeps it", async () => {
  const marks: boolean[] = [];
  const party = { mark: async (isSeated: boolean) => marks.push(isSeated) };
  const end = (outcome: Pick<Outcome, "state">) => expectAgain(party, { outcome: Promise.resolve(outcome as Outcome) });
  await end({ state: "refused" });
  expect(marks).toEqual([]);
  await end({ state: "acknowledged" });
  expect(marks).toEqual([false]);
});
