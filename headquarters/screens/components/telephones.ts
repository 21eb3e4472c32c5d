/** Matches telephone numbers: of ten digits, with or without the country's 1, or of any other country with its +. */
const TELEPHONE =
  /((?<!\d)(?:\+?1[\s.-]{0,3})?\(?[2-9]\d{2}\)?[\s.-]{0,3}\d{3}[\s.-]{0,3}\d{4}(?!\d)|\+\d(?:[\s.-]?\d){6,14}(?!\d))/;

/** Splits a text into parts. `number` is what to dial if the part is a telephone number, else null. */
export function splitTelephones(text: string): { text: string; number: string | null }[] {
  return text.split(TELEPHONE).map((part, index) => {
    // `split` puts the matched numbers at odd indexes.
    return { text: part, number: index % 2 === 0 ? null : part.replaceAll(/[^+\d]/g, "") };
  });
}
