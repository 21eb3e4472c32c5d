import type { StoredLine } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useTerminal } from "../../lib/pos.ts";
import { isHeld, isUnsent, nameOf } from "../../checks/check-lines.ts";
import { LineSteps } from "./line-steps.tsx";
import type { LineProgress } from "./line-progress.ts";

/** A line of a check; a tap selects it, or no longer. One that was not sent has its quantity steps beside it. */
export function LineRow({
  line,
  isSelected,
  progress,
  onToggle,
  onQuantity,
  onOpen,
}: {
  line: StoredLine;
  isSelected: boolean;
  progress: LineProgress | undefined;
  onToggle: (lineId: string) => void;
  onQuantity: (lineId: string, quantity: number) => void;
  /** Opens its choices. */
  onOpen: (lineId: string) => void;
}) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const name = nameOf(line);
  const counted = chargedQuantity(line);
  const isVoid = counted === 0;
  return (
    <div className="line" data-unsent={(isUnsent(line) && !isHeld(line)) || undefined}>
      <button
        type="button"
        className="line-main"
        aria-pressed={isSelected}
        disabled={isVoid}
        data-void={isVoid || undefined}
        onClick={() => onToggle(line.id)}
      >
        <span className="line-quantity">
          {isSelected && <IconCheck size={18} aria-hidden />}
          {format.number(isVoid ? line.quantity : counted)}
        </span>
        <span className="line-name">
          <span className="line-dish">{name}</span>
          {aboutLine(line).map((about) => (
            <span key={about} className="line-note">
              {about}
            </span>
          ))}
          {line.allergy != null && line.allergy !== "" && (
            <span className="line-allergy">{t("allergy", { what: line.allergy })}</span>
          )}
          {discountOf(line) !== null && (
            <span className="line-note">{t("lineDiscount", { percent: discountOf(line) })}</span>
          )}
          {isVoid && <span className="line-note">{[t("voided"), line.voidReason].filter(Boolean).join(" · ")}</span>}
          {!isVoid && (line.voidedQuantity ?? 0) > 0 && (
            <span className="line-note">{t("voidedPart", { quantity: format.number(line.voidedQuantity ?? 0) })}</span>
          )}
          {!isVoid && progress !== undefined && <Progress {...progress} />}
        </span>
        <span className="money">{format.money(line.total ?? 0)}</span>
      </button>
      {isUnsent(line) && (
        <LineSteps line={line} onQuantity={(quantity) => onQuantity(line.id, quantity)} onOpen={onOpen} />
      )}
    </div>
  );
}

const tones = { sent: "idle", seen: "idle", started: "accent", ready: "good", served: "idle" } as const;

function Progress({ state, since }: LineProgress) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const terminal = useTerminal();
  const age = useTextAt(() => (since === null ? "" : format.durationShort(terminal.now() - Date.parse(since))));
  return (
    <span className="line-progress" data-tone={tones[state]}>
      {[t(`progress.${state}`), age].filter(Boolean).join(" · ")}
    </span>
  );
}

/** Modifiers and words of the guest. */
function aboutLine(line: StoredLine): string[] {
  const modifiers: unknown = line["modifiers"];
  const names = Array.isArray(modifiers)
    ? modifiers.flatMap((each: unknown) => {
        const name: unknown = typeof each === "object" && each !== null ? Reflect.get(each, "name") : null;
        return typeof name === "string" ? [name] : [];
      })
    : [];
  return [names.join(", "), line.note ?? "", line.specialRequest ?? ""].filter((text) => text !== "");
}

function discountOf(line: StoredLine): number | null {
  const discount: unknown = line["discount"];
  const percent: unknown = typeof discount === "object" && discount !== null ? Reflect.get(discount, "percent") : null;
  return typeof percent === "number" && percent > 0 ? percent : null;
}
