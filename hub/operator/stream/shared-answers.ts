import type { World } from "../../platform/world.ts";

/** How long an answer is cached without a change: ages and free space change by themselves. */
const SHARED_MS = 250;

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/** Caches the answers, as JSON, that all open screens reload after a change, so that each is computed once. */
export function createSharedAnswers({ clock }: World) {
  const answers = new Map<string, { text: string; madeAt: number }>();

  return {
    /** Clears the cache after a change. */
    forget: (): void => answers.clear(),
    /** Returns the cached answer, or the result of `make`. */
    read(name: string, make: () => unknown): string {
      const cached = answers.get(name);
      const now = clock.monotonic();
      if (cached !== undefined && now - cached.madeAt < SHARED_MS) return cached.text;
      const text = JSON.stringify(make());
      answers.set(name, { text, madeAt: now });
      return text;
    },
  };
}
