/** Of ten digits, with or without the 1 of its country, or of any other country with its +; nothing that stands beside it. */
const TELEPHONE =
  /((?<!\d)(?:\+?1[\s.-]{0,3})?\(?[2-9]\d{2}\)?[\s.-]{0,3}\d{3}[\s.-]{0,3}\d{4}(?!\d)|\+\d(?:[\s.-]?\d){6,14}(?!\d))/;

/** A text in pieces, with what is dialled where one is a telephone. */
export function splitTelephones(text: string): { text: string; number: string | null }[] {
  return text.split(TELEPHONE).map((part, index) => {
    // What stands between two telephones stands between two of these.
    return { text: part, number: index % 2 === 0 ? null : part.replaceAll(/[^+\d]/g, "") };
  });
}
