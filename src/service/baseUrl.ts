import * as l10n from '@vscode/l10n';
import { isLoopback } from '../base/loopback';

declare const baseUrlBrand: unique symbol;

/** The address of a service: https (http on this machine only), without credentials, query, fragment or trailing slash. */
export type BaseUrl = string & { readonly [baseUrlBrand]: true };

export const PUBLIC_SERVICE_BASE_URL = 'https://api.lpagent.io/open-api/v1' as BaseUrl;

/** An invalid base URL. The message is for the user and never repeats credentials. */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError';
}

/**
 * Normalizes a base URL.
 * @throws BaseUrlError if the API key must not be sent to this address
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = absoluteUrl(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw incomplete();
  }
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError(l10n.t`The address must not contain “${'name:password@'}”.`);
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new BaseUrlError(l10n.t('The address must end with its version path, such as /open-api/v1.'));
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new BaseUrlError(l10n.t('The address must start with https://. Only a program on this machine may use http://.'));
  }
  const address = `${url.origin}${url.pathname.replace(/\/+$/, '')}` as BaseUrl;
  // The public service has no other path.
  return address === new URL(PUBLIC_SERVICE_BASE_URL).origin ? PUBLIC_SERVICE_BASE_URL : address;
}

/**
 * The id of a service: its origin, since that is where the API key is sent. API keys are stored under this id, so a key is sent only to
 * the service it was entered for.
 */
export function serviceId(of: BaseUrl): string {
  return new URL(of).origin;
}

function absoluteUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw incomplete();
  }
}

function incomplete(): BaseUrlError {
  return new BaseUrlError(l10n.t`Enter a complete address, such as ${PUBLIC_SERVICE_BASE_URL}.`);
}
