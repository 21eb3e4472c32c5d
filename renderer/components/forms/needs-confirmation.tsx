import { useTranslation } from "@comanda/ui/translation.ts";
import { useHub } from "../../lib/hub.ts";
import { usePinUntil } from "../../lib/session.ts";
import { StatusMark } from "../layout/status-mark.tsx";

/**
 * What gives access away or overwrites needs an account that the back-office has just confirmed. Returns a function that
 * says why something of that kind cannot be done now; undefined when it can.
 */
export function useNeedsConfirmation(): (what: string) => string | undefined {
  const { t } = useTranslation("common");
  const isUnreachable = useHub("overview").data?.backOffice.state === "unreachable";
  const isPin = usePinUntil() !== null;
  return (what) => {
    if (isUnreachable) return t("needsInternet", { what });
    return isPin ? t("needsPassword", { what }) : undefined;
  };
}

/** Says on a panel what of it cannot be done now, and why; nothing while all of it can. */
export function ConfirmationNote({ what }: { what: string }) {
  const reason = useNeedsConfirmation()(what);
  if (reason === undefined) return null;
  return (
    <p className="note-line" role="note">
      <StatusMark tone="idle">{reason}</StatusMark>
    </p>
  );
}
