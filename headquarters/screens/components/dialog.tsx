import { ActButton } from "@comanda/ui/act-button.tsx";
import { Modal } from "@comanda/ui/modal.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useId, type ReactNode } from "react";

/** A dialog that cannot be closed while `isBusy`: a failure has to be seen, and an answer must not close a later dialog. */
export function Dialog({
  title,
  isBusy = false,
  onClose,
  children,
}: {
  title: string;
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("common");
  const titleId = useId();
  return (
    <Modal className="dialog" titleId={titleId} {...(!isBusy && { onDismiss: onClose })}>
      <div className="dialog-content">
        <h2 id={titleId}>{title}</h2>
        {children}
        <ActButton kind="quiet" disabled={isBusy} onAct={onClose}>
          {t("close")}
        </ActButton>
      </div>
    </Modal>
  );
}
