import { useState } from "react";
import { readSaved, save } from "../../lib/saved.ts";

const KEY = "comanda-terminal-only-mine";

/** Whether the floor shows one's own tables without those of others; the device keeps it. */
export function useOnlyMine(): [boolean, (isMine: boolean) => void] {
  const [isMine, setMine] = useState(() => readSaved(KEY, isBoolean) ?? false);
  const choose = (next: boolean): void => {
    setMine(next);
    save(KEY, next);
  };
  return [isMine, choose];
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}
