import { chargedQuantity } from "@comanda/rules";
import {
  checkToPay,
  checkWithDishes,
  isPersonRefused,
  reopeningsFor,
  settledBy,
  type Conflict,
  type LocalOrder,
  type OrderLine,
  type Terminal,
} from "@comanda/terminal";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { refusalTexts } from "@comanda/ui/refusal-texts.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { HoldButton } from "../../components/hold-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { attempt, showRefusal } from "../../lib/page/show-refusal.ts";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { type CheckToPay, type Choice, choicesOf, isForManagers } from "../../checks/choices-of.ts";
import { dishName } from "../../checks/check-lines.ts";
import { newReference } from "../../checks/new-check.ts";
import { askForApproval } from "../../people/ask-for-approval.ts";
import { broughtBy, textCode, comparisonsOf, isBillOut } from "./conflict-comparisons.ts";
import { addOutcome } from "./outcomes.ts";
import { sendPaidDishes } from "./send-paid-dishes.ts";

/** A change that the hub refused or altered: what it is, both states, and the ways to resolve it. */
export function ConflictCard({ conflict }: { conflict: Conflict }) {
  const { t, format } = useTranslation("conflicts");
  const terminal = useTerminal();
  const { title, place } = useConflictTitle(conflict);
  const toPay = checkToPay(conflict, expectedOrders(terminal));
  const titleOf = useCheckTitles();
  const movedTo = isElsewhere(toPay, conflict) ? titleOf(toPay.snapshot) : null;
  const why = useWhy(conflict, place, movedTo);
  const menu = useMenu();
  const whatOf = useWhat();
  const out = conflict.orders
    .flatMap(({ mine, hub }) => mine?.lines ?? hub?.snapshot.lines ?? [])
    .find(({ id }) => id === conflict.refusal.lineId);
  return (
    <article className="toned-card conflicts-card" data-tone={conflict.isNotice ? "warn" : "bad"}>
      <header>
        <strong>{title}</strong>
        <span className="soft">{format.ago(conflict.queuedAt, terminal.now())}</span>
      </header>
      <p>
        {why.what} {out !== undefined && `${dishName(out, menu)}. `}
        {why.todo}
      </p>
      <Comparisons conflict={conflict} toPay={toPay} />
      {conflict.behind.length > 0 && (
        <p>
          {t("behind", { count: conflict.behind.length, what: [...new Set(conflict.behind.map(whatOf))].join(", ") })}
        </p>
      )}
      <ConflictActions conflict={conflict} title={title} place={movedTo ?? place} toPay={toPay} />
    </article>
  );
}

function expectedOrders(terminal: Terminal): LocalOrder[] {
  return terminal
    .orders()
    .flatMap((order) => (order.paymentRefused ? (terminal.expectedOrder(order.posReference) ?? []) : order));
}

/** Whether a payment goes to another check than its own. */
function isElsewhere(toPay: CheckToPay | null, { orders }: Conflict): toPay is CheckToPay {
  return toPay !== null && toPay.posReference !== orders[0]?.posReference;
}

/** Returns what happened, and what to do if no choice says so. `movedTo` is where the dishes of a payment are now. */
function useWhy(conflict: Conflict, place: string, movedTo: string | null): { what: string; todo?: string } {
  const { t } = useTranslation("conflicts");
  const { existing, after, refusedToken, errorCode } = conflict.refusal;
  if (existing !== undefined) {
    const name = existing.staffName ?? t("somebody");
    return { what: errorCode === "PARTY_SEATED" ? t("sameGuests", { name }) : t("twoChecks", { place, name }) };
  }
  if (movedTo !== null) return { what: t("movedTo", { place: movedTo }) };
  if (after !== undefined) return { what: t(`after.${after}`) };
  if (isBillOut(conflict)) return { what: t("billOut.what", { place }), todo: t("billOut.todo") };
  return refusedToken?.of === "approval" ? { what: t("approvalEnded") } : refusalTexts(textCode(conflict));
}

/** The buttons that resolve a conflict. `place` names the check of a payment by its table or customer. */
function ConflictActions({
  conflict,
  title,
  place,
  toPay,
}: {
  conflict: Conflict;
  title: string;
  place: string;
  toPay: CheckToPay | null;
}) {
  const { t } = useTranslation(["conflicts", "common"]);
  const terminal = useTerminal();
  const actor = useLive("actor");
  const titleOf = useCheckTitles();
  const [isGivingBack, setGivingBack] = useState(false);
  const { id } = conflict;
  const isContent = conflict.intent.type === "ORDER_UPSERT" || conflict.intent.type === "ORDER_BATCH";

  const acts: Record<Exclude<Choice, "discard">, () => unknown> = {
    merge: () => attempt(() => terminal.mergeWithExisting(id)),
    keepBoth: () => attempt(() => terminal.keepBoth(id)),
    ownCheck: () => attempt(() => terminal.onOwnCheck(id, newReference(terminal.now()))),
    retry: () => attempt(() => terminal.retry(id, undefined, isBillOut(conflict) ? reopeningsFor(conflict) : [])),
    giveBack: () => setGivingBack(true),
    applyAsPart() {
      if (toPay === null) return;
      const { posReference } = toPay;
      const others = expectedOrders(terminal).filter((check) => check.posReference !== posReference);
      const check = checkWithDishes(conflict, others);
      const rest = check && { posReference: check.posReference, place: titleOf(check.snapshot) };
      const applied = attempt(() => terminal.applyAsPart(id, posReference));
      if (applied !== null) {
        const { collect, giveBack } = applied;
        addOutcome({ id, posReference, place, collect, giveBack, rest });
        sendPaidDishes(terminal, conflict, posReference);
      }
    },
    async approve() {
      const approved = await askForApproval(title, isForManagers(conflict) ? "managers" : undefined);
      if (approved !== null) attempt(() => approved.retry(id));
    },
  };
  const labels: Record<Choice, string> = {
    merge: t("choice.merge"),
    keepBoth: t("choice.keepBoth"),
    ownCheck: t("choice.ownCheck"),
    approve: t("choice.approve"),
    applyAsPart: t(isElsewhere(toPay, conflict) ? "choice.applyTo" : "choice.applyAsPart", { place }),
    giveBack: t("choice.giveBack"),
    retry: isPersonRefused(conflict.refusal)
      ? t("choice.retryAs", { name: actor?.user.name ?? "" })
      : isContent && conflict.refusal.errorCode === "CONFLICT"
        ? t("choice.keepMine")
        : t(isBillOut(conflict) ? "choice.reopen" : "common:retry"),
    discard: isContent ? t("choice.keepTheirs") : t("choice.discard"),
  };

  const choices = choicesOf(conflict, { toPay, acting: actor?.user ?? null });
  const [first] = choices;
  return (
    <div className="chips conflicts-acts">
      {choices.map((choice) =>
        choice === "discard" ? (
          <HoldButton key={choice} onHeld={() => void discard()}>
            {labels.discard}
            <span className="conflicts-hint">{t("holdIt")}</span>
          </HoldButton>
        ) : (
          <ActButton key={choice} kind={choice === first ? "main" : "plain"} onAct={() => void acts[choice]()}>
            {labels[choice]}
          </ActButton>
        ),
      )}
      {isGivingBack && <GiveBack conflict={conflict} title={title} onClose={() => setGivingBack(false)} />}
    </div>
  );

  async function discard(): Promise<void> {
    await terminal.discard(id).catch(showRefusal);
  }
}

const reasons = ["changed", "left", "mistake"] as const;

function GiveBack({ conflict, title, onClose }: { conflict: Conflict; title: string; onClose: () => void }) {
  const { t, format } = useTranslation("conflicts");
  const terminal = useTerminal();
  const [reason, setReason] = useState<(typeof reasons)[number] | null>(null);
  return (
    <Sheet title={t("choice.giveBack")} onClose={onClose}>
      <p>{title}</p>
      <p>{t("giveBackWhy")}</p>
      <Choices
        className="chips conflicts-acts conflicts-reasons"
        of={reasons}
        chosen={reason}
        text={(each) => t(`reason.${each}`)}
        onChoose={setReason}
      />
      <HoldButton
        kind="money"
        disabled={reason === null}
        onHeld={() => {
          if (reason === null) return;
          if (attempt(() => terminal.giveBack(conflict.id, t(`reason.${reason}`))) !== null) onClose();
        }}
      >
        {t("gaveBack", { amount: format.money(broughtBy(conflict.intent)) })}
        <span className="conflicts-hint">{t("holdIt")}</span>
      </HoldButton>
    </Sheet>
  );
}

/** The differences between both states, side by side. */
function Comparisons({ conflict, toPay }: { conflict: Conflict; toPay: CheckToPay | null }) {
  const { t, format } = useTranslation("conflicts");
  const amount = settledBy(conflict.intent);
  if (conflict.refusal.existing !== undefined) return null;
  return comparisonsOf(conflict, toPay).map((check) => (
    <div key={check.posReference} className="conflicts-sides">
      <section aria-label={t("mine")}>
        <h3>{t("mine")}</h3>
        {amount !== null && <p>{t("taken", { amount: format.money(amount) })}</p>}
        <Side check={check} of="mine" />
      </section>
      <section aria-label={t("theirs")}>
        <h3>{t("theirs")}</h3>
        <Side check={check} of="theirs" />
        {amount !== null && check.due !== null && <p>{t("due", { amount: format.money(check.due) })}</p>}
      </section>
    </div>
  ));
}

function Side({ check, of }: { check: ReturnType<typeof comparisonsOf>[number]; of: "mine" | "theirs" }) {
  const { t, format } = useTranslation("conflicts");
  const names = useTableNames();
  const menu = useMenu();
  const content = check[of];
  if (content === null) return <p>{t("checkRemoved")}</p>;
  const lineText = (line: OrderLine): string => {
    const isVoid = line.voided === true;
    const dish = `${format.quantity(isVoid ? line.quantity : chargedQuantity(line))} × ${dishName(line, menu)}`;
    return joinWithDots(dish, line.note, isVoid && t("voided"));
  };
  const valueOf = ({ name, [of]: value }: (typeof check.fields)[number]): string => {
    if (value === null || value === undefined || value === "") return t("none");
    return name === "tableId" ? (names.get(Number(value)) ?? "") : String(value);
  };
  return (
    <>
      <ul>
        {check.lines.map(({ lineId, [of]: line }) => (
          <li key={lineId}>{line === null ? t("notThere") : lineText(line)}</li>
        ))}
        {check.fields.map((field) => (
          <li key={field.name}>{t(`field.${field.name}`, { value: valueOf(field) })}</li>
        ))}
      </ul>
      <p>{t("total", { amount: format.money(content.totals?.total ?? 0) })}</p>
    </>
  );
}

/** Returns the title of a conflict: "Cobro de RD$ 850 · Mesa 5". */
function useConflictTitle(conflict: Conflict): { title: string; place: string } {
  const { t } = useTranslation(["conflicts", "common"]);
  const names = useTableNames();
  const whatOf = useWhat();
  const { intent, orders } = conflict;
  const places = orders.map(({ mine, base, hub }) => {
    const content = mine ?? base ?? hub?.snapshot;
    const tableId = content?.tableId ?? null;
    if (tableId !== null) return names.get(tableId) ?? t("aTable");
    return content?.customerName || (hub?.snapshot.ticketNumber ?? t("common:takeaway"));
  });
  const place = [...new Set(places)].join(", ");
  return { title: joinWithDots(whatOf(intent), place), place };
}

/** Returns a function that describes an intent: "Cobro de RD$ 850". */
function useWhat(): (intent: Conflict["intent"]) => string {
  const { t, format } = useTranslation("conflicts");
  const menu = useMenu();
  return (intent) => {
    if (intent.type === "ITEM_STATE_SET") {
      return t("what.ITEM_STATE_SET", { name: menu?.product(intent.productId)?.name ?? "" });
    }
    if (intent.type === "ORDER_UPSERT" && intent.base === null) return t("what.newCheck");
    if (intent.type === "TILL_MOVE") {
      return t(`what.TILL_MOVE.${intent.kind}`, { amount: format.money(intent.amount) });
    }
    return t(`what.${intent.type}`, { amount: format.money(settledBy(intent) ?? 0) });
  };
}
