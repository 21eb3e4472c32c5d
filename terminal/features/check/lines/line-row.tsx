import type { StoredLine } from "@comanda/protocol";
import { chargedQuantity, isOnPaper, lineDiscount, modifierNames, quantityToMake } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useWait } from "../../../lib/connection/use-wait.ts";
import { choiceOf, dishName, isHeld, isUnsent, netOf } from "../../../checks/check-lines.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import type { LineProgress } from "./line-progress.ts";

/** A line of a check; a tap toggles its selection. Its acts appear below all lines, so that no line moves. */
export function LineRow({
  line,
  isSelected,
  progress,
  onToggle,
}: {
  line: StoredLine;
  isSelected: boolean;
  progress: LineProgress | undefined;
  onToggle: (lineId: string) => void;
}) {
  const format = useFormat();
  const menu = useMenu();
  const counted = chargedQuantity(line);
  const isVoid = counted === 0;
  const isMade = quantityToMake(line) > 0;
  const row = useRef<HTMLButtonElement>(null);
  // The acts take room from the list, and must not cover the line.
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <button
      ref={row}
      type="button"
      className="line"
      aria-pressed={isSelected}
      disabled={isVoid}
      data-void={isVoid || undefined}
      data-unsent={(isUnsent(line) && !isHeld(line)) || undefined}
      onClick={() => onToggle(line.id)}
    >
      <span className="line-quantity">
        {isSelected && <IconCheck size={14} stroke={3} aria-hidden />}
        {format.quantity(isVoid ? line.quantity : counted)}
      </span>
      <span className="line-dish">{dishName(line, menu)}</span>
      <span className="line-more">
        <span className="line-about">
          <About line={line} isVoid={isVoid} />
        </span>
        {isMade && isOnPaper(line) && <OnPaper />}
        {isMade && !isOnPaper(line) && progress !== undefined && <Progress {...progress} />}
      </span>
      <span className="money">{format.money(netOf(line))}</span>
    </button>
  );
}

/** The details of a line: seat, course, allergy, modifiers, notes, discount and void reason. */
function About({ line, isVoid }: { line: StoredLine; isVoid: boolean }) {
  const { t, format } = useTranslation(["check", "kitchen"]);
  const { seat, course = 1 } = choiceOf(line);
  const percent = lineDiscount(line, "percent");
  return (
    <>
      {seat !== undefined && <b className="line-seat">{t("seat", { seat })}</b>}
      {course > 1 && !isHeld(line) && <span>{t("course", { course })}</span>}
      {line.allergy != null && line.allergy !== "" && (
        <b className="line-allergy">{t("kitchen:allergy", { what: line.allergy })}</b>
      )}
      {aboutLine(line).map((about) => (
        <span key={about}>{about}</span>
      ))}
      {percent > 0 && <span>{t("lineDiscount", { percent })}</span>}
      {isVoid && <span>{joinWithDots(t(line.comp === true ? "comp" : "voided"), line.voidReason)}</span>}
      {!isVoid && (line.voidedQuantity ?? 0) > 0 && (
        <span>{t("voidedPart", { quantity: format.quantity(line.voidedQuantity ?? 0) })}</span>
      )}
    </>
  );
}

/** Shown for a line sent on paper, whose progress the kitchen does not report. */
function OnPaper() {
  const { t } = useTranslation("check");
  return <span className="line-progress">{t("onPaper")}</span>;
}

const tones = { sent: "idle", seen: "idle", started: "accent", ready: "good", served: "idle" } as const;

function Progress({ state, since }: LineProgress) {
  const { t } = useTranslation("check");
  const age = useWait(since);
  return (
    <span className="line-progress" data-tone={tones[state]}>
      {joinWithDots(t(`progress.${state}`), age)}
    </span>
  );
}

/** Returns modifiers, note and special request. */
function aboutLine(line: StoredLine): string[] {
  return [modifierNames(line["modifiers"]).join(", "), line.note ?? "", line.specialRequest ?? ""].filter(
    (text) => text !== "",
  );
}
