import type { LocalOrder } from "@comanda/terminal";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { CheckName } from "../../features/check/check-name.tsx";

/** The check that was shown has left its table, which has others: a tap that was meant for it must not land on one of them. */
export function OtherChecks({
  title,
  checks,
  onChoose,
}: {
  title: string;
  checks: readonly LocalOrder[];
  onChoose: (posReference: string) => void;
}) {
  const { t } = useTranslation("order");
  return (
    <div className="screen-none">
      <h1>{title}</h1>
      <p role="status">{t("leftTable")}</p>
      <div className="stack">
        {checks.map((check) => (
          <ActButton key={check.posReference} onAct={() => onChoose(check.posReference)}>
            <CheckName check={check} />
          </ActButton>
        ))}
        <Link href="/floor" className="act">
          {t("back")}
        </Link>
      </div>
    </div>
  );
}
