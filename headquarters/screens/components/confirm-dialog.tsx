import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { useAct } from "../lib/use-act.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { Mark } from "@comanda/ui/mark.tsx";

/**
 * Asks before an action. `about` is its current effect; the dialog warns if that has changed since it was opened. `conflict`:
 * the text for a CONFLICT, if the screen has one. The dialog closes once `work` has succeeded.
 */
export function ConfirmDialog(props: {
  title: string;
  about: string;
  action: string;
  conflict?: string;
  work: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { title, about, action, conflict, work, onClose } = props;
  const { t } = useTranslation("common");
  const { isBusy, error, act } = useAct();
  const [openedWith] = useState(about);
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p>{about}</p>
      {/* The action itself changes `about`, too. */}
      {!isBusy && about !== openedWith && (
        <p role="alert">
          <Mark tone="warn">{t("changedMeanwhile")}</Mark>
        </p>
      )}
      <ActButton kind="danger" disabled={isBusy} onAct={() => void act(work).then((worked) => worked && onClose())}>
        {action}
      </ActButton>
      <Failure error={error} {...(conflict !== undefined && { conflict })} />
    </Dialog>
  );
}
