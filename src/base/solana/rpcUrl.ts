import * as l10n from '@vscode/l10n';
import { isLoopback } from '../loopback';

declare const rpcUrlBrand: unique symbol;

/**
 * The address of a Solana RPC: https (http on this machine only), without fragment. It often contains a key in its path, query or user
 * info, so it must never appear in a message or log; use {@link rpcName} there.
 */
export type RpcUrl = string & { readonly [rpcUrlBrand]: true };

/** An invalid RPC address. The message is for the user and repeats nothing that may be a key. */
export class RpcUrlError extends Error {
  override readonly name = 'RpcUrlError';
}

const EXAMPLE = 'https://api.mainnet-beta.solana.com';

/**
 * Normalizes the address of an RPC.
 * @throws RpcUrlError if a key must not be sent to this address
 */
export function parseRpcUrl(text: string): RpcUrl {
  const url = absoluteUrl(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw incomplete();
  }
  if (url.hash !== '') {
    throw new RpcUrlError(l10n.t`The address must not contain “${'#'}”.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new RpcUrlError(l10n.t('The address must start with https://. Only a program on this machine may use http://.'));
  }
  return url.href as RpcUrl;
}

/** The RPC's name in messages and the log: its host. */
export function rpcName(of: RpcUrl): string {
  return new URL(of).host;
}

/** The parts of an RPC's address that may be a key: user info, path and query. */
export function secretsOf(of: RpcUrl): readonly string[] {
  const url = new URL(of);
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...[...url.searchParams].flat()];
  const whole = [url.search.slice(1), url.pathname.slice(1)];
  const all = [...whole, ...parts].flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= SHORTEST_SECRET);
  // Longest first, so a whole secret is removed before its parts.
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

/** How an RPC is reached, and what must not be written down. */
export interface RpcTarget {
  /** Without user info, which `fetch` rejects. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** To be redacted from texts of others, longest first. */
  readonly secrets: readonly string[];
}

/** Returns the address to send requests to, and their headers. User info becomes a header (RFC 7617). */
export function rpcTarget(of: RpcUrl): RpcTarget {
  const url = new URL(of);
  const { username, password } = url;
  const credentials =
    username === '' && password === '' ? undefined : Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  url.username = '';
  url.password = '';
  return {
    target: url.href,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'binsight',
      ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
    },
    secrets: [...(credentials === undefined ? [] : [credentials]), ...secretsOf(of)],
  };
}

/** Shorter parts are not redacted: they would be found in ordinary words. */
const SHORTEST_SECRET = 8;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function absoluteUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw incomplete();
  }
}

function incomplete(): RpcUrlError {
  return new RpcUrlError(l10n.t`Enter a complete address, such as ${EXAMPLE}.`);
}
