import type texts from "./texts.json";

type NamedType = keyof (typeof texts)["ncfTypes"];

/** The types of fiscal number that the DGII knows, of which a house has sequences. */
const named = {
  B01: true,
  B02: true,
  B03: true,
  B04: true,
  B11: true,
  B12: true,
  B13: true,
  B14: true,
  B15: true,
  B16: true,
  B17: true,
  E31: true,
  E32: true,
  E33: true,
  E34: true,
  E41: true,
  E43: true,
  E44: true,
  E45: true,
  E46: true,
  E47: true,
} as const satisfies Record<NamedType, true>;

/** Whether `ncfTypes` of the texts says what a type is called. */
export function isNamedType(type: string): type is NamedType {
  return Object.hasOwn(named, type);
}
