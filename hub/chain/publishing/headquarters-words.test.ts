import { expect, it } from "vitest";
import type { ChainCursor } from "@comanda/protocol/chain.ts";
import { createHeadquartersWords } from "./headquarters-words.ts";

it("headquarters that ask for the same again and again get it after 1, 2, 4 … 60 s [CHAIN-27]", () => {
  let now = 0;
  const words = createHeadquartersWords({
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
  const takenWithin = (seconds: number, asked: ChainCursor): number[] => {
    const taken: number[] = [];
    for (const from = now; now < from + seconds * 1_000; now += 100) {
      words.listener.onResend(asked);
      if (words.takeResend() !== null) taken.push(Math.round((now - from) / 1_000));
    }
    return taken;
  };
  expect(takenWithin(250, cursor)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  // The cursor advanced: the resend helped.
  expect(takenWithin(4, { ...cursor, seq: 9 })).toEqual([0, 1, 3]);
  words.listener.onUp();
  now += 1_000;
  expect(takenWithin(2, { ...cursor, seq: 9 })).toEqual([0, 1]);
});
