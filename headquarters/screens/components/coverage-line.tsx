import type { HqCoverage } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";
import { Mark } from "@comanda/ui/mark.tsx";
import { useHoleText } from "./use-hole-text.ts";

/** More are a sign that something else is wrong. */
const MOST_NAMES = 100;

/** Of how many restaurants figures are, as of when, and of how many something is missing; empty where nothing is to be said. */
export function useCoverageText(): (coverage: HqCoverage) => string {
  const { t, format } = useTranslation("common");
  return ({ asOf, restaurants: all, current, behind, holes }) => {
    const torn = new Set(holes.map(({ id }) => id)).size;
    const time = format.timeExact(asOf);
    return [
      // Of those that are closed for good nothing more is to come.
      ...(all === 0 ? [] : [t(behind.length === 0 ? "coverageAll" : "coverageSome", { count: all, current, time })]),
      ...(torn === 0 ? [] : [t("holes", { count: torn })]),
    ].join("; ");
  };
}

/** The same, with who and what is missing: figures hide nothing. */
export function CoverageLine({ coverage }: { coverage: HqCoverage }) {
  const { t, format } = useTranslation("common");
  const now = useNow();
  const holeText = useHoleText();
  const { behind, holes } = coverage;
  const said = useCoverageText()(coverage);
  if (behind.length + holes.length === 0) return said === "" ? null : <p className="coverage">{said}</p>;
  return (
    <details className="coverage">
      <summary>
        <Mark tone="warn">{said}</Mark>
      </summary>
      <Names title={t("missing")} rows={behind}>
        {({ since }) => (since === null ? t("neverSent") : t("missingSince", { time: format.when(since, now) }))}
      </Names>
      <Names title={t("holesOf")} rows={holes}>
        {({ cause }) => holeText(cause)}
      </Names>
    </details>
  );
}

/** Restaurants, with what is said of each; nothing where there are none. */
function Names<T extends { id: string; name: string }>({
  title,
  rows,
  children,
}: {
  title: string;
  rows: readonly T[];
  children: (row: T) => string;
}) {
  const { t } = useTranslation("common");
  if (rows.length === 0) return null;
  return (
    <>
      <p>{title}:</p>
      <ul>
        {rows.slice(0, MOST_NAMES).map((row, index) => (
          <li key={index}>
            <Link href={`/restaurants/${row.id}`}>{row.name}</Link>, {children(row)}
          </li>
        ))}
        {rows.length > MOST_NAMES && <li>{t("more", { count: rows.length - MOST_NAMES })}</li>}
      </ul>
    </>
  );
}
