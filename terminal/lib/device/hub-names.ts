import { readSaved, save } from "./saved.ts";

const KEY = "comanda-terminal-hubs";

/** Returns the hubs that this device has worked with: name by id. */
export function hubNames(): Record<string, string> {
  return readSaved(KEY, isNames) ?? {};
}

/** Remembers a hub's name, for when this device works with another one. */
export function rememberHub({ id, name }: { id: string; name: string }): void {
  save(KEY, { ...hubNames(), [id]: name });
}

function isNames(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "string");
}
