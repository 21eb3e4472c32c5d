import { foldText, type Station } from "@comanda/protocol";

/** A station being edited. `key` stays the same when the station is moved. */
export interface StationDraft {
  key: number;
  /** Null for a new station, which gets its id when it is saved. */
  id: string | null;
  name: string;
  categoryIds: string[];
  productIds: string[];
  serving: boolean;
}

export function draftsOf(stations: readonly Station[]): StationDraft[] {
  return stations.map(({ id, name, categoryIds, productIds, serving = false }, key) => ({
    key,
    id,
    name,
    categoryIds: categoryIds.map(String),
    productIds: productIds.map(String),
    serving,
  }));
}

/** Returns the text of the setting HUB_STATIONS. Existing ids never change: kitchen screens and tickets refer to them. */
export function settingText(drafts: readonly StationDraft[]): string {
  const used = new Set(drafts.flatMap(({ id }) => (id === null ? [] : [id])));
  const stations = drafts.map(({ id, name, categoryIds, productIds, serving }) => {
    const shown = name.trim();
    const ownId = id ?? freeId(shown, used);
    used.add(ownId);
    return { id: ownId, name: shown, categoryIds, productIds, ...(serving && { serving }) };
  });
  return JSON.stringify(stations);
}

/** Whether two drafts have the same name, or one has none. */
export function hasNameProblem(drafts: readonly StationDraft[]): boolean {
  const names = drafts.map(({ name }) => name.trim().toLowerCase());
  return names.includes("") || new Set(names).size < names.length;
}

/** Returns a free id: `Barra fría` becomes `barra-fria`, the second one `barra-fria-2`. */
function freeId(name: string, used: ReadonlySet<string>): string {
  const plain = foldText(name).replaceAll(/[^a-z0-9]+/g, "-");
  const base = plain.replaceAll(/^-+|-+$/g, "") || "estacion";
  let id = base;
  for (let number = 2; used.has(id); number += 1) id = `${base}-${number}`;
  return id;
}
