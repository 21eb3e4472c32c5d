import type { RefundPayment, StoredLine } from "@comanda/protocol";
import { noteTypeOf, planRefund, type RefundPlan, type RefundRow } from "@comanda/rules";
import type { RefundToMake } from "@comanda/terminal";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { dishName } from "../../checks/check-lines.ts";
import type { PaidCheck } from "../../checks/paid-checks.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { Counter } from "../../components/counter.tsx";
import { HoldButton } from "../../components/hold-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { TextField } from "../../components/text-field.tsx";
import { refusalText } from "../../lib/page/show-refusal.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { methodName } from "../../receipt/receipt.tsx";
import { RefundOutcome } from "./refund-outcome.tsx";
import { useRefund } from "./use-refund.ts";

const reasons = ["mistake", "disliked", "overcharged", "notServed", "other"] as const;

/** The choices so far: quantity by line (all if not listed), reason, and the way of the money. */
interface Draft {
  chosen: ReadonlyMap<string, number>;
  reason: string;
  way: number;
}

/** Refunds all or some lines of a paid check. Says exactly what will happen, and needs a long press, as money goes out. */
export function RefundSheet({ check, onClose }: { check: PaidCheck; onClose: () => void }) {
  const { t } = useTranslation("recent");
  const { right, step, give, back } = useRefund(check.snapshot.refunds ?? []);
  const isBarred = right === "offline" || right === "otherUser" || right === "permission";
  const hasNumber = noteTypeOf(check.snapshot) !== null;
  const [draft, setDraft] = useState<Draft>({ chosen: new Map(), reason: "", way: 0 });
  // The PIN pad replaces the sheet.
  if (step.name === "approving") return null;
  return (
    <Sheet title={t("refund")} onClose={onClose}>
      <div className="tight refund">
        {isBarred && <output>{t(`refundBars.${right}`)}</output>}
        {!isBarred && !hasNumber && <output>{refusalText("ORDER_HAS_NO_NCF")}</output>}
        {!isBarred && hasNumber && step.name === "choose" && (
          <Choice check={check} draft={draft} onDraft={setDraft} onGive={give} />
        )}
        {step.name !== "choose" && (
          <RefundOutcome
            step={step}
            onAgain={(request) => void give(request, t("refund"))}
            onBack={back}
            onClose={onClose}
          />
        )}
      </div>
    </Sheet>
  );
}

function Choice({
  check: { posReference, snapshot },
  draft,
  onDraft,
  onGive,
}: {
  check: PaidCheck;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onGive: (request: Omit<RefundToMake, "refundId">, what: string) => Promise<void>;
}) {
  const { t, format } = useTranslation("recent");
  const menu = useMenu();
  const { chosen, reason, way } = draft;
  const takesLines = menu?.menu.creditNotes?.lines === true;
  const plan = planRefund(snapshot, chosen, menu?.menu.paymentMethods ?? null);
  const { amount, lines, options, isAll } = plan;
  const refund = options[way] ?? options[0];
  const describe = (parts: readonly RefundPayment[]) =>
    parts.length === 1
      ? methodName(menu, parts[0]?.methodId ?? "")
      : format.list(parts.map((part) => `${format.money(part.amount)} ${methodName(menu, part.methodId)}`));
  const dishes = lines.map(({ lineId, quantity }) => {
    const line = snapshot.lines.find(({ id }) => id === lineId);
    return `${format.quantity(quantity)} ${line === undefined ? "" : dishName(line, menu)}`;
  });
  const isReady = refund !== undefined && reason.trim() !== "";
  return (
    <>
      <Lines
        snapshot={snapshot}
        plan={plan}
        isFixed={!takesLines}
        onChosen={(next) => onDraft({ ...draft, chosen: next })}
      />
      {!takesLines && <p className="soft">{t("wholeNotesOnly")}</p>}
      <Reasons reason={reason} onReason={(next) => onDraft({ ...draft, reason: next })} />
      {options.length > 0 && (
        <Choices
          legend={t("refundBy")}
          of={[...options.keys()]}
          chosen={options.findIndex((each) => each === refund)}
          text={(index) => describe(options[index] ?? [])}
          onChoose={(index) => onDraft({ ...draft, way: index })}
          size="small"
        />
      )}
      {refund !== undefined && (
        <div className="refund-plan" role="status">
          <p className="refund-amount">
            {t("refundWhat", { amount: format.money(amount), methods: describe(refund) })}
          </p>
          <p>{format.list(dishes)}</p>
          <p>
            {t("refundNote", {
              type: noteTypeOf(snapshot) ?? "",
              ncf: snapshot.ncf ?? "",
            })}
          </p>
          <p className="soft">{t("refundKitchen")}</p>
        </div>
      )}
      <div className="sheet-foot">
        <HoldButton
          disabled={!isReady}
          onHeld={() => {
            if (refund === undefined) return;
            const what = t("refundAct", { amount: format.money(amount) });
            const request = { posReference, reason: reason.trim(), refund: [...refund] };
            void onGive(isAll ? request : { ...request, lines: [...lines] }, what);
          }}
        >
          {t("holdToRefund", { amount: format.money(amount) })}
        </HoldButton>
        {!isReady && (
          <p className="soft">
            {t(lines.length === 0 ? "refundNothing" : refund === undefined ? "refundNoWay" : "refundNeedsReason")}
          </p>
        )}
      </div>
    </>
  );
}

function Lines({
  snapshot,
  plan,
  isFixed,
  onChosen,
}: {
  snapshot: PaidCheck["snapshot"];
  plan: RefundPlan;
  isFixed: boolean;
  onChosen: (chosen: ReadonlyMap<string, number>) => void;
}) {
  const { t } = useTranslation("recent");
  const all = (quantity: (row: RefundRow) => number) =>
    new Map(plan.rows.map((row) => [row.lineId, quantity(row)] as const));
  const isNone = plan.lines.length === 0;
  return (
    <fieldset className="refund-lines" aria-label={t("refundLines")}>
      <legend>{t("refundLines")}</legend>
      {!isFixed && (
        <div className="chips">
          <ActButton size="small" aria-pressed={plan.isAll} onAct={() => onChosen(all(({ left }) => left))}>
            {t("refundAll")}
          </ActButton>
          <ActButton size="small" aria-pressed={isNone} onAct={() => onChosen(all(() => 0))}>
            {t("refundNone")}
          </ActButton>
        </div>
      )}
      <ul>
        {plan.rows.map((row) => {
          const line = snapshot.lines.find(({ id }) => id === row.lineId);
          if (line === undefined) return null;
          const choose = (quantity: number) => onChosen(all((each) => (each === row ? quantity : each.chosen)));
          return <LineRow key={row.lineId} line={line} row={row} isFixed={isFixed} onChoose={choose} />;
        })}
      </ul>
    </fieldset>
  );
}

function LineRow({
  line,
  row: { left, chosen },
  isFixed,
  onChoose,
}: {
  line: StoredLine;
  row: RefundRow;
  isFixed: boolean;
  onChoose: (quantity: number) => void;
}) {
  const { t, format } = useTranslation("recent");
  const menu = useMenu();
  const name = dishName(line, menu);
  const shown = t("refundOf", { chosen: format.quantity(chosen), left: format.quantity(left) });
  return (
    <li className="row refund-line" data-off={chosen === 0 || undefined}>
      <span>{name}</span>
      {isFixed ? (
        <strong>{shown}</strong>
      ) : (
        <Counter
          value={chosen}
          shown={shown}
          less={t("refundLess", { name })}
          more={t("refundMore", { name })}
          min={0}
          max={left}
          onValue={(next) => onChoose(Math.min(left, Math.max(0, next)))}
        />
      )}
    </li>
  );
}

function Reasons({ reason, onReason }: { reason: string; onReason: (reason: string) => void }) {
  const { t } = useTranslation(["recent", "check"]);
  const [isTyped, setTyped] = useState(false);
  const labelOf = (each: (typeof reasons)[number]) => t(`refundReasons.${each}`);
  return (
    <Choices
      legend={t("check:reason")}
      of={reasons}
      chosen={isTyped ? "other" : (reasons.find((each) => reason === labelOf(each)) ?? null)}
      text={labelOf}
      onChoose={(each) => {
        setTyped(each === "other");
        onReason(each === "other" ? "" : labelOf(each));
      }}
      size="small"
    >
      {isTyped && <TextField label={t("check:reason")} value={reason} maxLength={200} onValue={onReason} />}
    </Choices>
  );
}
