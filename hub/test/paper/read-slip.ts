/** A station slip as a cook reads it. Every dish of a walk has a name of one word. */
export interface Slip {
  kind: "new" | "addition" | "void" | "move";
  station: string;
  /** Where the dishes go; a move also says from where. */
  to: string;
  from: string | null;
  dishes: { quantity: number; words: string }[];
}

const STATIONS = ["CALIENTE", "BAR", "FRIA"];

const KINDS: Readonly<Record<string, Slip["kind"]>> = {
  ADICIÓN: "addition",
  ANULADO: "void",
  "CAMBIO DE MESA": "move",
};
/** What is special about a single print. */
export const MARK = /^(COPIA \d+|(DE .*: )?SU IMPRESORA NO RESPONDE)$/;

/** Reads the lines of a slip; null if they are another document. */
export function readSlip(lines: readonly string[]): Slip | null {
  const unmarked = lines.filter((line) => !MARK.test(line));
  const at = unmarked.findIndex((line) => STATIONS.includes(line));
  if (at < 0 || at > 1) return null;
  const [station = "", ...rest] = unmarked.slice(at);
  const kind = KINDS[rest[0] ?? ""];
  const content = (kind === undefined ? rest : rest.slice(1)).filter((line) => line !== "PRIMERO");
  // A long place goes over several lines.
  const facts = content.findIndex((line) => /^(Cuenta|Mesero:) /.test(line));
  const [from, to] = content.slice(0, facts).join(" ").split(" > ");
  return {
    kind: kind ?? "new",
    station,
    from: to === undefined ? null : (from ?? ""),
    to: to ?? from ?? "",
    dishes: dishesIn(content.slice(facts)),
  };
}

function dishesIn(lines: readonly string[]): Slip["dishes"] {
  const dishes: Slip["dishes"] = [];
  for (const line of lines) {
    const dish = /^(?:ANULAR )?(\d+) (d\w+)$/.exec(line);
    const last = dishes.at(-1);
    if (dish !== null) dishes.push({ quantity: Number(dish[1]), words: dish[2] ?? "" });
    else if (/^[+*] /.test(line) && last !== undefined) last.words += ` ${line}`;
  }
  return dishes;
}

/** What a cook has to make, by station, place and words, who adds and subtracts what the slips say. */
export function addUp(slips: readonly Slip[]): Map<string, number> {
  const toMake = new Map<string, number>();
  const add = (key: string, quantity: number) => toMake.set(key, (toMake.get(key) ?? 0) + quantity);
  for (const { kind, station, from, to, dishes } of slips) {
    for (const { quantity, words } of dishes) {
      if (kind === "move") add(`${station} | ${from} | ${words}`, -quantity);
      add(`${station} | ${to} | ${words}`, kind === "void" ? -quantity : quantity);
    }
  }
  return new Map([...toMake].filter(([, quantity]) => quantity !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
