const MARKS = /\p{M}/gu;

/** Folds a text for searching, without case and accents: `nunez` for `Núñez`. */
export function foldText(text: string): string {
  return text.normalize("NFD").replaceAll(MARKS, "").toLowerCase();
}
