import type { ClosingReport } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { orderPath } from "../../components/order-link.tsx";
import { useClosingTexts } from "./use-closing-texts.ts";
import type texts from "./texts.json";

/** Something that prevents the closing, or that the manager should know before. */
interface Blocker {
  name: keyof typeof texts.blocker;
  count: number;
  items: readonly BlockerItem[];
}

interface BlockerItem {
  key: string;
  /** The check's reference, which the search also finds. */
  reference?: string;
  /** With a `path`, it links to the place where a manager resolves it. */
  name: string;
  path?: string;
  text?: string;
  /** Who can resolve it. */
  solver?: string;
}

/** Returns what the closing lists on screen and paper, except gaps in accounting. Ages count to `now`, in ms since 1970. */
export function useBlockers(report: ClosingReport, now: number, timeText: (iso: string) => string): Blocker[] {
  const { t, format } = useTranslation("backOffice");
  const closingTexts = useClosingTexts();
  const list = <T>(name: Blocker["name"], rows: readonly T[], itemOf: (row: T) => BlockerItem): Blocker => {
    return { name, count: rows.length, items: rows.map(itemOf) };
  };
  const check = (order: Parameters<typeof closingTexts.check>[0], text: string): BlockerItem => {
    const { posReference: reference } = order;
    return { key: reference, reference, name: closingTexts.check(order), path: orderPath(reference), text };
  };
  const solver = ({ role, userName }: ClosingReport["openShifts"][number]["solvedBy"]) =>
    userName === null ? t(`solvedByRole.${role}`) : t("solvedBy", { who: userName });
  const usual = [
    list("openChecks", closingTexts.sortByPlace(report.openChecks), (order) => {
      const paid = order.paid > 0 && t("paidOnIt", { amount: format.money(order.paid) });
      return check(order, [format.money(order.total), paid].filter(Boolean).join(", "));
    }),
    list("unsent", report.unsentTerminals, (terminal) => {
      const { terminalId } = terminal;
      return { key: terminalId, name: terminalId, path: "/terminals", text: closingTexts.unsent(terminal, now) };
    }),
    list("openShifts", report.openShifts, ({ shiftId, tillName, openedBy, openedAt, solvedBy }) => {
      const text = `${openedBy}, ${timeText(openedAt)}`;
      return { key: shiftId, name: tillName, path: "/tills", text, solver: solver(solvedBy) };
    }),
    list("payments", report.unappliedPayments, (payment) => {
      const text = `${format.money(payment.amount)} · ${payment.userName}`;
      return { ...check(payment, text), key: payment.paymentId, path: "/back-office/attention" };
    }),
  ];
  const rare = [
    list("pendingFiscal", report.pendingFiscal, (receipt) => check(receipt, receipt.type)),
    list("waitingPrints", report.waitingPrints, ({ jobId, printer, posReference, since }) => {
      return { key: jobId, name: [printer, posReference, timeText(since)].filter(Boolean).join(" · ") };
    }),
    way("keptChanges", report.keptChanges, { name: t("decideKeptChanges"), path: "/back-office/attention" }),
    way("losses", report.losses, { name: t("decideLosses"), path: "/system/backups" }),
  ];
  return [...usual, ...rare.filter(({ count }) => count > 0)];
}

/** Returns a blocker with a link instead of a list of its items. */
function way(name: Blocker["name"], count: number, place: { name: string; path: string }): Blocker {
  return { name, count, items: [{ key: name, ...place }] };
}
