import type { WebhookTestResult } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";

/** The receiver's answer to a test. */
export function TestResult({ result }: { result: WebhookTestResult }) {
  const { t, format } = useTranslation(["integrations", "common"]);
  return (
    <div className="webhook-answer" role="status">
      <StatusMark tone={result.sent && result.status < 300 ? "good" : "bad"}>
        {result.sent
          ? t("testAnswered", { status: result.status, duration: format.duration(result.durationMs) })
          : t("testFailed", { error: t(`common:webhookError.${result.error}`) })}
      </StatusMark>
      {result.sent && result.answer !== "" && <pre className="code-box">{result.answer}</pre>}
    </div>
  );
}
