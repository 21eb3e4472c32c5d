// Upper halves of the code pages of receipt printers, copied from their manuals.

const cp437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
const cp850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";
const cp858 = cp850.replace("ı", "€");

/** Code pages by their `ESC t` number (Epson's list). */
const pages: Readonly<Record<number, { name: string; upper: string | null }>> = {
  0: { name: "pc437", upper: cp437 },
  2: { name: "pc850", upper: cp850 },
  16: { name: "cp1252", upper: null },
  19: { name: "pc858", upper: cp858 },
};

const windows1252 = new TextDecoder("windows-1252");

export function codePage(number: number): { name: string; letter(byte: number): string } {
  const page = pages[number];
  if (page === undefined) throw new Error(`no code page ${number} is known`);
  return {
    name: page.name,
    letter(byte) {
      if (byte < 128) return String.fromCharCode(byte);
      return page.upper?.[byte - 128] ?? windows1252.decode(Uint8Array.of(byte));
    },
  };
}
