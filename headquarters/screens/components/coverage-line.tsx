import type { HqCoverage } from "@comanda/protocol/headquarters.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";

/** More are a sign that something else is wrong. */
const MOST_NAMES = 100;

/** Of how many restaurants the figures are, as of when, and who is missing: they hide nobody. */
export function CoverageLine({ coverage }: { coverage: HqCoverage }) {
  const { t } = useTranslation("common");
  const format = useFormat();
  const now = useNow();
  const { asOf, restaurants: all, current, behind } = coverage;
  const isAll = behind.length === 0;
  const text = t(isAll ? "coverage_all" : "coverage_some", { all, current, time: format.timeExact(asOf) });
  if (isAll) return <p className="coverage">{text}</p>;
  return (
    <details className="coverage">
      <summary>
        <span data-tone="warn" className="mark">
          {text}
        </span>
      </summary>
      <p>{t("missing")}:</p>
      <ul>
        {behind.slice(0, MOST_NAMES).map(({ id, name, since }) => (
          <li key={id}>
            <Link href={`/restaurants/${id}`}>{name}</Link>,{" "}
            {since === null ? t("neverSent") : t("missingSince", { time: format.when(since, now) })}
          </li>
        ))}
        {behind.length > MOST_NAMES && <li>{t("more", { count: behind.length - MOST_NAMES })}</li>}
      </ul>
    </details>
  );
}
