import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef } from "react";
import { CsvButton, PrintButton } from "../../components/report-buttons.tsx";
import { useFocusReturn } from "../../lib/use-focus-return.ts";

interface ReportToolsProps {
  /** Absent if the report is not read yet or cannot be read. Then only the way back is shown. */
  report?: { file: string; csv: () => string };
  /** Whether the whole report was read. */
  isReady?: boolean;
  onClose: () => void;
}

/** The buttons of a report, shown above it and not printed. */
export function ReportTools({ report, isReady = true, onClose }: ReportToolsProps) {
  const { t } = useTranslation("tills");
  const back = useRef<HTMLButtonElement>(null);
  // The report replaces the button that opened it.
  useFocusReturn();
  useEffect(() => back.current?.focus(), []);
  return (
    <div className="button-row report-tools">
      <Button ref={back} variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
        {t("back")}
      </Button>
      {report !== undefined && (
        <>
          <PrintButton disabled={!isReady} />
          <CsvButton {...report} disabled={!isReady} />
        </>
      )}
    </div>
  );
}
