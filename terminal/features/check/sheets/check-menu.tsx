import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import type { SheetName } from "../acts/sheet-props.ts";

const acts = ["moveCheck", "merge", "join", "handOver", "discount", "details"] as const;

/** The menu of acts on the whole check. */
export function CheckMenu({
  order: { snapshot },
  onSheet,
  onClose,
}: {
  order: LocalOrder;
  onSheet: (sheet: SheetName) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("check");
  return (
    <Sheet title={t("acts")} onClose={onClose}>
      <div className="stack low">
        <div className="check-chips">
          {acts
            .filter((name) => name !== "join" || snapshot.tableId !== null)
            .map((name) => (
              <ActButton key={name} onAct={() => onSheet(name)}>
                {t(name)}
              </ActButton>
            ))}
        </div>
        <div className="check-chips check-chips-apart">
          <ActButton kind="danger" onAct={() => onSheet("discard")}>
            {t("discard")}
          </ActButton>
        </div>
      </div>
    </Sheet>
  );
}
