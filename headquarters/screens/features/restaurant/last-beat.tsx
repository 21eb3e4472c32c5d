import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { HqRestaurantRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";

/** A clock that is off by less is shown as right. */
const CLOCK_MS = 5_000;

/** The values of a restaurant's last beat, with its age. */
export function LastBeat({
  beat,
  lastSeenAt,
}: {
  beat: NonNullable<HqRestaurantRow["beat"]>;
  lastSeenAt: string | null;
}) {
  const { t, format } = useTranslation(["restaurant", "now", "fleet"]);
  const now = useNow();
  const { terminals, kitchen, clockOffMs, lastBackupAt, freeDiskBytes } = beat;
  const sum = (amount: number, count: number) => t("ofChecks", { amount: format.money(amount), count });
  const facts: [name: string, value: string][] = [
    [t("heard"), lastSeenAt === null ? "–" : format.ago(lastSeenAt, now)],
    [t("now:sold"), sum(beat.paidTotal, beat.paidChecks)],
    [t("open"), sum(beat.openTotal, beat.openChecks)],
    [t("now:kitchen"), t("kitchenText", { count: kitchen.open, late: kitchen.late })],
    [t("fleet:terminals"), t("terminalsText", { count: terminals.connected, away: terminals.away })],
    [t("unsent"), format.number(beat.unsent)],
    ...beat.fiscal.map(({ type, remaining, expiresOn }): [string, string] => [
      t("fiscal", { type }),
      expiresOn === null
        ? t("fiscalText", { remaining: format.number(remaining) })
        : t("fiscalUntil", { remaining: format.number(remaining), day: format.date(expiresOn) }),
    ]),
    [t("backup"), lastBackupAt === null ? t("fleet:noBackup") : format.when(lastBackupAt, now)],
    [t("fleet:disk"), freeDiskBytes === null ? "–" : bytesText(format, freeDiskBytes)],
    [t("clock"), clockText(clockOffMs)],
    [t("fleet:version"), beat.version],
    [t("startedAt"), format.when(beat.startedAt, now)],
  ];

  function clockText(offMs: number | null): string {
    if (offMs === null) return "–";
    return Math.abs(offMs) < CLOCK_MS ? t("clockGood") : t("clockOff", { age: format.duration(Math.abs(offMs)) });
  }

  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
