import { Button } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { saveFile } from "@comanda/ui/save-file.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** Prints the screen, unless `onClick` is given. */
export function PrintButton({
  disabled = false,
  onClick = () => window.print(),
}: {
  disabled?: boolean;
  onClick?: () => void;
}) {
  const { t } = useTranslation("common");
  return (
    <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} disabled={disabled} onClick={onClick}>
      {t("print")}
    </Button>
  );
}

/** Saves a table for a spreadsheet. */
export function CsvButton({ file, csv, disabled = false }: { file: string; csv: () => string; disabled?: boolean }) {
  const { t } = useTranslation("common");
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={disabled}
      onClick={() => saveFile(new Blob([csv()], { type: "text/csv" }), `${file}.csv`)}
    >
      {t("csv")}
    </Button>
  );
}
