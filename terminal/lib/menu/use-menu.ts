import type { Menu } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { indexMenu, type MenuIndex } from "./menu-index.ts";
import { useLive } from "../connection/pos.ts";

const indexes = new WeakMap<Menu, MenuIndex>();

/** Returns the menu as last loaded; null before the first time. */
export function useMenu(): MenuIndex | null {
  return indexed(useLive("menu"));
}

/** Returns the indexed menu, outside of components. */
export function menuOf(terminal: Pick<Terminal, "menu">): MenuIndex | null {
  return indexed(terminal.menu());
}

function indexed(menu: Menu | null): MenuIndex | null {
  if (menu === null) return null;
  const existing = indexes.get(menu);
  if (existing !== undefined) return existing;
  const created = indexMenu(menu);
  indexes.set(menu, created);
  return created;
}
