/** The shape of the other languages: the same keys as the Spanish texts, any words. */
export type SameKeys<T> = { [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };
