/** A dine-in dish: 225.00 each plus 18 % ITBIS (40.50) and 10 % legal tip (22.50). */
export const tostones = (id: string, quantity: number, more: object = {}) => ({
  id,
  productId: 101,
  quantity,
  unitPrice: 225,
  taxIds: [1, 2],
  taxAmount: 63 * quantity,
  total: 288 * quantity,
  ...more,
});
