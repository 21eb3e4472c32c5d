import type { BackOfficeModifier, BackOfficeTax, PaymentMethod } from "@comanda/protocol";

const anywhere = ["dine_in", "takeout", "delivery"];

export const taxes: readonly BackOfficeTax[] = [
  { id: 1, name: "ITBIS 18 %", rate: 18, included: false, orderTypes: anywhere },
  { id: 2, name: "Propina legal 10 %", rate: 10, included: false, orderTypes: ["dine_in"] },
  { id: 3, name: "Exento", rate: 0, included: false, orderTypes: anywhere },
];

export const paymentMethods: readonly PaymentMethod[] = [
  { id: 1, name: "Efectivo", type: "cash" },
  { id: 2, name: "Tarjeta", type: "bank" },
  { id: 3, name: "Crédito de cliente", type: "pay_later" },
];

/** Ids of the payment methods on credit. */
export const creditMethods: ReadonlySet<string> = new Set(
  paymentMethods.flatMap(({ id, type }) => (type === "pay_later" ? [String(id)] : [])),
);

const eatenHere = [1, 2];
const toTakeAway = [1];
const exempt = [3];

export interface SeedCategory {
  id: number;
  name: string;
  /** Taxes of its products that have none of their own. */
  taxIds: number[];
  /** Name, price in pesos before tax, taxes if different from the category's. */
  products: [name: string, price: number, taxIds?: number[]][];
}

/** Keyed by the product's name. */
export const modifiers: Readonly<Record<string, BackOfficeModifier[]>> = {
  "Mofongo de camarones": [
    { id: 901, name: "Camarones extra", price: 195 },
    { id: 902, name: "Sin ajo", price: 0 },
  ],
  Churrasco: [
    { id: 903, name: "Término medio", price: 0 },
    { id: 904, name: "Bien cocido", price: 0 },
    { id: 905, name: "Chimichurri", price: 45 },
  ],
  "Pollo a la plancha": [{ id: 906, name: "Queso gratinado", price: 85.5 }],
  Café: [
    { id: 907, name: "Con leche", price: 20 },
    { id: 908, name: "Sin azúcar", price: 0 },
  ],
  "Ron añejo, trago": [{ id: 909, name: "Doble", price: 245 }],
  "Menú del día para llevar": [{ id: 910, name: "Porción de tostones", price: 75 }],
};

/** 40 products; ids count from 101 in this order. Takeaway products have no legal tip. */
export const categories: readonly SeedCategory[] = [
  {
    id: 1,
    name: "Entradas",
    taxIds: eatenHere,
    products: [
      ["Tostones con salsa de ajo", 225],
      ["Quipes de res", 195],
      ["Croquetas de pollo", 240],
      ["Yaniqueques", 150],
      ["Chicharrón de cerdo", 385],
      ["Ensalada verde", 260],
      ["Sopa de pollo", 290],
    ],
  },
  {
    id: 2,
    name: "Platos fuertes",
    taxIds: eatenHere,
    products: [
      ["La Bandera", 450],
      ["Mofongo de camarones", 695],
      ["Mofongo de chicharrón", 575],
      ["Sancocho", 520],
      ["Chivo guisado", 640],
      ["Pollo a la plancha", 485],
      ["Churrasco", 1250],
      ["Chillo frito", 980],
      ["Pescado con coco", 890],
      ["Arroz con camarones", 720],
      ["Pasteles en hoja", 275],
    ],
  },
  {
    id: 3,
    name: "Acompañantes",
    taxIds: eatenHere,
    products: [
      ["Arroz blanco", 95],
      ["Moro de guandules", 120],
      ["Habichuelas guisadas", 110],
      ["Puré de yuca", 145],
      ["Aguacate", 85, exempt],
    ],
  },
  {
    id: 4,
    name: "Bebidas",
    taxIds: eatenHere,
    products: [
      ["Agua", 60, exempt],
      ["Refresco", 90],
      ["Jugo de chinola", 145],
      ["Morir soñando", 165],
      ["Café", 80],
      ["Cerveza grande", 260],
      ["Cerveza pequeña", 175],
      ["Ron añejo, trago", 290],
      ["Mojito", 350],
      ["Vino de la casa, copa", 320],
    ],
  },
  {
    id: 5,
    name: "Postres",
    taxIds: eatenHere,
    products: [
      ["Flan de coco", 190],
      ["Tres leches", 225],
      ["Habichuelas con dulce", 175],
    ],
  },
  {
    id: 6,
    name: "Para llevar",
    taxIds: toTakeAway,
    products: [
      ["Menú del día para llevar", 425],
      ["Pollo entero para llevar", 780],
      ["Pan de agua, funda", 75, exempt],
      ["Empaque", 25],
    ],
  },
];
