import type { HqCoverage } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";
import { Mark } from "@comanda/ui/mark.tsx";
import { useHoleText } from "./use-hole-text.ts";

/** So many missing restaurants are a sign of another problem: further names are not shown. */
const MAX_NAMES = 100;

/** Returns a function that says how many restaurants figures cover, as of when, and how many have gaps; empty if nothing. */
export function useCoverageText(): (coverage: HqCoverage) => string {
  const { t, format } = useTranslation("common");
  return ({ asOf, restaurants: all, current, behind, holes }) => {
    const torn = new Set(holes.map(({ id }) => id)).size;
    const time = format.timeExact(asOf);
    return [
      // If all restaurants are closed for good, nothing more will arrive.
      ...(all === 0 ? [] : [t(behind.length === 0 ? "coverageAll" : "coverageSome", { count: all, current, time })]),
      ...(torn === 0 ? [] : [t("holes", { count: torn })]),
    ].join("; ");
  };
}

/** Shows the coverage of figures, with the restaurants and the data that are missing. */
export function CoverageLine({ coverage }: { coverage: HqCoverage }) {
  const { t, format } = useTranslation("common");
  const now = useNow();
  const holeText = useHoleText();
  const { behind, holes } = coverage;
  const text = useCoverageText()(coverage);
  if (behind.length + holes.length === 0) return text === "" ? null : <p className="coverage">{text}</p>;
  return (
    <details className="coverage">
      <summary>
        <Mark tone="warn">{text}</Mark>
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

/** A list of restaurants with a text for each. Shows nothing if there are none. */
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
        {rows.slice(0, MAX_NAMES).map((row, index) => (
          <li key={index}>
            <Link href={`/restaurants/${row.id}`}>{row.name}</Link>, {children(row)}
          </li>
        ))}
        {rows.length > MAX_NAMES && <li>{t("more", { count: rows.length - MAX_NAMES })}</li>}
      </ul>
    </>
  );
}
