import type { Company, ForeignCurrency } from "@comanda/protocol";

/** The company of the seeded restaurant. The RNC is invented, with a valid check digit. */
export const company = {
  name: "Comedor La Comanda",
  legalName: "Restaurantes del Malecón SRL",
  rnc: "130819688",
  address: "Av. George Washington 365, Gazcue, Santo Domingo",
  phone: "809-555-0100",
} satisfies Company;

/** Currencies accepted besides pesos, until `/stub/v1/currencies` changes them. */
export const currencies: ForeignCurrency[] = [
  { code: "USD", rate: 60, rounding: 1 },
  { code: "EUR", rate: 68.5, rounding: 1 },
];
