import { Button } from "@mantine/core";
import { IconArrowLeft, IconDownload, IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { saveFile } from "@comanda/ui/save-file.ts";

/** What is done with a report, above it on the screen alone. */
export function ReportTools(props: {
  file: string;
  csv: () => string;
  /** Whether all of it has been read. */
  isReady?: boolean;
  onClose: () => void;
}) {
  const { file, csv, isReady = true, onClose } = props;
  const { t } = useTranslation("tills");
  return (
    <div className="button-row report-tools">
      <BackButton onClose={onClose} />
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} aria-hidden />}
        disabled={!isReady}
        onClick={() => window.print()}
      >
        {t("print")}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={!isReady}
        onClick={() => saveFile(new Blob([csv()], { type: "text/csv" }), file)}
      >
        {t("csv")}
      </Button>
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
  return (
    <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
      {t("back")}
    </Button>
  );
}
