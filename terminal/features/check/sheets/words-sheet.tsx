import { useTranslation } from "@comanda/ui/translation.ts";
import { Form } from "@comanda/ui/form.tsx";
import { useState } from "react";
import { Sheet } from "../../../components/sheet.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { randomText } from "../../../lib/device/random-text.ts";
import { useFormDraft } from "../../../lib/page/form-draft.ts";
import { rewordLine, type ChosenLine } from "../acts/line-acts.ts";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useSelectionText } from "../acts/use-selection-text.ts";

/** The kitchen's note and the allergy of a dish that was sent, or of a part of it. */
export function WordsSheet({ chosen: [only], ...props }: SheetProps) {
  return only === undefined ? null : <LineWords only={only} {...props} />;
}

function LineWords({
  order: { posReference },
  only,
  onClose,
  onDone,
}: Omit<SheetProps, "chosen"> & { only: ChosenLine }) {
  const { t } = useTranslation(["check", "order"]);
  const act = useCheckAct(onDone);
  const what = useSelectionText()([only]);
  const [newId] = useState(() => randomText(10));
  const { line } = only;
  const [words, change] = useFormDraft(`words ${posReference} ${line.id}`, () => ({
    note: line.note ?? "",
    allergy: line.allergy ?? "",
  }));
  const save = () =>
    act({
      what: t("what.reword", { what }),
      done: t("done.reworded", { what }),
      posReference,
      edit: (content) => rewordLine(content, only, words, newId),
      undo: [posReference],
    });
  return (
    <Sheet title={t("what.reword", { what })} onClose={onClose}>
      <Form className="stack" onSubmit={save}>
        <p>{t("rewordAbout")}</p>
        <TextField
          label={t("order:note")}
          value={words.note}
          maxLength={300}
          isFirst
          onValue={(note) => change({ note })}
        />
        <TextField
          label={t("order:allergy")}
          value={words.allergy}
          maxLength={120}
          onValue={(allergy) => change({ allergy })}
        />
        <button type="submit" className="act" data-kind="main">
          {t("save")}
        </button>
      </Form>
    </Sheet>
  );
}
