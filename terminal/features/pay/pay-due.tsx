import type { StoredLine } from "@comanda/protocol";
import { fromCents, missingMoney, type NextPayment, type Part } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { countUnsent, isHeld, toSend } from "../../checks/check-lines.ts";
import { shortLines } from "../../checks/short-lines.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { LargeMoney } from "./large-money.tsx";

/** The amount asked for now, the rest of the check, and warnings before money is taken. */
export function PayDue({ order, payment }: { order: LocalOrder; payment: NextPayment }) {
  const { snapshot, paymentRefused } = order;
  const { t, format } = useTranslation("pay");
  const { due, before, parts, next, charge } = payment;
  return (
    <>
      <div className="pay-due">
        <span>{next === -1 ? t("due") : t("part", { number: next + 1, count: parts.length })}</span>
        <LargeMoney className="pay-amount" amount={fromCents(charge.amount + charge.tip)} />
        {charge.tip > 0 && <span>{t("withTip", { tip: format.money(fromCents(charge.tip)) })}</span>}
        {(before.length > 0 || next !== -1) && (
          <span className="soft">
            {t("ofTotal", { due: format.money(fromCents(due)), total: format.money(snapshot.totals.total) })}
          </span>
        )}
      </div>
      {paymentRefused && (
        <output className="pay-warning" data-tone="bad">
          {t("refusedHere")}
        </output>
      )}
      <PaidBeforeRestore order={order} />
      <Unsent lines={snapshot.lines} />
      {parts.length > 0 && <Parts parts={parts} next={next} />}
    </>
  );
}

/** Warns of payments that this terminal knows but the hub lacks since it was restored from a backup. */
function PaidBeforeRestore({ order: { posReference, snapshot } }: { order: LocalOrder }) {
  const { t, format } = useTranslation("pay");
  useLive("formerChecks");
  const former = useTerminal().formerOrder(posReference);
  const missing = former === undefined ? 0 : missingMoney(former.snapshot, snapshot);
  if (missing <= 0) return null;
  return (
    <output className="pay-warning" data-tone="bad">
      {t("paidBeforeRestore", { amount: format.money(missing) })}
    </output>
  );
}

/** Says what happens to unsent dishes when the check is paid. */
function Unsent({ lines }: { lines: readonly StoredLine[] }) {
  const { t } = useTranslation("pay");
  const meant = toSend(lines);
  const short = shortLines(meant, useLive("itemStates")).map(({ line }) => line);
  const going = countUnsent(meant.filter((line) => !short.includes(line)));
  const waiting = countUnsent(lines.filter(isHeld));
  return (
    <>
      {going > 0 && (
        <p className="mark" data-tone="accent">
          {t("sendsWithPayment", { count: going })}
        </p>
      )}
      {waiting > 0 && (
        <p className="mark" data-tone="warn">
          {t("waits", { count: waiting })}
        </p>
      )}
    </>
  );
}

function Parts({ parts, next }: { parts: readonly Part[]; next: number }) {
  const { t, format } = useTranslation(["pay", "check"]);
  return (
    <ol className="chips" aria-label={t("check:parts")}>
      {parts.map(({ amount, left }, index) => {
        const state = left === 0 ? "paid" : left < amount ? "begun" : index === next ? "next" : "open";
        return (
          <li
            key={index}
            className="mark"
            data-tone={{ paid: "good", begun: "warn", next: "accent", open: "idle" }[state]}
          >
            {format.money(fromCents(state === "begun" ? left : amount))} {t(`partStates.${state}`)}
          </li>
        );
      })}
    </ol>
  );
}
