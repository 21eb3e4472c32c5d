import { Button, Group } from "@mantine/core";
import type { DesktopTestResult } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusMark } from "../../components/status-mark.tsx";
import { useFormat } from "../../lib/format.ts";

interface TestResultProps {
  run: () => Promise<DesktopTestResult>;
  onSuggestion?: (port: number) => void;
}

/** A button that tests what was entered, and the result. */
export function TestResult({ run, onSuggestion }: TestResultProps) {
  const { t } = useTranslation("setup");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<DesktopTestResult | null>(null);

  async function test() {
    setBusy(true);
    setResult(null);
    try {
      setResult(await run());
    } finally {
      setBusy(false);
    }
  }

  return (
    <div>
      <Button variant="default" loading={busy} onClick={() => void test()}>
        {t("test")}
      </Button>
      <div role="status" className="setup-result">
        {result !== null &&
          (result.ok ? <Success result={result} /> : <Failure result={result} onSuggestion={onSuggestion} />)}
      </div>
    </div>
  );
}

function Success({ result }: { result: Extract<DesktopTestResult, { ok: true }> }) {
  const { t } = useTranslation("setup");
  const format = useFormat();
  if (result.what === "port") {
    return (
      <p>
        <StatusMark tone="good">
          {result.addresses.length === 0 ? t("portOwn") : t("portGood", { addresses: format.list(result.addresses) })}
        </StatusMark>
      </p>
    );
  }
  const { userName, tables, floors, products, hubMode } = result;
  return (
    <>
      <p>
        <StatusMark tone="good">{t("backOfficeGood", { name: userName, tables, floors, products })}</StatusMark>
      </p>
      {!hubMode && (
        <p>
          <StatusMark tone="warn">{t("hubModeOff")}</StatusMark>
        </p>
      )}
    </>
  );
}

interface FailureProps {
  result: Extract<DesktopTestResult, { ok: false }>;
  onSuggestion: ((port: number) => void) | undefined;
}

function Failure({ result, onSuggestion }: FailureProps) {
  const { t } = useTranslation("setup");
  const { suggestedPort } = result;
  return (
    <>
      <p>
        <StatusMark tone="bad">{t(`reason.${result.reason}`)}</StatusMark>{" "}
        {result.heldBy !== undefined && t("heldBy", { name: result.heldBy })}
      </p>
      <p className="soft">{result.error}</p>
      {suggestedPort !== undefined && onSuggestion !== undefined && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={() => onSuggestion(suggestedPort)}>
            {t("useSuggested", { port: suggestedPort })}
          </Button>
        </Group>
      )}
    </>
  );
}
