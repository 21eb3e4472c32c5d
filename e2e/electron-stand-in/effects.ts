/** One call to the operating system; specs read the list with `app.evaluate(() => globalThis.standInEffects)`. */
export interface Effect {
  what: string;
  detail: unknown;
}

export const effects: Effect[] = [];
Object.assign(globalThis, { standInEffects: effects });

export function note(what: string, detail?: unknown): void {
  effects.push({ what, detail });
}
