import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { asFailure } from "../lib/hub-failure.ts";
import { toneIcon } from "./status-mark.tsx";

/** What happened, what it means, what to do, and the stable code. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation("failures");
  const failure = asFailure(error);
  const Icon = toneIcon.bad;
  return (
    <div className="error-notice" role="alert" data-tone="bad">
      <Icon size={20} aria-hidden />
      <div>
        <p className="error-what">{t(`${failure.code}.what`)}</p>
        <p>{t(`${failure.code}.todo`)}</p>
        <p className="error-code">
          <span className="mono">{failure.code}</span> · {failure.message}
        </p>
      </div>
      {onRetry !== undefined && (
        <Button variant="default" size="xs" onClick={onRetry}>
          {t("again")}
        </Button>
      )}
    </div>
  );
}
