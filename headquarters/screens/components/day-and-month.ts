/** Returns a date without its year: 27 nov, Nov 27 */
export function dayAndMonth(date: string): string {
  return date.replace(/(,| de)? \d{4}$/, "");
}
