export interface LoggedRequest {
  n: number;
  /** Arrival, ms since 1970. */
  at: number;
  method: string;
  path: string;
  /** The JSON text without passwords; null when there was none. */
  bodyText: string | null;
  /** null as long as, or because, nothing was answered. */
  status: number | null;
  fault: string | null;
}

const kept = 2000;

/** The last 2000 requests. Bodies are kept as text, which is a third of the parsed object. */
export function createRequestLog() {
  let requests: LoggedRequest[] = [];
  let n = 0;

  return {
    /** Adds a request; the caller completes it as more becomes known. */
    arrive(at: number, method: string, path: string): LoggedRequest {
      n += 1;
      const request: LoggedRequest = { n, at, method, path, bodyText: null, status: null, fault: null };
      requests.push(request);
      // In slices, because cutting the array at every request would copy it every time.
      if (requests.length > kept * 2) requests = requests.slice(-kept);
      return request;
    },

    /** Oldest first. */
    all: () =>
      requests.slice(-kept).map(({ bodyText, ...request }) => ({
        ...request,
        body: bodyText === null ? null : (JSON.parse(bodyText) as unknown),
      })),

    clear(): void {
      requests = [];
    },
  };
}

/** `text` without the value of any field named password. */
export function withoutPasswords(text: string): string {
  if (!/password/i.test(text)) return text;
  return JSON.stringify(JSON.parse(text, (name, value: unknown) => (/password/i.test(name) ? undefined : value)));
}
