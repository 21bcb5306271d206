import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import { rpcName, type RpcUrl } from '../../base/solana/rpcUrl';
import { ConnectionError } from '../shell/errors';
import type { InputRequest, Prompts } from '../shell/prompts/prompts';
import { MAINNET_GENESIS_HASH, type ServiceChoice, SOLANA_ID, solanaId } from '../shell/serviceChoice';
import { type RpcAddresses, readRpcAddress } from './rpcAddresses';

export interface RpcQuestionDependencies {
  readonly prompts: Prompts;
  readonly service: () => ServiceChoice;
  readonly rpcAddresses: () => Promise<RpcAddresses>;
  /** Asks an RPC for the hash of its chain's first block. @throws ConnectionError that says why the RPC can't be used */
  readonly readGenesisHash: (url: RpcUrl, signal: AbortSignal) => Promise<string>;
}

/** An RPC that has answered, and the id of the service for its chain. */
interface AnsweringRpc {
  readonly url: RpcUrl;
  readonly serviceId: string;
}

const EXAMPLE = 'https://api.mainnet-beta.solana.com';
/** A name, not to be translated. */
const DEVNET = 'devnet';
const DEVNET_GENESIS_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

/**
 * Asks for the address of a Solana RPC until one answers and the user accepts its chain.
 * @returns the address, which is not stored yet; `undefined` if the user cancelled
 */
export async function askRpc(dependencies: RpcQuestionDependencies): Promise<AnsweringRpc | undefined> {
  const choice = dependencies.service();
  const stored = await (await dependencies.rpcAddresses()).get(choice.kind === 'solanaRpc' ? choice.id : SOLANA_ID);
  const answer = await askUntilOneAnswers(dependencies, {
    title: l10n.t('Solana RPC'),
    prompt: l10n.t`${l10n.t('Enter the address of a Solana RPC.')} Kept in VS Code's secret storage.`,
    placeholder: stored === undefined ? EXAMPLE : l10n.t`Leave empty to keep ${rpcName(stored)}`,
    stored,
    read: (text) => readRpcAddress(text, stored),
  });
  return answer === 'none' ? undefined : answer;
}

/**
 * Asks for the RPC that the review of a service without one uses, until one answers or the user wants none.
 * @returns the address, which is not stored yet; `none`; `undefined` if the user cancelled
 */
export async function askReviewRpc(dependencies: RpcQuestionDependencies): Promise<RpcUrl | 'none' | undefined> {
  const answer = await askUntilOneAnswers(dependencies, {
    title: titleOf(l10n.t('RPC for the Review…')),
    prompt: l10n.t`${l10n.t('Makes the review stricter. Learns what you are about to sign.')} Kept in VS Code's secret storage.`,
    placeholder: l10n.t('Leave empty for none'),
    stored: undefined,
    read: (text) => (text.trim() === '' ? { ok: true, value: 'none' } : readRpcAddress(text, undefined)),
  });
  return answer === 'none' ? 'none' : answer?.url;
}

export function nothingSavedText(): string {
  return l10n.t('Nothing was saved.');
}

interface RpcQuestion extends Pick<InputRequest<RpcUrl | 'none'>, 'title' | 'prompt' | 'placeholder' | 'read'> {
  /** It is not shown again: it may contain a key. */
  readonly stored: RpcUrl | undefined;
}

async function askUntilOneAnswers(
  dependencies: RpcQuestionDependencies,
  { stored, ...question }: RpcQuestion,
): Promise<AnsweringRpc | 'none' | undefined> {
  const { prompts } = dependencies;
  const rpcAddresses = await dependencies.rpcAddresses();
  let problem: string | undefined;
  let initial: string | undefined;
  for (;;) {
    const typed = await prompts.input({
      ...question,
      ...(initial === undefined ? {} : { initial }),
      ...(problem === undefined ? {} : { problem }),
    });
    if (typed.kind !== 'value' || typed.value === 'none') {
      return typed.kind === 'value' ? 'none' : undefined;
    }
    const url = typed.value;
    rpcAddresses.hide(url);
    const answer = await askChain(dependencies, url);
    if (answer instanceof ConnectionError) {
      problem = `${answer.message} ${nothingSavedText()}`;
      initial = url === stored ? undefined : url;
      continue;
    }
    const accepted = answer === MAINNET_GENESIS_HASH ? 'yes' : await acceptChain(prompts, url, answer);
    if (accepted === 'yes') {
      return { url, serviceId: solanaId(answer) };
    }
    if (accepted === 'no') {
      return undefined;
    }
    problem = undefined;
    initial = undefined;
  }
}

/** Returns the chain of an RPC, or why it can't be used. */
export async function askChain({ prompts, readGenesisHash }: RpcQuestionDependencies, url: RpcUrl): Promise<string | ConnectionError> {
  try {
    return await prompts.progress({ title: l10n.t`Asking ${rpcName(url)}…`, cancellable: true }, (_, signal) =>
      readGenesisHash(url, signal),
    );
  } catch (error) {
    if (error instanceof ConnectionError) {
      return error;
    }
    throw error;
  }
}

async function acceptChain(prompts: Prompts, url: RpcUrl, genesisHash: string): Promise<'yes' | 'no' | 'another'> {
  const another = l10n.t('Try Again');
  const accept = l10n.t('Save Anyway');
  const chain = genesisHash === DEVNET_GENESIS_HASH ? DEVNET : genesisHash;
  const action = await prompts.confirm({
    severity: 'warning',
    message: l10n.t`${rpcName(url)} does not serve Solana mainnet`,
    detail: `${l10n.t`It serves another chain (${chain}). Your positions on mainnet are not there, and money there has no value.`}\n\n${nothingSavedText()}`,
    actions: [another, accept],
  });
  return action === accept ? 'yes' : action === another ? 'another' : 'no';
}
