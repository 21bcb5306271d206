import { BaseUrlError, parseBaseUrl, serviceId, type BaseUrl } from '../../service/baseUrl';

/** Which service the user has chosen by the setting. */
export type ServiceChoice =
  | { readonly kind: 'sandbox'; readonly id: typeof SANDBOX_ID; readonly name: string }
  | {
      readonly kind: 'remote';
      /** The origin, by which its API key is kept. */ readonly id: string;
      readonly name: string;
      readonly baseUrl: BaseUrl;
    }
  /** The setting holds no usable address. Nothing is connected: another service than the one meant must not step in. */
  | { readonly kind: 'invalid'; readonly id: undefined; readonly name: string; readonly problem: string };

/** What stands for the sandbox where others have their origin. */
export const SANDBOX_ID = 'sandbox';

/** The sandbox as a choice. */
export const SANDBOX: ServiceChoice = { kind: 'sandbox', id: SANDBOX_ID, name: 'Sandbox' };

/** Reads the setting `binsight.service.baseUrl`; empty is the sandbox. */
export function readServiceChoice(setting: string): ServiceChoice {
  if (setting === '') {
    return SANDBOX;
  }
  try {
    const baseUrl = parseBaseUrl(setting);
    return { kind: 'remote', id: serviceId(baseUrl), name: new URL(baseUrl).host, baseUrl };
  } catch (error) {
    if (error instanceof BaseUrlError) {
      return { kind: 'invalid', id: undefined, name: 'No service', problem: error.message };
    }
    throw error;
  }
}

/** Whether two choices mean the same service at the same address. */
export function sameService(one: ServiceChoice, other: ServiceChoice): boolean {
  return one.kind === other.kind && one.id === other.id && addressOf(one) === addressOf(other);
}

/** Tells a choice from all others: its id, and the address where that says more than the id. Not to be shown. */
export function serviceKey(choice: ServiceChoice): string {
  return [choice.kind, choice.id ?? '', addressOf(choice)].join(' ');
}

function addressOf(choice: ServiceChoice): string {
  return choice.kind === 'remote' ? choice.baseUrl : choice.kind === 'invalid' ? choice.problem : '';
}
