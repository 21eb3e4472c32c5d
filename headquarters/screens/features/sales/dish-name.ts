/** Returns the name of a row of "by dish": `other` for amounts of no dish, such as charges, and the id of a nameless dish. */
export function dishName({ productId, name }: { productId: string; name: string }, other: string): string {
  return productId === "" ? other : name || productId;
}
