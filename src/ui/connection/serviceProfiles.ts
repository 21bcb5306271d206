import { createHash, randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseRpcUrl, rpcName, RpcUrlError, secretsOf } from '../../base/solana/rpcUrl';
import { parseApiKey } from '../../service/apiKey';
import { PUBLIC_SERVICE_BASE_URL } from '../../service/baseUrl';
import type { SecretStore, StateStore } from '../shell/editorAccess';
import { ConnectionError } from '../shell/errors';
import { readServiceChoice, rpcAddressName, type ServiceChoice, SOLANA_ID, solanaRpcName } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import { type ApiKeys, apiKeyName } from './apiKeys';
import type { RpcAddresses } from './rpcAddresses';

const LONGEST_ID = 2_100;

/** The addresses that a profile can have beside its own: of the RPC of the review, and of APIs of the local service. */
export const PROFILE_ADDRESSES = ['reviewRpc', 'dataApi', 'priceApi', 'swapApi', 'jito'] as const;
export type ProfileAddress = (typeof PROFILE_ADDRESSES)[number];
export type ApiAddress = Exclude<ProfileAddress, 'reviewRpc'>;
export type ApiAddresses = Readonly<Partial<Record<ApiAddress, string>>>;

/** What VS Code's state says of an address, which is a secret: it can contain a key. A secret that is lost is missed. */
const knownAddress = z.object({
  /** For display. */
  host: z.string().min(1).max(300),
  /** Tells whether it is still the same one. */
  digest: z.string().min(1).max(100),
});
type KnownAddress = Readonly<z.infer<typeof knownAddress>>;

/** A service that the user can switch to, without its key. */
const serviceProfile = z.object({
  id: z.string().min(1).max(LONGEST_ID),
  name: z.string().min(1).max(60),
  /** What `binsight.service.baseUrl` is set to: an address, or `solana` with the chain. */
  setting: z.string().min(1).max(2_000),
  /** For display. */
  host: z.string().min(1).max(300),
  addresses: z.record(z.string(), knownAddress).optional(),
});

/** One profile that is damaged or of a later version hides no other. */
const storedProfiles = z.object({
  profiles: z.array(serviceProfile.or(z.unknown().transform(() => undefined))).transform((all) => all.filter((one) => one !== undefined)),
  /** The profile in use, by the id of the service: several profiles can have the same service with different keys. */
  inUse: z.record(z.string(), z.string()).catch({}),
});

export type ServiceProfile = Readonly<z.infer<typeof serviceProfile>>;
type StoredProfiles = z.infer<typeof storedProfiles>;

/** A service that has a key or an address with a key. */
type KeyedChoice = ServiceChoice & { readonly kind: 'remote' | 'solanaRpc' };

export interface ServiceProfilesDependencies {
  readonly state: StateStore;
  readonly secrets: SecretStore;
  readonly apiKeys: ApiKeys;
  readonly rpcAddresses: () => Promise<RpcAddresses>;
  /** Registers a secret with the log's redactor. */
  readonly hide: (secret: string) => void;
}

export const LONGEST_PROFILE_NAME = 40;
const STATE = 'binsight.serviceProfiles';
const LP_AGENT = 'LP Agent';

/** In the place of the host of what is no address, and of a name without letters. */
const NO_HOST = '?';
/** Hexadecimal digits: 64 bits tell addresses apart. */
const DIGEST_LENGTH = 16;

/**
 * The services that the user can switch to. Names and hosts are in the state of VS Code; the API key of each profile, or the address of its
 * Solana RPC, is a secret of its own, and so is each of {@link PROFILE_ADDRESSES}. The profile in use is the one whose secret was copied to where
 * the connection reads it. Keys of versions without profiles are there already, and become profiles when they are first listed.
 */
export class ServiceProfiles {
  readonly #dependencies: ServiceProfilesDependencies;

  constructor(dependencies: ServiceProfilesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns all profiles, in the order in which they were added. @param current the service in use */
  async list(current: ServiceChoice): Promise<readonly ServiceProfile[]> {
    for (const choice of [current, readServiceChoice(PUBLIC_SERVICE_BASE_URL), readServiceChoice(SOLANA_ID)]) {
      if (isKeyed(choice) && !this.#stored().profiles.some(({ setting }) => setting === settingOf(choice))) {
        const secret = await this.#activeSecret(choice);
        if (secret !== undefined) {
          // The same id in every window, which may do the same at this moment.
          await this.#add(`kept ${settingOf(choice)}`.slice(0, LONGEST_ID), choice, secret);
        }
      }
    }
    return this.#stored().profiles;
  }

  /** The profile of the service in use; `undefined`: it has none, as the sandbox. */
  inUse(current: ServiceChoice): ServiceProfile | undefined {
    const { profiles, inUse } = this.#stored();
    const own = isKeyed(current) ? profiles.filter(({ setting }) => setting === settingOf(current)) : [];
    return own.find(({ id }) => id === inUse[current.id ?? '']) ?? own[0];
  }

  /** The name of the service in use with its profile; `undefined`: it has none. */
  nameOf(current: ServiceChoice): string | undefined {
    const profile = this.inUse(current);
    return profile === undefined ? undefined : shownName(profile);
  }

  /**
   * Adds a profile and makes it the one that the service uses.
   * @param secret its API key, or the address of its RPC
   * @param name default: {@link defaultName}
   * @param reviewRpc default: none
   */
  async add(choice: KeyedChoice, secret: string, name?: string, reviewRpc?: string): Promise<ServiceProfile> {
    return this.#add(randomUUID(), choice, secret, name, reviewRpc);
  }

  /** What is known of an address of a profile; `undefined`: it has none. */
  addressOf(profile: ServiceProfile | undefined, kind: ProfileAddress): KnownAddress | undefined {
    return this.#stored().profiles.find(({ id }) => id === profile?.id)?.addresses?.[kind];
  }

  /** Stores an address of a profile; `undefined`: removes it. */
  async setAddress({ id }: ServiceProfile, kind: ProfileAddress, address: string | undefined): Promise<void> {
    const { secrets } = this.#dependencies;
    if (address !== undefined) {
      this.#hide(address);
      await secrets.store(addressName(id, kind), address);
    }
    const { profiles, inUse } = this.#stored();
    await this.#store({
      profiles: profiles.map((one) => (one.id === id ? { ...one, addresses: withAddress(one.addresses, kind, address) } : one)),
      inUse,
    });
    if (address === undefined) {
      await secrets.delete(addressName(id, kind));
    }
  }

  /**
   * Reads an address of the profile of a service; `undefined`: it has none.
   * @param secrets where to read it
   * @throws ConnectionError if it has one that the secret storage lost: without it, less would be checked than the user wanted
   */
  async readAddress(current: ServiceChoice, kind: ProfileAddress, secrets = this.#dependencies.secrets): Promise<string | undefined> {
    const profile = this.inUse(current);
    const known = profile?.addresses?.[kind];
    if (profile === undefined || known === undefined) {
      return undefined;
    }
    const address = await secrets.get(addressName(profile.id, kind));
    if (address === undefined || hostOfRpc(address) === NO_HOST) {
      throw new ConnectionError(
        'noRpcAddress',
        l10n.t`An address of “${profile.name}” (${known.host}) is missing from VS Code's secret storage. Nothing is signed without it. Enter or remove it in Connect to Service… > Manage Profiles….`,
      );
    }
    this.#hide(address);
    return address;
  }

  /** Reads the addresses of the APIs of a service. @throws ConnectionError as {@link readAddress} */
  async readApis(current: ServiceChoice): Promise<ApiAddresses> {
    const kinds = PROFILE_ADDRESSES.filter((kind) => kind !== 'reviewRpc');
    const read = await Promise.all(kinds.map(async (kind) => [kind, await this.readAddress(current, kind)] as const));
    return Object.fromEntries(read.filter(([, address]) => address !== undefined));
  }

  /** Whether its key, or the address of its RPC, is stored on this machine. */
  async hasSecret(profile: ServiceProfile): Promise<boolean> {
    return (await this.#dependencies.secrets.get(secretName(profile.id))) !== undefined;
  }

  /** Replaces the secret of this profile, and of no other, without switching to it. `undefined`, or removed meanwhile: adds one. */
  async setSecret(profile: ServiceProfile | undefined, choice: KeyedChoice, secret: string): Promise<void> {
    if (profile === undefined || !this.#stored().profiles.some(({ id }) => id === profile.id)) {
      await this.add(choice, secret);
    } else if (this.inUse(choice)?.id === profile.id) {
      await this.replaceSecret(profile, choice, secret);
    } else {
      await this.#dependencies.secrets.store(secretName(profile.id), secret);
    }
  }

  /** Gives a profile another secret, and uses it. */
  async replaceSecret(profile: ServiceProfile, choice: KeyedChoice, secret: string): Promise<void> {
    await this.#dependencies.secrets.store(secretName(profile.id), secret);
    const { profiles, inUse } = this.#stored();
    const host = choice.kind === 'remote' ? profile.host : hostOfRpc(secret);
    await this.#store({
      profiles: profiles.map((one) => (one.id === profile.id ? { ...one, host } : one)),
      inUse: { ...inUse, [choice.id]: profile.id },
    });
    await this.#activate(choice, secret);
  }

  /** Makes a profile the one that its service uses. The caller sets the setting afterwards. */
  async use(profile: ServiceProfile): Promise<void> {
    const choice = readServiceChoice(profile.setting);
    const secret = await this.#dependencies.secrets.get(secretName(profile.id));
    if (isKeyed(choice) && secret !== undefined) {
      const { profiles, inUse } = this.#stored();
      await this.#store({ profiles, inUse: { ...inUse, [choice.id]: profile.id } });
      await this.#activate(choice, secret);
    }
  }

  async rename(profile: ServiceProfile, name: string): Promise<void> {
    const { profiles, inUse } = this.#stored();
    await this.#store({ profiles: profiles.map((one) => (one.id === profile.id ? { ...one, name: readableName(name) } : one)), inUse });
  }

  /** Removes a profile with its secret. Must not be in use. */
  async remove(profile: ServiceProfile): Promise<void> {
    const { apiKeys, rpcAddresses, secrets } = this.#dependencies;
    const choice = readServiceChoice(profile.setting);
    const secret = await secrets.get(secretName(profile.id));
    await secrets.delete(secretName(profile.id));
    for (const name of addressNames(profile)) {
      await secrets.delete(name);
    }
    const isActive = isKeyed(choice) && secret !== undefined && secret === (await this.#activeSecret(choice));
    if (isActive && !(await this.#isUsedByAnother(profile, choice, secret))) {
      await (choice.kind === 'remote' ? apiKeys.delete(choice.id) : (await rpcAddresses()).delete(choice.id));
    }
    const { profiles, inUse } = this.#stored();
    await this.#store({
      profiles: profiles.filter(({ id }) => id !== profile.id),
      inUse: Object.fromEntries(Object.entries(inUse).filter(([, id]) => id !== profile.id)),
    });
  }

  /** The profile of this service with this secret; one of its host whose secret was lost counts too. `undefined`: there is none. */
  async withSecret(choice: KeyedChoice, secret: string): Promise<ServiceProfile | undefined> {
    const own = this.#stored().profiles.filter(({ setting }) => setting === settingOf(choice));
    const secrets = await Promise.all(own.map(({ id }) => this.#dependencies.secrets.get(secretName(id))));
    const host = hostOf(choice, secret);
    return own.find((_, place) => secrets[place] === secret) ?? own.find((one, place) => secrets[place] === undefined && one.host === host);
  }

  /** Whether a profile has this name, in any case of letters. */
  hasName(name: string): boolean {
    return this.#stored().profiles.some((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  /** Whether another profile, with the same secret, is the one that the service uses. */
  async #isUsedByAnother(profile: ServiceProfile, choice: KeyedChoice, secret: string): Promise<boolean> {
    const other = this.inUse(choice);
    return other !== undefined && other.id !== profile.id && (await this.#dependencies.secrets.get(secretName(other.id))) === secret;
  }

  async #add(id: string, choice: KeyedChoice, secret: string, name?: string, reviewRpc?: string): Promise<ServiceProfile> {
    const { profiles, inUse } = this.#stored();
    const host = hostOf(choice, secret);
    const addresses = reviewRpc === undefined ? {} : { addresses: withAddress(undefined, 'reviewRpc', reviewRpc) };
    const profile = { id, name: readableName(name ?? defaultName(choice, host)), setting: settingOf(choice), host, ...addresses };
    await this.#dependencies.secrets.store(secretName(id), secret);
    if (reviewRpc !== undefined) {
      this.#hide(reviewRpc);
      await this.#dependencies.secrets.store(addressName(id, 'reviewRpc'), reviewRpc);
    }
    await this.#store({ profiles: [...profiles.filter((one) => one.id !== id), profile], inUse: { ...inUse, [choice.id]: id } });
    await this.#activate(choice, secret);
    return profile;
  }

  /** Keeps an address, and every part of it that can be a key, out of the log. */
  #hide(address: string): void {
    [address, ...secretsOf(parseRpcUrl(address))].forEach(this.#dependencies.hide);
  }

  #stored(): StoredProfiles {
    const parsed = storedProfiles.safeParse(this.#dependencies.state.get(STATE));
    return parsed.success ? parsed.data : { profiles: [], inUse: {} };
  }

  async #store(stored: StoredProfiles): Promise<void> {
    await this.#dependencies.state.update(STATE, stored);
  }

  /** What the connection uses for this service. */
  async #activeSecret(choice: KeyedChoice): Promise<string | undefined> {
    const { apiKeys, rpcAddresses } = this.#dependencies;
    return choice.kind === 'remote' ? apiKeys.get(choice.id) : (await rpcAddresses()).get(choice.id);
  }

  /** Lets the connection use this secret. Every window reconnects when it changes, so an equal one is left alone. */
  async #activate(choice: KeyedChoice, secret: string): Promise<void> {
    const { apiKeys, rpcAddresses } = this.#dependencies;
    if (secret === (await this.#activeSecret(choice))) {
      return;
    }
    if (choice.kind === 'solanaRpc') {
      await (await rpcAddresses()).set(choice.id, parseRpcUrl(secret));
    } else if (parseApiKey(secret) !== undefined) {
      await apiKeys.set(choice.id, secret);
    }
  }
}

/** The name of a profile with the host of its service, which the user's name may hide. */
export function shownName({ name, host }: ServiceProfile): string {
  return name.includes(host) ? name : `${name} (${host})`;
}

/** The name of a new profile. */
export function defaultName(choice: KeyedChoice, host: string): string {
  return choice.kind === 'solanaRpc' ? solanaRpcName(host) : choice.baseUrl === PUBLIC_SERVICE_BASE_URL ? LP_AGENT : host;
}

export function isKeyed(choice: ServiceChoice): choice is KeyedChoice {
  return choice.kind === 'remote' || choice.kind === 'solanaRpc';
}

function readableName(name: string): string {
  const plain = plainText(name).trim().slice(0, 60);
  return plain === '' ? NO_HOST : plain;
}

function settingOf(choice: KeyedChoice): string {
  return choice.kind === 'remote' ? choice.baseUrl : choice.id;
}

/** The names of all secrets of the stored profiles: of each its own, and where the connection reads the one in use. */
export function profileSecretNames(state: StateStore): readonly string[] {
  const { success, data } = storedProfiles.safeParse(state.get(STATE));
  const names = (success ? data.profiles : []).flatMap((profile) => {
    const choice = readServiceChoice(profile.setting);
    return [
      secretName(profile.id),
      ...addressNames(profile),
      ...(choice.kind === 'remote' ? [apiKeyName(choice.id)] : choice.kind === 'solanaRpc' ? [rpcAddressName(choice.id)] : []),
    ];
  });
  return [...new Set(names)];
}

function secretName(id: string): string {
  return `binsight.serviceProfile:${id}`;
}

function addressName(id: string, kind: string): string {
  return `binsight.serviceAddress:${kind}:${id}`;
}

function addressNames({ id, addresses = {} }: ServiceProfile): readonly string[] {
  return Object.keys(addresses).map((kind) => addressName(id, kind));
}

function withAddress(
  addresses: ServiceProfile['addresses'] = {},
  kind: ProfileAddress,
  address: string | undefined,
): ServiceProfile['addresses'] {
  const others = Object.fromEntries(Object.entries(addresses).filter(([one]) => one !== kind));
  return address === undefined ? others : { ...others, [kind]: { host: hostOfRpc(address), digest: digestOf(address) } };
}

function digestOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, DIGEST_LENGTH);
}

function hostOf(choice: KeyedChoice, secret: string): string {
  return choice.kind === 'remote' ? new URL(choice.baseUrl).host : hostOfRpc(secret);
}

function hostOfRpc(secret: string): string {
  try {
    return rpcName(parseRpcUrl(secret));
  } catch (error) {
    if (error instanceof RpcUrlError) {
      return NO_HOST;
    }
    throw error;
  }
}
