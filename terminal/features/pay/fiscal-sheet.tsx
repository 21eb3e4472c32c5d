import { isMistyped, mustIdentifyBuyer, digitsOf, hasRncForm } from "@comanda/protocol";
import { IconX } from "@tabler/icons-react";
import { useState, useEffect, useEffectEvent } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { CustomerSearch } from "./customer-search.tsx";
import { fiscalProblem, type FiscalChoice } from "./fiscal-types.ts";
import { Keypad } from "../../components/keypad.tsx";
import { TextField } from "../../components/text-field.tsx";
import { NumbersLeft, useScarceNumbers } from "./numbers-left.tsx";
import { chooseCustomer, type PayDraft } from "./pay-draft.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import type { Payment } from "./use-payment.ts";

const RNC_DIGITS = 11;
/** The hub's maximum. */
const NAME_LENGTH = 250;

/** The buyer of the fiscal number: its type, the RNC, and a customer who has both. */
export function FiscalSheet({ payment }: { payment: Payment }) {
  const { t } = useTranslation(["pay", "check"]);
  const { types, type, draft, total, change, setSheet } = payment;
  const close = (): void => setSheet(null);
  const { fiscal, customer } = draft;
  const problem = fiscalProblem(fiscal, type, total);
  const namesBuyer = type !== null && (type.namesBuyer || mustIdentifyBuyer(type.type, total));
  // For a buyer taken from the check, only the name is known.
  const named = customer?.name ?? (namesBuyer ? "" : fiscal.name);
  const scarce = useScarceNumbers(type?.type);
  const withRnc = useBuyerLookup(draft, change);
  const [isTyping, setTyping] = useState(problem !== null);
  return (
    <Sheet title={t("fiscal")} onClose={close}>
      <div className="stack">
        <fieldset className="chips" aria-label={t("fiscalType")}>
          {types.map((each) => (
            <ActButton
              key={each.type}
              size="small"
              aria-pressed={each.type === type?.type}
              onAct={() => change({ fiscal: { ...fiscal, type: each.type } })}
            >
              {t(`kinds.${each.kind}`)} <span className="act-more">{each.type}</span>
            </ActButton>
          ))}
        </fieldset>
        {scarce !== null && <NumbersLeft numbers={scarce} />}
        {named !== "" && (
          <p className="spread fiscal-customer">
            <strong>{named}</strong>
            <ActButton size="small" aria-label={t("noCustomer")} onAct={() => change(chooseCustomer(draft, null))}>
              <IconX size={20} aria-hidden />
            </ActButton>
          </p>
        )}
        <p className="spread fiscal-rnc">
          <span>{t("rnc")}</span>
          <output className="money">{fiscal.rnc === "" ? "—" : fiscal.rnc}</output>
          {!isTyping && (
            <ActButton size="small" onAct={() => setTyping(true)}>
              {t("typeRnc")}
            </ActButton>
          )}
        </p>
        {namesBuyer && customer === null && (
          <TextField
            label={t("buyerName")}
            value={fiscal.name}
            maxLength={NAME_LENGTH}
            onValue={(name) => change({ fiscal: { ...fiscal, name } })}
          />
        )}
        <output className="fiscal-problem" data-tone="warn">
          {problem !== null ? t(problem) : isMistyped(fiscal.rnc) ? t("mistyped") : ""}
        </output>
        {isTyping ? (
          <>
            <Keypad
              onKey={(key) => {
                const rnc = key === "erase" ? fiscal.rnc.slice(0, -1) : (fiscal.rnc + key).slice(0, RNC_DIGITS);
                change({ fiscal: withRnc(rnc) });
              }}
            />
            <ActButton kind="main" onAct={close}>
              {t("check:ok")}
            </ActButton>
          </>
        ) : (
          <CustomerSearch
            onChoose={(found) => {
              change(chooseCustomer(draft, found));
              close();
            }}
          />
        )}
      </div>
    </Sheet>
  );
}

/** More customers than may have the RNC's digits in their phone numbers. */
const LIMIT = 20;

/**
 * Fills in the name of the one customer with the typed RNC. A typed name stays; a found one is cleared when the RNC changes.
 * Returns a function that applies a key to the choice.
 */
function useBuyerLookup(
  { fiscal, customer, foundName }: Pick<PayDraft, "fiscal" | "customer" | "foundName">,
  onChange: (change: Partial<PayDraft>) => void,
): (rnc: string) => FiscalChoice {
  const { http } = useTerminal();
  const { rnc } = fiscal;
  const isLookedUp = customer === null && hasRncForm(rnc);
  const fill = useEffectEvent((name: string) => {
    if (fiscal.name !== "") return;
    onChange({ fiscal: { ...fiscal, name }, foundName: name });
  });
  useEffect(() => {
    if (!isLookedUp) return;
    let isOld = false;
    http.customers({ q: rnc, limit: LIMIT }).then(
      ({ customers }) => {
        const names = new Set(customers.filter((each) => digitsOf(each.rnc) === rnc).map(({ name }) => name));
        const [name] = names;
        if (!isOld && name !== undefined && names.size === 1) fill(name);
      },
      // On failure the name can be typed.
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [http, rnc, isLookedUp]);
  return (typed) => ({ ...fiscal, rnc: typed, name: fiscal.name === foundName ? "" : fiscal.name });
}
