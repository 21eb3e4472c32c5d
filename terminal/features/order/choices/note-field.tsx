import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import type { NoteParts } from "./quick-notes.ts";

/** A note for the kitchen, or a guest's allergy: suggestions to tap, and a text field. */
export function NoteField({
  kind,
  suggestions,
  note,
  onNote,
}: {
  kind: "note" | "allergy";
  suggestions: readonly string[];
  note: NoteParts;
  onNote: (note: NoteParts) => void;
}) {
  const { t } = useTranslation("order");
  const { quick } = note;
  const toggle = (word: string): void =>
    onNote({ ...note, quick: quick.includes(word) ? quick.filter((each) => each !== word) : [...quick, word] });
  return (
    <section aria-label={t(kind)} data-tone={kind === "allergy" ? "bad" : undefined}>
      <h2 className="row choice-title">{t(kind)}</h2>
      <Choices of={suggestions} chosen={quick} onChoose={toggle} size="small" isRepeatable />
      <label className="field choice-note">
        <span className="visually-hidden">{t(`${kind}Text`)}</span>
        <input
          value={note.free}
          placeholder={t(`${kind}Text`)}
          maxLength={kind === "allergy" ? 120 : 300}
          autoComplete="off"
          onChange={(event) => onNote({ ...note, free: event.currentTarget.value })}
        />
      </label>
    </section>
  );
}
