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
    throw new BaseUrlError(l10n.t('The service address must start with https://.'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError(l10n.t('The service address must not contain a user name or password.'));
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new BaseUrlError(l10n.t('The service address must end with its path, such as /open-api/v1.'));
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new BaseUrlError(
      l10n.t(
        'The service address must start with https://. Over http://, others could read the API key. Only services on this machine may use it.',
      ),
    );
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
    throw new BaseUrlError(l10n.t`The service address is not a complete URL. Example: ${PUBLIC_SERVICE_BASE_URL}`);
  }
}
