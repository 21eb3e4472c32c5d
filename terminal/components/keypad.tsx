import { IconBackspace } from "@tabler/icons-react";
import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { createScanDetector } from "../lib/page/key-reader.ts";
import "./keypad.css";

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/**
 * Digit keys on the screen, so that no system keyboard covers it. A hardware keyboard works as well; Enter moves the focus to
 * the first act after the keypad.
 */
export function Keypad({ hasPoint = false, onKey }: { hasPoint?: boolean; onKey: (key: string) => void }) {
  const { t } = useTranslation("pay");
  const type = useEffectEvent(onKey);
  const keys = useRef<HTMLFieldSetElement>(null);
  // Subscribes before paint, so that no key pressed as soon as the pad shows is lost.
  useLayoutEffect(() => {
    let typedOn: Element | null = null;
    const scans = createScanDetector();
    const listen = (event: KeyboardEvent) => {
      // A scanner may end with two Enters: the second would press the act that the first has focused.
      if (scans.feed(event.key, event.timeStamp) === "") return event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
      const { activeElement } = document;
      // If the user has moved the focus since, Enter presses the focused button.
      const act = event.key === "Enter" && typedOn === activeElement ? actAfter(keys.current) : null;
      if (/^\d$/.test(event.key)) type(event.key);
      else if (hasPoint && (event.key === "." || event.key === ",")) type(".");
      else if (event.key === "Backspace") type("erase");
      // A plain button that already has the focus is pressed.
      else if (act !== null && !(act === activeElement && act.dataset["kind"] === "plain")) act.focus();
      else return;
      typedOn = act === null ? activeElement : null;
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

function actAfter(keypad: HTMLElement | null): HTMLElement | null {
  return keypad?.parentElement?.querySelector(".keypad ~ button:enabled, .keypad ~ * button:enabled") ?? null;
}
