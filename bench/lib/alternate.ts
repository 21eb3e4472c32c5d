import type { Bench } from "./bench.ts";

/** Measures alternately, so that both sides of a round run side by side. Returns each side's results, round by round. */
export async function alternate<Name extends string, Result>(
  { flags }: Bench,
  names: readonly Name[],
  measure: (name: Name, run: string) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round <= flags.rounds; round += 1) {
    for (const name of names) {
      const result = await measure(name, `${name}-${round}`);
      // Round 0 warms up the JIT compilers.
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}
