import type { World } from "./world.ts";

/** Lets a few through in each turn of the event loop, in the order of their coming: a crowd holds up nobody else's work. */
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
