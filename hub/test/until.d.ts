/** Asks again until the answer is there (neither false, null nor undefined); fails after `withinMs` with what it waited for. */
export declare function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  withinMs?: number,
): Promise<Exclude<T, false | null | undefined>>;
