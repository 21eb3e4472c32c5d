import { Button, Group } from "@mantine/core";
import type { DesktopTestResult } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TechnicalDetail } from "../../components/failures/technical-detail.tsx";
import { BusyButton } from "../../components/forms/busy-button.tsx";

interface TestResultProps {
  run: () => Promise<DesktopTestResult>;
  onSuggestion?: (port: number) => void;
  /** What to do if nothing answers at the address. */
  unreachableHint?: string;
}

/** A button that tests the input, and the result. */
export function TestResult({ run, onSuggestion, unreachableHint }: TestResultProps) {
  const { t } = useTranslation(["setup", "common"]);
  const { data: result, error, isPending, mutate: test } = useMutation({ mutationFn: () => run() });
  return (
    <div>
      <BusyButton
        variant="default"
        loading={isPending}
        onClick={(event) => {
          // Input that cannot be tested, such as an invalid address, is reported at its field.
          if (event.currentTarget.form?.reportValidity() !== false) test();
        }}
      >
        {t("common:test")}
      </BusyButton>
      <div role="status" className="setup-result">
        {error !== null && (
          <>
            <Line tone="bad">{t("reason.failed")}</Line>
            <TechnicalDetail text={error.message} />
          </>
        )}
        {result !== undefined &&
          (result.ok ? (
            <Success result={result} />
          ) : (
            <Failure result={result} onSuggestion={onSuggestion} unreachableHint={unreachableHint} />
          ))}
      </div>
    </div>
  );
}

function Success({ result }: { result: Extract<DesktopTestResult, { ok: true }> }) {
  const { t, format } = useTranslation("setup");
  if (result.what === "port") {
    const { addresses, localOnly } = result;
    if (addresses.length > 0) return <Line tone="good">{t("portGood", { addresses: format.list(addresses) })}</Line>;
    return <Line tone="warn">{t(localOnly ? "portLocalOnly" : "portNoNetwork")}</Line>;
  }
  const { userName, tables, floors, products, hubMode } = result;
  return (
    <>
      <Line tone="good">{t("backOfficeGood", { name: userName, tables, floors, products })}</Line>
      {!hubMode && <Line tone="warn">{t("hubModeOff")}</Line>}
    </>
  );
}

function Line(mark: ComponentProps<typeof StatusMark>) {
  return (
    <p>
      <StatusMark {...mark} />
    </p>
  );
}

/** Whether the page itself explains the reason. Otherwise the system's English message helps. */
function hasOwnText({ reason }: Extract<DesktopTestResult, { ok: false }>): boolean {
  return reason !== "failed" && reason !== "port_not_allowed";
}

interface FailureProps {
  result: Extract<DesktopTestResult, { ok: false }>;
  onSuggestion: ((port: number) => void) | undefined;
  unreachableHint: string | undefined;
}

function Failure({ result, onSuggestion, unreachableHint }: FailureProps) {
  const { t } = useTranslation("setup");
  const { suggestedPort } = result;
  return (
    <>
      <p>
        <StatusMark tone="bad">{t(`reason.${result.reason}`)}</StatusMark>{" "}
        {result.heldBy !== undefined && t("heldBy", { name: result.heldBy })}
      </p>
      {result.reason === "unreachable" && unreachableHint !== undefined && <p>{unreachableHint}</p>}
      {!hasOwnText(result) && <TechnicalDetail text={result.error} />}
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
