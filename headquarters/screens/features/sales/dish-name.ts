/** How a row of "by dish" is called: what belongs to none, such as a charge, is `other`; a dish that never had a name its id. */
export function dishName({ productId, name }: { productId: string; name: string }, other: string): string {
  return productId === "" ? other : name || productId;
}
