import type { StoredLine } from "@comanda/protocol";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { nameOf } from "../../checks/check-lines.ts";
import { ActButton } from "../../components/act-button.tsx";
import { LineOptions } from "./line-options.tsx";

/** What can be changed of a line that was not sent: its choices, and its quantity. */
export function LineSteps({
  line,
  onQuantity,
  onOpen,
}: {
  line: StoredLine;
  onQuantity: (quantity: number) => void;
  onOpen: (lineId: string) => void;
}) {
  const { t } = useTranslation("check");
  const name = nameOf(line);
  return (
    <span className="line-steps">
      <LineOptions line={line} onOpen={onOpen} />
      <ActButton
        size="small"
        isRepeatable
        aria-label={t("less", { name })}
        // What the kitchen has is not lowered, it is voided.
        disabled={line.quantity <= (line.sentQuantity ?? 0)}
        onAct={() => onQuantity(line.quantity - 1)}
      >
        <IconMinus size={20} aria-hidden />
      </ActButton>
      <ActButton size="small" isRepeatable aria-label={t("more", { name })} onAct={() => onQuantity(line.quantity + 1)}>
        <IconPlus size={20} aria-hidden />
      </ActButton>
    </span>
  );
}
