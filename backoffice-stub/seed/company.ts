import type { Company, ForeignCurrency } from "@comanda/protocol";

/** Who sells in the seeded restaurant. The RNC is made up; its check digit is good. */
export const company = {
  name: "Comedor La Comanda",
  legalName: "Restaurantes del Malecón SRL",
  rnc: "130819688",
  address: "Av. George Washington 365, Gazcue, Santo Domingo",
  phone: "809-555-0100",
} satisfies Company;

/** What is taken beside pesos until `/stub/v1/currencies` says otherwise. */
export const currencies: ForeignCurrency[] = [
  { code: "USD", rate: 60, rounding: 1 },
  { code: "EUR", rate: 68.5, rounding: 1 },
];
