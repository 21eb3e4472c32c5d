export type Random = ReturnType<typeof createRandom>;
/** Chance that comes out the same for the same seed: mulberry32, whose start is worked out from the seed's text. */
export declare function createRandom(seed: string): {
  next: () => number;
  int: (from: number, to: number) => number;
  pick: <T>(list: readonly T[]) => T;
  chance: (probability: number) => boolean;
};
