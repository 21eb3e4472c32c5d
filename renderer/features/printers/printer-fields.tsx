import { Select } from "@mantine/core";
import { CodePage, type ListedPrinter } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { CheckField, SelectField, TextField } from "../../components/forms/form-fields.tsx";
import type { FormFields } from "./change-of-printer.ts";

const codePageNames: Readonly<Record<Exclude<CodePage, "auto">, string>> = {
  pc437: "PC437",
  pc850: "PC850",
  pc858: "PC858 (€)",
  cp1252: "Windows-1252",
};

/** The fields of a printer, and its substitute. */
export function PrinterFields({
  fields,
  others,
  onChange,
}: {
  fields: FormFields;
  others: readonly Pick<ListedPrinter, "id" | "name">[];
  onChange: (change: Partial<FormFields>) => void;
}) {
  const { t } = useTranslation("printers");

  return (
    <>
      <SelectField
        label={t("paper")}
        data={[
          { value: 80, label: t("width80") },
          { value: 58, label: t("width58") },
        ]}
        value={fields.width}
        onChange={(width) => onChange({ width })}
      />
      <CheckField label={t("cutter")} checked={fields.cutter} onChange={(cutter) => onChange({ cutter })} />
      <CheckField label={t("drawer")} checked={fields.drawer} onChange={(drawer) => onChange({ drawer })} />
      {others.length > 0 && (
        <Select
          label={t("fallback")}
          placeholder={t("noFallback")}
          data={others.map(({ id, name: label }) => ({ value: id, label }))}
          value={fields.fallback}
          clearable
          onChange={(fallback) => onChange({ fallback })}
        />
      )}
      <SelectField
        label={t("codePage")}
        description={t("codePageHint")}
        data={CodePage.options.map((value) => ({
          value,
          label: value === "auto" ? t("codePageAuto") : codePageNames[value],
        }))}
        value={fields.codePage}
        onChange={(codePage) => onChange({ codePage })}
      />
      <TextField
        label={t("model")}
        value={fields.model}
        maxLength={120}
        placeholder="Epson TM-T20III"
        onChange={(model) => onChange({ model })}
      />
    </>
  );
}
