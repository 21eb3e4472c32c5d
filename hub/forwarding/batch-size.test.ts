import { describe, expect, it } from "vitest";
import { createBatchSize, type BatchFailure } from "./batch-size.ts";

/** Sends `total` events, where `bad` events fail their batch. Returns the batch sizes and the events to send alone. */
function drain({ max = 20, total = 60, bad = [] as number[], failure = "failed" as BatchFailure, largest = Infinity }) {
  const size = createBatchSize(max);
  const batches: number[] = [];
  const alone: number[] = [];
  let queue = Array.from({ length: total }, (_, i) => i);
  let misses = 0;
  for (let rounds = 0; queue.length > 0 && rounds < 1_000; rounds += 1) {
    const batch = queue.slice(0, size.limit());
    batches.push(batch.length);
    const isBad = batch.length > largest || batch.some((id) => bad.includes(id));
    const decision = isBad ? size.failed(batch[0] ?? -1, batch.length, failure) : "passed";
    if (isBad) misses += 1;
    if (decision === "alone") alone.push(...batch);
    if (decision === "alone" || decision === "passed") {
      size.passed(batch.length);
      queue = queue.slice(batch.length);
    }
  }
  return { batches, alone, misses, left: queue.length };
}

describe("batch size", () => {
  it("batches stay full while nothing fails [FWD-25]", () => {
    expect(drain({}).batches).toEqual([20, 20, 20]);
  });

  it("a failing batch is sent three times, halved down to the faulty event, and then grows again [FWD-25]", () => {
    expect(drain({ bad: [13] })).toEqual({
      batches: [20, 20, 20, 10, 5, 2, 2, 1, 1, 2, 4, 8, 16, 16],
      alone: [13],
      misses: 6,
      left: 0,
    });
  });

  it("after a batch that timed out events are sent singly, so each faulty one times out twice [FWD-25]", () => {
    for (const position of [0, 7, 19]) {
      expect(drain({ bad: [position], failure: "hung" })).toMatchObject({ alone: [position], misses: 2, left: 0 });
    }
  });

  it("exactly the faulty events are found, wherever they are [FWD-25]", () => {
    for (const max of [1, 2, 3, 7, 20, 200]) {
      for (const bad of [[0], [59], [0, 1], [5, 6, 40], [0, 19, 20, 39, 59], Array.from({ length: 60 }, (_, i) => i)]) {
        expect(drain({ max, bad })).toMatchObject({ alone: bad, left: 0 });
        expect(drain({ max, bad, failure: "hung" })).toMatchObject({ alone: bad, left: 0 });
      }
    }
  });

  it("a batch shrinks at once to the size that a proxy accepts [FWD-25]", () => {
    const { batches, alone } = drain({ failure: "too_large", largest: 6 });
    expect(batches.slice(0, 3)).toEqual([20, 10, 5]);
    expect(alone).toEqual([]);
  });
});
