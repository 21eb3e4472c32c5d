const MARKS = /\p{M}/gu;

/** A text as searches compare it, without case and accents: `nunez` for `Núñez`. */
export function foldText(text: string): string {
  return text.normalize("NFD").replaceAll(MARKS, "").toLowerCase();
}
