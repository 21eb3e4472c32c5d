import { IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Modal } from "@comanda/ui/modal.tsx";
import { focusWhereLost } from "../lib/page/focus-where-lost.ts";
import "./sheet.css";

/** A question or list in front of the screen: from below on a phone, in reach of the thumb, otherwise at the side. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation("common");
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusWhereLost(heading.current), [title]);
  useEffect(() => stayAboveKeyboard(heading.current?.closest("dialog") ?? null), []);
  return (
    <Modal className="sheet" titleId={titleId} onDismiss={onClose}>
      <header className="row sheet-head">
        <h2 ref={heading} id={titleId} className="sheet-title" tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="sheet-close" aria-label={t("close")} onClick={onClose}>
          <IconX size={28} aria-hidden />
        </button>
      </header>
      <div className="sheet-body">{children}</div>
    </Modal>
  );
}

/** Below this height of the visible page in px only one field fits. */
const LOW_PX = 300;

/** Ends the sheet above the system keyboard, which covers the page without resizing it. Keeps the focused field visible. */
function stayAboveKeyboard(sheet: HTMLElement | null): (() => void) | undefined {
  const view = window.visualViewport;
  if (sheet === null || view === null) return;
  const fit = () => {
    // On a zoomed page nothing is covered.
    const covered = view.scale > 1 ? 0 : Math.max(0, innerHeight - view.offsetTop - view.height);
    sheet.style.setProperty("--covered", `${covered}px`);
    // Not a container query: in browsers before 2025, a size container clips the notices beside it.
    sheet.toggleAttribute("data-low", innerHeight - covered < LOW_PX);
    const { activeElement } = document;
    if (sheet.contains(activeElement)) activeElement?.scrollIntoView({ block: "nearest" });
  };
  fit();
  view.addEventListener("resize", fit);
  return () => view.removeEventListener("resize", fit);
}
