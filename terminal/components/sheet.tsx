import { IconX } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Modal } from "@comanda/ui/modal.tsx";
import "./sheet.css";

/** A question or a list in front of the screen: from below on a phone, where the thumb is, at the side elsewhere. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation("common");
  const titleId = useId();
  return (
    <Modal className="sheet" titleId={titleId} onDismiss={onClose}>
      <header className="row sheet-head">
        <h2 id={titleId} className="sheet-title">
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
