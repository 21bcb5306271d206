import * as l10n from '@vscode/l10n';
import { parseRpcUrl, rpcName, type RpcUrl } from '../../base/solana/rpcUrl';
import { UserError } from '../shell/errors';
import type { StateStore } from '../shell/editorAccess';
import type { Prompts } from '../shell/prompts/prompts';
import { MAINNET_GENESIS_HASH, readServiceChoice, type ServiceChoice, SOLANA_ID } from '../shell/serviceChoice';
import { askChain, type RpcQuestionDependencies } from './rpcQuestions';
import { isKeyed, type ServiceProfile, type ServiceProfiles } from './serviceProfiles';

/** Solana's own RPC of mainnet. It is free and needs no key. */
export const PUBLIC_RPC = parseRpcUrl('https://api.mainnet-beta.solana.com');
/** Requests a second: it allows 100 in ten seconds, and 40 of one method (solana.com/docs/references/clusters). */
export const PUBLIC_RPC_RPS = 4;
/** Where VS Code keeps that the warning was shown. */
const WARNED = 'binsight.publicRpcWarned';

export const publicRpcText = (): string => l10n.t('Solana mainnet (public RPC)');
/** What it is good for, and what leaves the machine. */
export const publicRpcDetail = (): string =>
  l10n.t('Free, but slow. The RPC and Meteora learn the addresses of your wallets, positions and pools.');

export interface PublicRpcDependencies extends RpcQuestionDependencies {
  readonly profiles: ServiceProfiles;
  readonly setBaseUrl: (baseUrl: string) => Promise<void>;
}

/** Whether an address is that of Solana's own RPC, which many use at the same time. */
export function isPublicRpc(url: RpcUrl): boolean {
  return rpcName(url) === rpcName(PUBLIC_RPC);
}

/**
 * Connects to Solana's own RPC of mainnet.
 * @returns its profile, and the service that is used from now on
 * @throws UserError if it does not answer, or for another chain; nothing is changed then
 */
export async function connectPublicRpc(
  dependencies: PublicRpcDependencies,
): Promise<{ readonly profile: ServiceProfile; readonly choice: ServiceChoice }> {
  const { profiles, service, setBaseUrl } = dependencies;
  const choice = readServiceChoice(SOLANA_ID);
  // As every address of an RPC.
  (await dependencies.rpcAddresses()).hide(PUBLIC_RPC);
  const chain = await askChain(dependencies, PUBLIC_RPC);
  if (!isKeyed(choice) || chain !== MAINNET_GENESIS_HASH) {
    throw typeof chain === 'string' ? new UserError(l10n.t`${rpcName(PUBLIC_RPC)} serves another chain and is not used.`) : chain;
  }
  await profiles.list(service());
  const known = await profiles.withSecret(choice, PUBLIC_RPC);
  if (known !== undefined) {
    await profiles.replaceSecret(known, choice, PUBLIC_RPC);
  }
  const profile = known ?? (await profiles.add(choice, PUBLIC_RPC, publicRpcText()));
  await setBaseUrl(SOLANA_ID);
  return { profile, choice };
}

export interface PublicRpcWarningDependencies {
  readonly service: () => ServiceChoice;
  /** The RPC of a service. */
  readonly rpcAddress: (serviceId: string) => Promise<RpcUrl | undefined>;
  readonly prompts: Pick<Prompts, 'notify'>;
  readonly state: StateStore;
  readonly connect: () => Promise<void>;
}

/** Warns once, before the first signature, that operations on Solana's own RPC are slow and may not land. It holds up nothing. */
export async function warnOfPublicRpc({ service, rpcAddress, prompts, state, connect }: PublicRpcWarningDependencies): Promise<void> {
  const choice = service();
  const url = choice.kind === 'solanaRpc' && state.get(WARNED) !== true ? await rpcAddress(choice.id) : undefined;
  if (url === undefined || !isPublicRpc(url)) {
    return;
  }
  await state.update(WARNED, true);
  const action = l10n.t('Connect to Service…');
  const message = l10n.t(
    'On Solana’s public RPC, transactions may land late or not at all. Nothing is sent twice. For zaps, connect to your own RPC.',
  );
  if ((await prompts.notify({ severity: 'warning', message, actions: [action] })) === action) {
    await connect();
  }
}
