import type { OrderLine } from "@comanda/terminal";

/** Products of the stand-in's menu, as a terminal would put them on a check. */
export const products = {
  tostones: { productId: "101", name: "Tostones con salsa de ajo", unitPrice: 225 },
  bandera: { productId: "108", name: "La Bandera", unitPrice: 450 },
  mofongo: { productId: "109", name: "Mofongo de camarones", unitPrice: 695 },
  sancocho: { productId: "111", name: "Sancocho", unitPrice: 520 },
  chivo: { productId: "112", name: "Chivo guisado", unitPrice: 640 },
  chillo: { productId: "115", name: "Chillo frito", unitPrice: 980 },
  mojito: { productId: "132", name: "Mojito", unitPrice: 350 },
  flan: { productId: "134", name: "Flan de coco", unitPrice: 190 },
  churrasco: { productId: "114", name: "Churrasco", unitPrice: 1250 },
} as const;

/** ITBIS and the legal tip, as both are charged at a table. */
const TAX_RATE = 0.28;

export function line(
  id: string,
  product: keyof typeof products,
  quantity = 1,
  fields: Partial<OrderLine> = {},
): OrderLine {
  const { productId, name, unitPrice } = products[product];
  const net = unitPrice * quantity;
  const taxAmount = Math.round(net * TAX_RATE * 100) / 100;
  return { id, productId, name, quantity, unitPrice, total: net + taxAmount, taxAmount, taxIds: ["1", "2"], ...fields };
}
