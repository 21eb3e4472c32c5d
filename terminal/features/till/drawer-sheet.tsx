import { useTranslation } from "@comanda/ui/translation.ts";
import { Sheet } from "../../components/sheet.tsx";
import { showNotice } from "../../lib/notices.ts";
import { useTerminal } from "../../lib/pos.ts";
import { attempt } from "../../lib/show-refusal.ts";
import { ReasonChoice, type Reason } from "./reason-choice.tsx";

const reasons = ["change", "check", "other"] as const;

/** Opens the drawer without a sale: a reason is all it takes, and is kept. */
export function DrawerSheet({ tillId, onClose }: { tillId: string; onClose: () => void }) {
  const { t } = useTranslation("till");
  const terminal = useTerminal();

  function open(reason: Reason): void {
    if (attempt(() => terminal.openDrawer(tillId, t(`reasons.${reason}`))) === null) return;
    showNotice({ text: t("opening") });
    onClose();
  }

  return (
    <Sheet title={t("drawerTitle")} onClose={onClose}>
      <div className="till-sheet">
        <ReasonChoice reasons={reasons} chosen={null} onChoose={open} />
      </div>
    </Sheet>
  );
}
