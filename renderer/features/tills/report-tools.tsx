import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef } from "react";
import { CsvButton, PrintButton } from "../../components/report-buttons.tsx";
import { useFocusReturn } from "../../lib/use-focus-return.ts";

interface ReportToolsProps {
  /** Absent where the report was not read yet, or cannot be: the way back is left. */
  report?: { file: string; csv: () => string };
  /** Whether all of it has been read. */
  isReady?: boolean;
  onClose: () => void;
}

/** What is done with a report, above it on the screen alone. */
export function ReportTools({ report, isReady = true, onClose }: ReportToolsProps) {
  const { t } = useTranslation("tills");
  const back = useRef<HTMLButtonElement>(null);
  // The report takes the place of what opened it.
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
