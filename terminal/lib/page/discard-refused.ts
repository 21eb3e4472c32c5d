import { type Terminal, TerminalRefusal } from "@comanda/terminal";

/** Discards what the hub refused. Returns false if the conflict was already resolved. */
export async function discardRefused(terminal: Pick<Terminal, "discard">, id: string): Promise<boolean> {
  try {
    await terminal.discard(id);
    return true;
  } catch (error) {
    if (!(error instanceof TerminalRefusal)) throw error;
    return false;
  }
}
