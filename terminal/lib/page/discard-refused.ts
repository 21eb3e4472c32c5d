import { type Terminal, TerminalRefusal } from "@comanda/terminal";

/** Gives up what the hub refused; false where somebody has decided on it already. */
export async function discardRefused(terminal: Pick<Terminal, "discard">, id: string): Promise<boolean> {
  try {
    await terminal.discard(id);
    return true;
  } catch (error) {
    if (!(error instanceof TerminalRefusal)) throw error;
    return false;
  }
}
