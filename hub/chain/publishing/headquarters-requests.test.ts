import { expect, it } from "vitest";
import type { ChainCursor } from "@comanda/protocol/chain.ts";
import { createHeadquartersRequests } from "./headquarters-requests.ts";

it("repeated requests of headquarters for the same resend are served after 1, 2, 4 … 60 s [CHAIN-27]", () => {
  let now = 0;
  const requests = createHeadquartersRequests({
    clock: { monotonic: () => now },
    place: {
      forget: () => undefined,
      generation: () => 0,
      noteCursor: () => undefined,
      position: () => null,
      supersede: () => undefined,
    },
    pauses: { forget: () => undefined },
    gathering: { reconsider: () => undefined },
    loop: { wake: () => undefined, reschedule: () => undefined },
  });
  const cursor: ChainCursor = { generation: 0, epoch: "e", seq: 3, factId: 0, isFullDone: true };
  /** Asks every 100 ms. Returns after how many seconds each request was accepted. */
  const resendsWithin = (seconds: number, at: ChainCursor): number[] => {
    const resends: number[] = [];
    for (const from = now; now < from + seconds * 1_000; now += 100) {
      requests.listener.onResend(at);
      if (requests.takeResend() !== null) resends.push(Math.round((now - from) / 1_000));
    }
    return resends;
  };
  expect(resendsWithin(250, cursor)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  // The cursor advanced: the resend helped.
  expect(resendsWithin(4, { ...cursor, seq: 9 })).toEqual([0, 1, 3]);
  requests.listener.onUp();
  now += 1_000;
  expect(resendsWithin(2, { ...cursor, seq: 9 })).toEqual([0, 1]);
});
