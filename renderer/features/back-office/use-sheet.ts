import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLanguage } from "@comanda/ui/translation.ts";
import { saveFile } from "@comanda/ui/save-file.ts";
import style from "./closing-sheet.css?inline";

/** The longest wait for a refresh before printing, in ms. Then the sheet shows the last data read, with its time. */
const REFRESH_MS = 2_000;

/** Returns the functions that print a sheet, or save it as one self-contained file, after `refresh` has updated it. */
export function useSheet(refresh: () => Promise<unknown>) {
  const language = useLanguage();
  const sheet = useRef<HTMLElement>(null);
  /** Whether the sheet is rendered: only for paper and for the file. */
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    // The browser captures the page when these handlers return, also for its own print menu.
    const draw = () => flushSync(() => setDrawn(true));
    const clear = () => setDrawn(false);
    window.addEventListener("beforeprint", draw);
    window.addEventListener("afterprint", clear);
    return () => {
      window.removeEventListener("beforeprint", draw);
      window.removeEventListener("afterprint", clear);
    };
  }, []);
  const refreshed = () => Promise.race([refresh(), new Promise((resolve) => setTimeout(resolve, REFRESH_MS))]);
  const print = () => void refreshed().finally(() => window.print());
  const save = () =>
    void refreshed().finally(() => {
      flushSync(() => setDrawn(true));
      if (sheet.current !== null) savePage(sheet.current, language);
      setDrawn(false);
    });
  return { isDrawn, sheet, print, save };
}

/** Saves the sheet as a document of its own. */
function savePage(sheet: HTMLElement, language: string): void {
  const name = sheet.dataset["name"] ?? "";
  const page = document.implementation.createHTMLDocument(name);
  page.documentElement.lang = language;
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  const css = page.createElement("style");
  css.textContent = style;
  page.head.append(charset, css);
  page.body.append(page.importNode(sheet, true));
  saveFile(new Blob([`<!doctype html>\n${page.documentElement.outerHTML}`], { type: "text/html" }), `${name}.html`);
}
