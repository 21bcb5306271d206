import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { KeyError } from '../../wallet/errors';
import { wipe, type SecretKeyMaterial } from '../../wallet/keys';
import { problemOfNewPassphrase } from '../../wallet/passphrase';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import { runSteps } from '../shell/prompts/steps';
import type { KeyStore, StoredKeyEntry } from './keyStore';
import type { OwnerOrigin } from './ownerIndex';

/** The prompt for the passphrase of a stored key. */
export interface PassphraseQuestion {
  readonly title: string;
  /** Names the wallet and says why its passphrase is needed. */
  readonly prompt: string;
  /** Closes the prompt; the answer is then `undefined`. */
  readonly cancelled?: AbortSignal | undefined;
}

/**
 * Asks for the passphrase of a stored key until it is right, and opens the key with it. A key without a passphrase opens without a
 * prompt.
 * @returns the key, which the caller wipes; `undefined` if the user cancelled, or `cancelled` was aborted.
 * @throws KeyError for every failure other than a wrong passphrase.
 */
export async function askToOpen(
  entry: StoredKeyEntry,
  { title, prompt, cancelled }: PassphraseQuestion,
  prompts: Prompts,
  keys: KeyStore,
): Promise<SecretKeyMaterial | undefined> {
  if (!entry.isProtected) {
    return keys.open(entry, undefined);
  }
  let problem: string | undefined;
  for (;;) {
    const answer = await prompts.input({
      title,
      prompt,
      secret: true,
      ...(problem === undefined ? {} : { problem }),
      cancelled,
      read: (text) => readPresent(text, keys.waitMs(entry.address)),
    });
    if (answer.kind !== 'value') {
      return undefined;
    }
    try {
      const key = await keys.open(entry, answer.value);
      if (cancelled?.aborted === true) {
        wipe(key);
        return undefined;
      }
      return key;
    } catch (error) {
      if (!(error instanceof KeyError) || error.kind !== 'wrongPassphrase') {
        throw error;
      }
      problem = [error.message, waitMessage(keys.waitMs(entry.address)) ?? l10n.t('Try again.')].join(' ');
    }
  }
}

/**
 * Asks for a new passphrase, twice. `undefined`: the user cancelled.
 * @param purpose a sentence that starts the prompt and names the wallet
 */
export async function askNewPassphrase(title: string, purpose: string, prompts: Prompts): Promise<string | undefined> {
  const answers = await runSteps<{ readonly first: string; readonly second: string }>({ first: '', second: '' }, [
    {
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title,
          place,
          prompt: l10n.t`${purpose} Four or five random words work well. It cannot be recovered: keep it with the backup of your key.`,
          secret: true,
          read: readNew,
        });
        return answer.kind === 'value' ? { kind: 'value', value: { ...draft, first: answer.value } } : answer;
      },
    },
    {
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title,
          place,
          prompt: l10n.t('Enter the passphrase again.'),
          secret: true,
          read: (text): Reading<string> =>
            text === draft.first ? { ok: true, value: text } : { ok: false, message: l10n.t('The passphrases do not match.') },
        });
        return answer.kind === 'value' ? { kind: 'value', value: { ...draft, second: answer.value } } : answer;
      },
    },
  ]);
  return answers?.second;
}

/** The consequence of losing a wallet's passphrase, shown before one is set. It depends on which other copies of the key exist. */
export function passphraseWarning(origin: OwnerOrigin): string {
  switch (origin) {
    case 'user':
      return l10n.t('Without the passphrase, nobody can use the stored key. Keep a backup of it.');
    case 'sandbox':
    case 'testChain':
    case 'generated':
      return l10n.t('Without the passphrase, nobody can use the stored key. It holds only pretend money.');
  }
}

function readPresent(text: string, waitMs: number): Reading<string> {
  const wait = waitMessage(waitMs);
  if (wait !== undefined) {
    return { ok: false, message: wait };
  }
  return text === '' ? { ok: false, message: l10n.t('Enter a passphrase.') } : { ok: true, value: text };
}

function readNew(text: string): Reading<string> {
  const problem = problemOfNewPassphrase(text);
  return problem === undefined ? { ok: true, value: text } : { ok: false, message: problem };
}

/** The message while the next try is throttled; `undefined` if it isn't. */
function waitMessage(waitMs: number): string | undefined {
  return waitMs <= 0
    ? undefined
    : l10n.t`Too many wrong passphrases. Wait ${counted(Math.ceil(waitMs / 1_000), 'second')}, then try again.`;
}
