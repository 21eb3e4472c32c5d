/** One call to the operating system; specs read the list with `app.evaluate(() => globalThis.standInEffects)`. */
export interface Effect {
  name: string;
  detail: unknown;
}

export const effects: Effect[] = [];
Object.assign(globalThis, { standInEffects: effects });

export function note(name: string, detail?: unknown): void {
  effects.push({ name, detail });
}
