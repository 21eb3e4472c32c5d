import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { useLive } from "../../../lib/connection/pos.ts";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";

/** The check is another waiter's from now on: those at work come first, then those with a PIN here. */
export function HandOverSheet({ order: { posReference, snapshot }, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const act = useCheckAct(onDone);
  const atWork = useLive("presence").map(({ userName }) => userName);
  const people = useLive("people").map(({ name }) => name);
  const own = useLive("actor")?.user.name;
  const serving = useLive("orders").flatMap((order) => order.snapshot.staffName ?? []);
  const names = new Set([...(own === undefined ? [] : [own]), ...atWork, ...serving, ...people]);
  names.delete(snapshot.staffName ?? "");
  return (
    <Sheet title={t("handOver")} onClose={onClose}>
      <div className="stack low">
        {names.size === 0 && <p>{t("nobody")}</p>}
        <div className="check-chips">
          {[...names].map((name) => (
            <ActButton
              key={name}
              onAct={() =>
                act({
                  what: t("handOver"),
                  done: t("done.handedOver", { name }),
                  run: (commands) => commands.handOver(posReference, name),
                  undo: [posReference],
                })
              }
            >
              {name}
            </ActButton>
          ))}
        </div>
      </div>
    </Sheet>
  );
}
