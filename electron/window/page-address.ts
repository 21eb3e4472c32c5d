// What the app sends a page along with its address. The preload script takes it out before the page's own code runs.

export interface PageWithAddress {
  location: { href: string };
  history: { replaceState: (state: null, unused: string, url: string) => void };
}

/** The address with a value in it. */
export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}

/** Takes a value out of the page's address; null where there is none. */
export function takeParameter(page: PageWithAddress, name: string): string | null {
  const url = new URL(page.location.href);
  const value = url.searchParams.get(name);
  if (value === null) return null;
  url.searchParams.delete(name);
  page.history.replaceState(null, "", url.href);
  return value;
}
