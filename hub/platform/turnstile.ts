import type { World } from "./world.ts";

/** Lets `perTurn` callers pass per event-loop turn, in order of arrival, so that a crowd does not delay other work. */
export function createTurnstile(world: Pick<World, "timers">, perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let passed = 0;

  function pass(go: () => void): void {
    if (passed === 0) world.timers.setImmediate(turn);
    passed += 1;
    go();
  }

  function turn(): void {
    passed = 0;
    for (const go of waiting.splice(0, perTurn)) pass(go);
  }

  return () => new Promise((resolve) => (passed < perTurn ? pass(resolve) : void waiting.push(resolve)));
}
