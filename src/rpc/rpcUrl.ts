import * as l10n from '@vscode/l10n';
declare const rpcUrlBrand: unique symbol;

/**
 * Where a Solana RPC is: https (http on this machine only), without fragment. Often holds a key, in its path, query or user
 * info: never to be written into a message or a log; {@link rpcName} is what may be.
 */
export type RpcUrl = string & { readonly [rpcUrlBrand]: true };

/** A text that cannot be the address of an RPC. The message says why, for the user; it repeats nothing that may be a key. */
export class RpcUrlError extends Error {
  override readonly name = 'RpcUrlError';
}

const EXAMPLE = 'https://api.mainnet-beta.solana.com';

/**
 * Gives `text` as the address of an RPC.
 * @throws RpcUrlError where it is not one that a key may be sent to.
 */
export function parseRpcUrl(text: string): RpcUrl {
  const url = absoluteUrl(text.trim());
  if (url.protocol === 'ws:' || url.protocol === 'wss:') {
    throw new RpcUrlError(
      'The RPC address must start with https://: addresses that start with wss:// are for subscriptions, which Binsight does not use.',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new RpcUrlError(`The RPC address must start with https://, such as ${EXAMPLE}.`);
  }
  if (url.hash !== '') {
    throw new RpcUrlError(l10n.t('The RPC address must not hold a "#": what stands behind it would not be sent.'));
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new RpcUrlError(
      `The RPC address must start with https://: over http:// anybody on the way to ${url.hostname} could read your key and change the answers. Only an RPC on this machine may use http://.`,
    );
  }
  return url.href as RpcUrl;
}

/** What an RPC is called in messages and in the log: its host alone. */
export function rpcName(of: RpcUrl): string {
  return new URL(of).host;
}

/** The parts of an RPC's address that may be a key: user info, path and query. */
export function secretsOf(of: RpcUrl): readonly string[] {
  const url = new URL(of);
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...[...url.searchParams].flat()];
  const whole = [url.search.slice(1), url.pathname.slice(1)];
  const all = [...whole, ...parts].flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= SHORTEST_SECRET);
  // The longest first: a part of a secret must not be taken out before the whole of it is.
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

/** Shorter parts are not looked for in messages: they would be found in ordinary words. */
const SHORTEST_SECRET = 8;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function absoluteUrl(text: string): URL {
  if (text === '') {
    throw new RpcUrlError(l10n.t`The RPC address is empty. One looks like ${EXAMPLE}.`);
  }
  try {
    return new URL(text);
  } catch {
    throw new RpcUrlError(l10n.t`The RPC address is not a complete URL, such as ${EXAMPLE}.`);
  }
}

/** Whether a URL's host (as `URL` normalises it) is this machine: localhost, 127.0.0.0/8 or ::1. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
