import { ActButton } from "@comanda/ui/act-button.tsx";
import { Modal } from "@comanda/ui/modal.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useId, type ReactNode } from "react";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation("common");
  const titleId = useId();
  return (
    <Modal className="dialog" titleId={titleId} onDismiss={onClose}>
      <div className="dialog-content">
        <h2 id={titleId}>{title}</h2>
        {children}
        <ActButton kind="quiet" size="small" onAct={onClose}>
          {t("close")}
        </ActButton>
      </div>
    </Modal>
  );
}
