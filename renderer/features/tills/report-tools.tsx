import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef } from "react";
import { CsvButton, PrintButton } from "../../components/report-buttons.tsx";
import { useFocusReturn } from "../../lib/use-focus-return.ts";

/** What is done with a report, above it on the screen alone. */
export function ReportTools({
  file,
  csv,
  isReady = true,
  onClose,
}: {
  file: string;
  csv: () => string;
  /** Whether all of it has been read. */
  isReady?: boolean;
  onClose: () => void;
}) {
  return (
    <div className="button-row report-tools">
      <BackButton onClose={onClose} />
      <PrintButton disabled={!isReady} />
      <CsvButton file={file} csv={csv} disabled={!isReady} />
    </div>
  );
}

/** The way back from a report that was not read yet, or cannot be. */
export function WayBack({ onClose }: { onClose: () => void }) {
  return (
    <div className="button-row report-tools">
      <BackButton onClose={onClose} />
    </div>
  );
}

function BackButton({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("tills");
  const button = useRef<HTMLButtonElement>(null);
  // The report takes the place of what opened it.
  useFocusReturn();
  useEffect(() => button.current?.focus(), []);
  return (
    <Button ref={button} variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
      {t("back")}
    </Button>
  );
}
