import type { LocalOrder } from "@comanda/terminal";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { CheckName } from "../../features/check/check-name.tsx";
import { useCheckTitles } from "../../lib/labels/check-title.ts";

/** Shown when the check has left its table, so that a tap meant for it does not change another check. */
export function OtherChecks({
  title,
  moved,
  checks,
  onChoose,
}: {
  title: string;
  /** The check that has left, if it is active elsewhere. */
  moved: LocalOrder | undefined;
  checks: readonly LocalOrder[];
  onChoose: (posReference: string) => void;
}) {
  const { t } = useTranslation(["order", "common"]);
  const titleOf = useCheckTitles();
  return (
    <div className="screen-none">
      <h1>{title}</h1>
      <p role="status">{t("leftTable")}</p>
      <div className="stack">
        {moved !== undefined && (
          <Link href={`/check/${encodeURIComponent(moved.posReference)}`} className="act">
            {titleOf(moved.snapshot)} · <CheckName check={moved} />
          </Link>
        )}
        {checks.map((check) => (
          <ActButton key={check.posReference} onAct={() => onChoose(check.posReference)}>
            <CheckName check={check} />
          </ActButton>
        ))}
        <Link href="/floor" className="act">
          {t("common:back")}
        </Link>
      </div>
    </div>
  );
}
