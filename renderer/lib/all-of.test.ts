import { expect, it } from "vitest";
import { combineReads } from "./combine-reads.ts";

const refetch = () => Promise.resolve();
const read = { data: "a", error: null, refetch };
const busy = new Error("busy");

it("several reads give the data of all, or the failure of one [UI-460]", () => {
  expect(combineReads([read, { ...read, data: "b" }])).toMatchObject({ data: ["a", "b"], error: null });
  expect(combineReads([])).toMatchObject({ data: [], error: null });
  expect(combineReads([read, { ...read, data: undefined }])).toMatchObject({ data: undefined, error: null });
  expect(combineReads([read, { ...read, data: undefined, error: busy }])).toMatchObject({
    data: undefined,
    error: busy,
  });
  // Known data stays after a failed new read.
  expect(combineReads([{ ...read, error: busy }])).toMatchObject({ data: ["a"], error: null });
});
