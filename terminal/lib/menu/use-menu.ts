import type { Menu } from "@comanda/protocol";
import { indexMenu, type MenuIndex } from "./menu-index.ts";
import { useLive } from "../connection/pos.ts";

const indexes = new WeakMap<Menu, MenuIndex>();

/** The menu as last read; null before the first time. */
export function useMenu(): MenuIndex | null {
  const menu = useLive("menu");
  if (menu === null) return null;
  const known = indexes.get(menu);
  if (known !== undefined) return known;
  const made = indexMenu(menu);
  indexes.set(menu, made);
  return made;
}
