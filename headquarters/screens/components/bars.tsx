import { useTranslation } from "@comanda/ui/translation.ts";
import "./bars.css";

interface Bar {
  key: string;
  /** The text below the bar. */
  label: string;
  value: number;
  /** The formatted value, with more details if there are any. */
  text: string;
}

/** A card with bars side by side for values over time. Screen readers get the same values as a table. */
export function BarCard({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const { t } = useTranslation("common");
  const max = Math.max(...bars.map(({ value }) => value), 1);
  const peak = bars.find(({ value }) => value === max);
  return (
    <section className="card">
      <h2>{title}</h2>
      {peak !== undefined && (
        <p className="soft" aria-hidden>
          {t("peak", { label: peak.label, text: peak.text })}
        </p>
      )}
      <div className="bars-drawn" aria-hidden>
        {bars.map(({ key, label, value, text }) => (
          <div key={key} className="bar" title={`${label}: ${text}`}>
            <div className="bar-space">
              <div className="bar-fill" style={{ blockSize: `${Math.max(0, (value / max) * 100)}%` }} />
            </div>
            <span className="bar-label">{label}</span>
          </div>
        ))}
      </div>
      {/* Hidden by a wrapper, because a table never gets narrower than its words. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <tbody>
            {bars.map(({ key, label, text }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
