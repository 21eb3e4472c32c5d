import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "../../components/choices.tsx";

export type Reason = "change" | "supplier" | "tips" | "safe" | "bank" | "check" | "other";

/** Why money moves, or the drawer opens. */
export function ReasonChoice({
  reasons,
  chosen,
  onChoose,
}: {
  reasons: readonly Reason[];
  chosen: Reason | null;
  onChoose: (reason: Reason) => void;
}) {
  const { t } = useTranslation("till");
  return (
    <Choices
      legend={t("reason")}
      of={reasons}
      chosen={chosen}
      text={(reason) => t(`reasons.${reason}`)}
      onChoose={onChoose}
      size="small"
    />
  );
}
