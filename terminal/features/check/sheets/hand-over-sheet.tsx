import { isActive, isLocked } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { Sheet } from "../../../components/sheet.tsx";
import { useLive } from "../../../lib/connection/pos.ts";
import { useCheckTitles } from "../../../lib/labels/check-title.ts";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";

/**
 * Hands the check over to another waiter, along with other checks of its waiter that are picked. Lists the acting user and
 * those at work first, then those with a PIN here.
 */
export function HandOverSheet({ order: { posReference, snapshot }, onClose, onDone }: SheetProps) {
  const { t, format } = useTranslation("check");
  const titleOf = useCheckTitles();
  const act = useCheckAct(onDone);
  const [picked, setPicked] = useState<readonly string[]>([posReference]);
  const orders = useLive("orders");
  const atWork = useLive("presence").map(({ userName }) => userName);
  const people = useLive("people").map(({ name }) => name);
  const own = useLive("actor")?.user.name;
  const serving = orders.flatMap((order) => order.snapshot.staffName ?? []);
  const names = new Set([...(own === undefined ? [] : [own]), ...atWork, ...serving, ...people]);
  const from = snapshot.staffName ?? "";
  names.delete(from);
  const theirs = orders.filter((order) => order.snapshot.staffName === from && isActive(order.snapshot.status));
  const open = new Map(
    theirs.filter((order) => !isLocked(order.snapshot.status)).map((order) => [order.posReference, order.snapshot]),
  );
  const meant = picked.filter((each) => each === posReference || open.has(each));
  const toggle = (each: string): void =>
    setPicked(picked.includes(each) ? picked.filter((other) => other !== each) : [...picked, each]);
  return (
    <Sheet title={t("handOver")} onClose={onClose}>
      <div className="stack low">
        {open.size > 1 && (
          <Choices
            legend={t("whichChecks", { name: from })}
            className="check-chips"
            of={[...open.keys()]}
            chosen={meant}
            text={(each) => {
              const check = open.get(each) ?? snapshot;
              return `${titleOf(check)} · ${format.money(check.totals.total)}`;
            }}
            onChoose={toggle}
            size="small"
            isRepeatable
          >
            <ActButton size="small" onAct={() => setPicked([...open.keys()])}>
              {t("allChecks", { count: open.size })}
            </ActButton>
          </Choices>
        )}
        {theirs.length > open.size && <p>{t("billsStay", { count: theirs.length - open.size, name: from })}</p>}
        {names.size === 0 && <p>{t("nobody")}</p>}
        <fieldset className="check-chips">
          {names.size > 0 && <legend>{t("toWhom")}</legend>}
          {[...names].map((name) => (
            <ActButton
              key={name}
              kind="main"
              disabled={meant.length === 0}
              onAct={() =>
                act({
                  what: t("handOver"),
                  done: t("done.handedOver", { name, count: meant.length }),
                  run: (commands) => commands.handOver(meant, name),
                  undo: meant,
                })
              }
            >
              {name}
            </ActButton>
          ))}
        </fieldset>
      </div>
    </Sheet>
  );
}
