import { HubUnreachableError, type LocalOrder, TerminalRefusal } from "@comanda/terminal";
import { fetchLater, persist } from "@comanda/ui/lazy-part.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../lib/page/notices.ts";
import { usePos } from "../lib/connection/pos.ts";
import { showRefusal } from "../lib/page/show-refusal.ts";

/** A phone's web view may not be able to print. */
const canPrintHere = typeof globalThis.print === "function";

/** Loaded ahead: it is needed while the hub is unreachable. */
const loadBrowserPrint = () => import("./print-in-browser.tsx");
fetchLater(() => persist(loadBrowserPrint));

type Printed = Pick<LocalOrder, "posReference" | "snapshot" | "pending">;

/** Returns a function that prints a document on the hub's printer for it, or else from the browser. */
export function usePrint(): (order: Printed, document: "bill" | "receipt") => void {
  const { t } = useTranslation("pay");
  const pos = usePos();

  async function print(order: Printed, document: "bill" | "receipt"): Promise<void> {
    try {
      const { printer } = await pos.terminal.print({ document, posReference: order.posReference });
      showNotice({ text: t("printSent", { printer }) });
    } catch (error) {
      const isOurs = error instanceof HubUnreachableError || isWithoutPrinter(error);
      if (!canPrintHere || !isOurs) return showRefusal(error);
      const part = await loadBrowserPrint().catch(() => null);
      if (part === null) return showRefusal(error);
      part.printInBrowser(pos, order, document);
    }
  }

  return (order, document) => void print(order, document);
}

/** Whether the restaurant has no printer for the document, or the hub does not know the check yet. */
export function isWithoutPrinter(error: unknown): boolean {
  return error instanceof TerminalRefusal && error.code === "NOT_FOUND";
}
