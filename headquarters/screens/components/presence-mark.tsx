import type { HqPresence } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { Mark } from "@comanda/ui/mark.tsx";

/** Shows a restaurant's presence, or that it is closed: a closed restaurant may be switched off. */
export function PresenceMark({
  presence,
  lastSeenAt,
  isOpen,
}: {
  presence: HqPresence;
  lastSeenAt: string | null;
  isOpen: boolean;
}) {
  const { t, format } = useTranslation("common");
  const isClosed = !isOpen && presence !== "never";
  const name = isClosed ? "closed" : presence;
  const text = useTextAt((now) =>
    t(`presence.${name}`, { age: lastSeenAt === null ? "" : format.age(now - Date.parse(lastSeenAt)) }),
  );
  const tone = { online: "good", late: "warn", offline: "bad", never: "idle", closed: "idle" } as const;
  return <Mark tone={tone[name]}>{text}</Mark>;
}
