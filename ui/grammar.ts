/**
 * Corrects grammar that depends on the values in a sentence. A time such as "9:00 p. m." at its end has a full stop of its own,
 * and one o'clock is singular in Spanish.
 */
export function finishGrammar(text: string): string {
  return text.replaceAll(/(?<=\p{L}\.)\.(?=\s|$)/gu, "").replaceAll(/\b(l)as(?= 1(:|\s[ap]\.))/gi, "$1a");
}
