/** The origin of Jupiter's own APIs. No other service gets the key. */
const JUPITER = 'https://api.jup.ag';

/** A `fetch` that identifies itself to Jupiter's own APIs. Callers do not follow redirects, so that the key goes nowhere else. */
export function withJupiterKey(request: typeof fetch, key: string | undefined): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (key === undefined || new URL(url).origin !== JUPITER) {
      return request(input, init);
    }
    const headers = new Headers(init?.headers);
    headers.set('x-api-key', key);
    return request(input, { ...init, headers });
  };
}
