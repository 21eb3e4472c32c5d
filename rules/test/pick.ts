/** Returns an element by any number, modulo the length of the list. */
export const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
