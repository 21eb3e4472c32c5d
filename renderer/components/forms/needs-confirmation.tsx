import { useTranslation } from "@comanda/ui/translation.ts";
import { useHub } from "../../lib/hub.ts";
import { usePinUntil } from "../../lib/session.ts";
import { StatusMark } from "../layout/status-mark.tsx";

/**
 * Returns a function that says why actions that grant access or overwrite data are not possible now, or undefined if they are.
 * They need an account that the back-office has just confirmed.
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

/** Says on a panel which actions are not possible now, and why. Renders nothing if they are possible. */
export function ConfirmationNote({ what }: { what: string }) {
  const reason = useNeedsConfirmation()(what);
  if (reason === undefined) return null;
  return (
    <p className="note-line" role="note">
      <StatusMark tone="idle">{reason}</StatusMark>
    </p>
  );
}
