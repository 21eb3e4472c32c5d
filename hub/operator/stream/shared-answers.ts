import type { World } from "../../platform/world.ts";

/** How long an answer counts while nothing changes: ages and free space move by themselves. */
const SHARED_MS = 250;

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/** The answers, as JSON, that every open screen reads again after a change: each is made once for all of them. */
export function createSharedAnswers({ clock }: World) {
  const answers = new Map<string, { text: string; madeAt: number }>();

  return {
    /** Something has changed. */
    forget: (): void => answers.clear(),
    /** What `make` answers, unless that was made since the last change. */
    read(name: string, make: () => unknown): string {
      const known = answers.get(name);
      const now = clock.monotonic();
      if (known !== undefined && now - known.madeAt < SHARED_MS) return known.text;
      const text = JSON.stringify(make());
      answers.set(name, { text, madeAt: now });
      return text;
    },
  };
}
