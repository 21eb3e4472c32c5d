import { IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Modal } from "@comanda/ui/modal.tsx";
import { focusWhereLost } from "../lib/page/focus-where-lost.ts";
import "./sheet.css";

/** A question or a list in front of the screen: from below on a phone, where the thumb is, at the side elsewhere. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation("common");
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusWhereLost(heading.current), [title]);
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
