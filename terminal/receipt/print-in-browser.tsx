import { bill, layOut, createPaperContext, receipt } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { Paper } from "@comanda/ui/paper.tsx";
import { QRCodeSVG } from "qrcode.react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import type { LiveTerminal } from "../lib/connection/live-terminal.ts";
import "./print-in-browser.css";

/** Columns of 80 mm paper, which most receipt printers for browsers use. */
const COLUMNS = 48;

/** Prints a document of a check from the browser, on a printer of this device. */
export function printInBrowser(
  pos: LiveTerminal,
  { snapshot }: Pick<LocalOrder, "snapshot">,
  document: "bill" | "receipt",
): void {
  const menu = pos.menu.get();
  const timeZone = pos.learned.get()?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const context = createPaperContext(
    menu === null ? null : { ...menu, floors: pos.floors.get()?.floors ?? [] },
    timeZone,
  );
  const at = new Date(pos.terminal.now()).toISOString();
  const blocks = document === "bill" ? bill({ snapshot, printing: 1, at }, context) : receipt(snapshot, context);
  const place = globalThis.document.createElement("div");
  place.className = "browser-print";
  globalThis.document.body.append(place);
  const root = createRoot(place);
  flushSync(() =>
    root.render(<Paper lines={layOut(blocks, COLUMNS)} columns={COLUMNS} label={document} Code={QRCodeSVG} />),
  );
  // In some browsers `print` returns before it prints.
  addEventListener(
    "afterprint",
    () => {
      root.unmount();
      place.remove();
    },
    { once: true },
  );
  globalThis.print();
}
