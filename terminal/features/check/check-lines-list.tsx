import type { StoredLine } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "react-i18next";
import { isUnsent } from "../../checks/check-lines.ts";
import type { LineProgress } from "./line-progress.ts";
import { LineRow } from "./line-row.tsx";
import { ReadyNote } from "./ready-note.tsx";

/** The lines of a check: what the kitchen has and what it does not have yet, apart. */
export function CheckLinesList({
  order,
  progress,
  chosen,
  ...acts
}: {
  order: LocalOrder | undefined;
  progress: ReadonlyMap<string, LineProgress>;
  chosen: ReadonlySet<string>;
  onToggle: (lineId: string) => void;
  onQuantity: (lineId: string, quantity: number) => void;
  onOpen: (lineId: string) => void;
}) {
  const { t } = useTranslation("check");
  const { lines = [], notes } = order?.snapshot ?? {};
  const unsent = lines.filter(isUnsent);
  const sent = lines.filter((line) => !isUnsent(line));
  const row = (line: StoredLine) => (
    <li key={line.id}>
      <LineRow line={line} isSelected={chosen.has(line.id)} progress={progress.get(line.id)} {...acts} />
    </li>
  );
  return (
    <div className="check-lines">
      {notes != null && notes !== "" && <p className="check-notes">{notes}</p>}
      {lines.length === 0 && <p className="soft">{t("empty")}</p>}
      <ReadyNote progress={progress} />
      {sent.length > 0 && <ul>{sent.map(row)}</ul>}
      {unsent.length > 0 && (
        <>
          <h2 className="check-part">{t("notSent")}</h2>
          <ul>{unsent.map(row)}</ul>
        </>
      )}
    </div>
  );
}
