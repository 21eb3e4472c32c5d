import { IconBackspace } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import "./keypad.css";

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/**
 * Keys of our own, so that no system keyboard covers the screen; those of a real keyboard work as well, and Enter there leads
 * to the first of what can be done with what was typed.
 */
export function Keypad({ hasPoint = false, onKey }: { hasPoint?: boolean; onKey: (key: string) => void }) {
  const { t } = useTranslation("pay");
  const type = useEffectEvent(onKey);
  const keys = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || target instanceof HTMLInputElement) return;
      if (/^\d$/.test(event.key)) type(event.key);
      else if (hasPoint && (event.key === "." || event.key === ",")) type(".");
      else if (event.key === "Backspace") type("erase");
      else if (event.key === "Enter" && !isControl(target)) actAfter(keys.current)?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [hasPoint]);
  return (
    <fieldset ref={keys} className="keypad" aria-label={t("keypad")}>
      {digits.map((digit) => (
        <ActButton key={digit} isRepeatable onAct={() => onKey(digit)}>
          {digit}
        </ActButton>
      ))}
      {hasPoint ? (
        <ActButton isRepeatable onAct={() => onKey(".")}>
          .
        </ActButton>
      ) : (
        <span />
      )}
      <ActButton isRepeatable onAct={() => onKey("0")}>
        0
      </ActButton>
      <ActButton isRepeatable aria-label={t("erase")} onAct={() => onKey("erase")}>
        <IconBackspace size={26} aria-hidden />
      </ActButton>
    </fieldset>
  );
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, textarea") !== null;
}

function actAfter(keypad: HTMLElement | null): HTMLElement | null {
  return keypad?.parentElement?.querySelector(".keypad ~ button:enabled, .keypad ~ * button:enabled") ?? null;
}
