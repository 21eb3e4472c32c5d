// Values that the app passes to a page in its address. The preload script removes them before the page's own code runs.

export interface PageWithAddress {
  location: { href: string };
  history: { replaceState: (state: null, unused: string, url: string) => void };
}

/** Returns the address with a parameter added. */
export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}

/** Removes a parameter from the page's address and returns it, or null if there is none. */
export function takeParameter(page: PageWithAddress, name: string): string | null {
  const url = new URL(page.location.href);
  const value = url.searchParams.get(name);
  if (value === null) return null;
  url.searchParams.delete(name);
  page.history.replaceState(null, "", url.href);
  return value;
}
