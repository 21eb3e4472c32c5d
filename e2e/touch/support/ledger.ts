/** Computes what a guest owes from the printed menu, without using any of the product's arithmetic. */

/** Prices in centavos before tax, as on the printed menu. */
const MENU = {
  "Tostones con salsa de ajo": 225_00,
  "Quipes de res": 195_00,
  "Croquetas de pollo": 240_00,
  Yaniqueques: 150_00,
  "Chicharrón de cerdo": 385_00,
  "Sopa de pollo": 290_00,
  "La Bandera": 450_00,
  "Mofongo de camarones": 695_00,
  Sancocho: 520_00,
  "Chivo guisado": 640_00,
  Churrasco: 1250_00,
  "Chillo frito": 980_00,
  "Pasteles en hoja": 275_00,
  "Moro de guandules": 120_00,
  Aguacate: 85_00,
  Agua: 60_00,
  Refresco: 90_00,
  "Cerveza grande": 260_00,
  Mojito: 350_00,
  "Flan de coco": 190_00,
  "Tres leches": 225_00,
  "Pollo entero para llevar": 780_00,
  "Pan de agua, funda": 75_00,
} as const;
export type Dish = keyof typeof MENU;

/** Which dishes each page of the menu has. */
const PAGES: [page: string, dishes: Dish[]][] = [
  [
    "Entradas",
    [
      "Tostones con salsa de ajo",
      "Quipes de res",
      "Croquetas de pollo",
      "Yaniqueques",
      "Chicharrón de cerdo",
      "Sopa de pollo",
    ],
  ],
  [
    "Platos fuertes",
    [
      "La Bandera",
      "Mofongo de camarones",
      "Sancocho",
      "Chivo guisado",
      "Churrasco",
      "Chillo frito",
      "Pasteles en hoja",
    ],
  ],
  ["Acompañantes", ["Moro de guandules", "Aguacate"]],
  ["Bebidas", ["Agua", "Refresco", "Cerveza grande", "Mojito"]],
  ["Postres", ["Flan de coco", "Tres leches"]],
  ["Para llevar", ["Pollo entero para llevar", "Pan de agua, funda"]],
];

/** Dishes without ITBIS and legal tip. */
const EXEMPT: readonly Dish[] = ["Aguacate", "Agua", "Pan de agua, funda"];

export function pageOf(dish: Dish): string {
  const page = PAGES.find(([, dishes]) => dishes.includes(dish));
  if (page === undefined) throw new Error(`the menu has no ${dish}`);
  return page[0];
}

/** Amounts in centavos. */
export interface Amounts {
  net: number;
  itbis: number;
  legalTip: number;
  total: number;
}

/**
 * Returns what these dishes cost at a table (18 % ITBIS, 10 % legal tip) or to take away (no legal tip). `extra` is the price
 * of options, `percentOff` a discount on the whole check. All prices are whole pesos, so no tax needs rounding.
 */
export function owed(
  dishes: readonly Dish[],
  { takeaway = false, extra = 0, percentOff = 0 }: { takeaway?: boolean; extra?: number; percentOff?: number } = {},
): Amounts {
  const share = (100 - percentOff) / 100;
  const priceOf = (chosen: readonly Dish[]) => chosen.reduce((price, dish) => price + MENU[dish], 0);
  const taxed = (priceOf(dishes.filter((dish) => !EXEMPT.includes(dish))) + extra) * share;
  const net = taxed + priceOf(dishes.filter((dish) => EXEMPT.includes(dish))) * share;
  const [itbis, legalTip] = [(taxed * 18) / 100, takeaway ? 0 : (taxed * 10) / 100];
  const total = net + itbis + legalTip;
  for (const amount of [net, itbis, legalTip]) {
    if (!Number.isInteger(amount)) throw new Error(`${amount} is no whole number of centavos`);
  }
  return { net, itbis, legalTip, total };
}

/** Formats an amount as in `RD$1,234.50`. */
export function pesos(centavos: number): string {
  const whole = String(Math.floor(centavos / 100)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return `RD$${whole}.${String(centavos % 100).padStart(2, "0")}`;
}
