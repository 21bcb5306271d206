import * as l10n from '@vscode/l10n';
import { BaseUrlError, parseBaseUrl, serviceId, type BaseUrl } from '../../service/baseUrl';

/** The service that the setting `binsight.service.baseUrl` selects. */
export type ServiceChoice =
  | { readonly kind: 'sandbox'; readonly id: typeof SANDBOX_ID; readonly name: string }
  | {
      readonly kind: 'remote';
      /** The origin; its API key is stored under it. */ readonly id: string;
      readonly name: string;
      readonly baseUrl: BaseUrl;
    }
  /** The setting has no valid address. Nothing is connected, because no other service may replace the intended one. */
  | { readonly kind: 'invalid'; readonly id: undefined; readonly name: string; readonly problem: string };

/** The sandbox's id; remote services have their origin. */
export const SANDBOX_ID = 'sandbox';

export const SANDBOX: ServiceChoice = { kind: 'sandbox', id: SANDBOX_ID, name: 'Sandbox' };

/** Reads the setting `binsight.service.baseUrl`; empty: the sandbox. */
export function readServiceChoice(setting: string): ServiceChoice {
  if (setting === '') {
    return SANDBOX;
  }
  try {
    const baseUrl = parseBaseUrl(setting);
    return { kind: 'remote', id: serviceId(baseUrl), name: new URL(baseUrl).host, baseUrl };
  } catch (error) {
    if (error instanceof BaseUrlError) {
      return { kind: 'invalid', id: undefined, name: l10n.t('No service'), problem: error.message };
    }
    throw error;
  }
}

/** Tells whether two choices are the same service at the same address. */
export function sameService(one: ServiceChoice, other: ServiceChoice): boolean {
  return one.kind === other.kind && one.id === other.id && addressOf(one) === addressOf(other);
}

/** Identifies a choice by its id and address. Not for display. */
export function serviceKey(choice: ServiceChoice): string {
  return [choice.kind, choice.id ?? '', addressOf(choice)].join(' ');
}

function addressOf(choice: ServiceChoice): string {
  return choice.kind === 'remote' ? choice.baseUrl : choice.kind === 'invalid' ? choice.problem : '';
}
