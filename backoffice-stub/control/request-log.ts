export interface LoggedRequest {
  n: number;
  /** Arrival, ms since 1970. */
  at: number;
  method: string;
  path: string;
  /** JSON text without passwords, or null without a body. */
  bodyText: string | null;
  /** null while, or because, there is no response. */
  status: number | null;
  fault: string | null;
}

const maxRequests = 2000;

/** The last 2000 requests. Bodies are kept as text, which takes a third of the memory of objects. */
export function createRequestLog() {
  let requests: LoggedRequest[] = [];
  let n = 0;

  return {
    /** Adds a request. The caller fills in the rest later. */
    arrive(at: number, method: string, path: string): LoggedRequest {
      n += 1;
      const request: LoggedRequest = { n, at, method, path, bodyText: null, status: null, fault: null };
      requests.push(request);
      // Trimmed in batches, because each trim copies the array.
      if (requests.length > maxRequests * 2) requests = requests.slice(-maxRequests);
      return request;
    },

    /** Sorted oldest first. */
    list: () =>
      requests.slice(-maxRequests).map(({ bodyText, ...request }) => ({
        ...request,
        body: bodyText === null ? null : (JSON.parse(bodyText) as unknown),
      })),

    clear(): void {
      requests = [];
    },
  };
}

/** Returns `text` without the values of fields named password. */
export function withoutPasswords(text: string): string {
  if (!/password/i.test(text)) return text;
  return JSON.stringify(JSON.parse(text, (name, value: unknown) => (/password/i.test(name) ? undefined : value)));
}
