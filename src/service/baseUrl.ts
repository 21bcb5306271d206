import * as l10n from '@vscode/l10n';
declare const baseUrlBrand: unique symbol;

/** Where a service lives: https (http on this machine only), without credentials, query, fragment or trailing slash. */
export type BaseUrl = string & { readonly [baseUrlBrand]: true };

/** The public service that has this interface. */
export const PUBLIC_SERVICE_BASE_URL = 'https://api.lpagent.io/open-api/v1' as BaseUrl;

/** A text that cannot be a service's base URL. The message says why, for the user; it never repeats credentials. */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError';
}

/**
 * Gives `text` as a base URL, normalised.
 * @throws BaseUrlError where it is not one that the API key may be sent to.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = absoluteUrl(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new BaseUrlError(`The service address must start with https://, not ${url.protocol}//.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError(
      l10n.t('The service address must not carry a user name or password: the API key is set with "Binsight: Set API Key".'),
    );
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new BaseUrlError(l10n.t('The service address must end with its path, such as /open-api/v1: without "?" or "#".'));
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new BaseUrlError(
      `The service address must start with https://: over http:// anybody on the way to ${url.hostname} could read the API key. Only services on this machine may use http://.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}` as BaseUrl;
}

/**
 * Names the service that an API key belongs to: the origin alone, since that is where the key is sent. Keys are kept
 * under this name, so that a key goes only to the service it was entered for.
 */
export function serviceId(of: BaseUrl): string {
  return new URL(of).origin;
}

function absoluteUrl(text: string): URL {
  if (text === '') {
    throw new BaseUrlError(l10n.t`The service address is empty. The public service is at ${PUBLIC_SERVICE_BASE_URL}.`);
  }
  try {
    return new URL(text);
  } catch {
    throw new BaseUrlError(l10n.t`The service address is not a complete URL, such as ${PUBLIC_SERVICE_BASE_URL}.`);
  }
}

/** Whether a URL's host (as `URL` normalises it) is this machine: localhost, 127.0.0.0/8 or ::1. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
