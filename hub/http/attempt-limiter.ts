import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";

/** Counts failed attempts by name (an address) and refuses more than `max` of them within `windowMs`. */
export function createAttemptLimiter(world: World, max: number, windowMs: number) {
  const failures = new Map<string, number[]>();

  function recent(name: string): number[] {
    const since = world.clock.monotonic() - windowMs;
    return (failures.get(name) ?? []).filter((at) => at > since);
  }

  function forgive(name: string, at: number): void {
    failures.set(
      name,
      recent(name).filter((each) => each !== at),
    );
  }

  return {
    /** Runs `attempt`, which counts as failed until it has succeeded or could not be judged. Refuses with RATE_LIMITED. */
    async run<T>(name: string, attempt: () => Promise<T>): Promise<T> {
      const before = recent(name);
      if (before.length >= max) {
        throw new HubError("RATE_LIMITED", `more than ${max} failed attempts; wait a minute and try again`);
      }
      const at = world.clock.monotonic();
      failures.set(name, [...before, at]);
      for (const other of failures.keys()) if (recent(other).length === 0) failures.delete(other);
      try {
        const result = await attempt();
        forgive(name, at);
        return result;
      } catch (error) {
        if (error instanceof HubError && error.code === "UPSTREAM_UNAVAILABLE") forgive(name, at);
        throw error;
      }
    },
  };
}
