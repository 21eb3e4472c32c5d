import { minPinDigits } from "@comanda/protocol";
import { IconBackspace, IconCheck } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import "../../components/keypad.css";
import "./person.css";

const MIN_DIGITS = minPinDigits("waiter");
const MAX_DIGITS = 8;

/** Digit keys on the screen, so that no system keyboard covers it. A hardware keyboard works as well. */
export function PinKeys({
  minDigits = MIN_DIGITS,
  isBusy = false,
  onPin,
}: {
  minDigits?: number;
  isBusy?: boolean;
  onPin: (pin: string) => void;
}) {
  const { t } = useTranslation(["person", "pay"]);
  const [digits, setDigits] = useState("");
  const canEnter = digits.length >= minDigits && !isBusy;
  const type = (digit: string) => setDigits((before) => (before + digit).slice(0, MAX_DIGITS));
  const erase = () => setDigits((before) => before.slice(0, -1));
  const enter = () => {
    if (!canEnter) return;
    setDigits("");
    onPin(digits);
  };

  // Takes digits wherever the focus is, and keeps them from other listeners while the pad is open.
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) type(event.key);
    else if (event.key === "Backspace") erase();
    else if (event.key === "Enter" && canEnter) enter();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => hear(event);
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, []);

  return (
    <fieldset className="keypad pin-keys" aria-label={t("pin.label")}>
      <output className="pin-digits" aria-label={t("pin.typed", { count: digits.length })}>
        {digits === "" ? <span className="soft">{t("pin.label")}</span> : "●".repeat(digits.length)}
      </output>
      {["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => (
        <ActButton key={digit} isRepeatable onAct={() => type(digit)}>
          {digit}
        </ActButton>
      ))}
      <ActButton isRepeatable aria-label={t("pay:erase")} onAct={erase}>
        <IconBackspace size={28} aria-hidden />
      </ActButton>
      <ActButton isRepeatable onAct={() => type("0")}>
        0
      </ActButton>
      {/* A second tap finds no digits, so it needs no guard against double taps, which could swallow a quick next PIN. */}
      <ActButton kind="main" isRepeatable disabled={!canEnter} aria-label={t("pin.enter")} onAct={enter}>
        <IconCheck size={28} aria-hidden />
      </ActButton>
    </fieldset>
  );
}
