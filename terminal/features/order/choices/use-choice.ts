import type { BackOfficeProduct, StoredLine } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { choiceOf, type Choice } from "../../../checks/check-lines.ts";
import { chosenModifiers, choicesOf, withTapped, type ModifierChoice } from "./modifier-choices.ts";
import { useFormDraft } from "../../../lib/page/form-draft.ts";
import type { Target } from "../editing/order-target.tsx";
import { readNote, writeNote, type NoteParts } from "./quick-notes.ts";

const quickAllergies = ["peanuts", "seafood", "milk", "gluten", "egg"] as const;
const quickNotes = ["noSalt", "noGarlic", "notSpicy", "wellDone", "toGo", "aside"] as const;

/** State of the choices for a dish. Begins with the values of the line, or with `start` for a new one. */
export function useChoice(
  product: BackOfficeProduct,
  line: StoredLine | undefined,
  start: Target & { quantity: number },
) {
  const { t } = useTranslation("order");
  const before = line === undefined ? firstChoice(start) : choiceOf(line);
  const suggestions = quickNotes.map((each) => t(`quickNotes.${each}`));
  const [quantity, setQuantity] = useState(before.quantity ?? 1);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(before.modifiers?.map((each) => Number(each.id))),
  );
  const allergens = quickAllergies.map((each) => t(`allergies.${each}`));
  const [typed, type] = useFormDraft<{ note?: NoteParts; allergy?: NoteParts }>(
    `dish ${location.hash} ${line?.id ?? product.id}`,
    () => ({}),
  );
  const note = typed.note ?? readNote(before.note ?? "", suggestions);
  const allergy = typed.allergy ?? readNote(before.allergy ?? "", allergens);
  const [seat, setSeat] = useState(before.seat ?? null);
  const [course, setCourse] = useState(before.course ?? 1);
  const choice: Choice = {
    quantity,
    modifiers: chosenModifiers(product, chosen, before.modifiers),
    note: writeNote(note),
    allergy: writeNote(allergy),
    course,
    ...(seat !== null && { seat }),
    ...(before.discount && { discount: before.discount }),
  };
  const tapModifier = (group: ModifierChoice, id: number): void => setChosen(withTapped(group, chosen, id));
  const notes = { suggestions, note, onNote: (next: NoteParts) => type({ note: next }) };
  const allergies = { suggestions: allergens, note: allergy, onNote: (next: NoteParts) => type({ allergy: next }) };
  const groups = choicesOf(product);
  return { choice, groups, chosen, tapModifier, notes, allergies, setQuantity, seat, setSeat, setCourse };
}

function firstChoice({ quantity, course, seat }: Target & { quantity: number }): Choice {
  return { quantity, course, ...(seat !== null && { seat }) };
}
