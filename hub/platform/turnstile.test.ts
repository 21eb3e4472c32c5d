import { describe, expect, it } from "vitest";
import { createTurnstile } from "./turnstile.ts";

/** A turnstile that lets two pass per turn; the test ends the turns. */
function openTurnstile() {
  const turns: (() => void)[] = [];
  const timers = { setImmediate: (work: () => void) => void turns.push(work) };
  const enter = createTurnstile({ timers } as Parameters<typeof createTurnstile>[0], 2);
  const passed: number[] = [];
  return {
    passed,
    turns,
    enterAll: (...names: number[]) => names.forEach((name) => void enter().then(() => passed.push(name))),
    async endTurn(): Promise<void> {
      turns.shift()?.();
      await Promise.resolve();
    },
  };
}

describe("a turnstile", () => {
  it("a turnstile lets a fixed number through per turn, first come first served [HUB-76]", async () => {
    const { enterAll, passed, endTurn } = openTurnstile();
    enterAll(1, 2, 3, 4, 5);
    await Promise.resolve();
    expect(passed).toEqual([1, 2]);
    await endTurn();
    expect(passed).toEqual([1, 2, 3, 4]);
    enterAll(6, 7);
    await Promise.resolve();
    expect(passed).toEqual([1, 2, 3, 4]);
    await endTurn();
    expect(passed).toEqual([1, 2, 3, 4, 5, 6]);
    await endTurn();
    expect(passed).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("an idle turnstile takes no turns, and then lets the next through at once [HUB-76]", async () => {
    const { enterAll, passed, endTurn, turns } = openTurnstile();
    enterAll(1);
    await endTurn();
    expect(turns).toEqual([]);
    enterAll(2, 3);
    await Promise.resolve();
    expect(passed).toEqual([1, 2, 3]);
  });
});
