import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/numbers';
import { KeyError } from '../../wallet/errors';
import { wipe, type SecretKeyMaterial } from '../../wallet/keys';
import { problemOfNewPassphrase, SHORTEST_PASSPHRASE } from '../../wallet/passphrase';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import { runSteps } from '../shell/prompts/steps';
import type { KeptKey, KeyStore } from './keyStore';
import type { OwnerOrigin } from './ownerIndex';

/** What the passphrase of a stored key is asked for with. */
export interface PassphraseQuestion {
  readonly title: string;
  /** Whose passphrase, and what for. */
  readonly prompt: string;
  /** Takes the question back. */
  readonly cancelled?: AbortSignal | undefined;
}

/**
 * Asks for the passphrase of a stored key until it is right, and opens the key with it; one without a passphrase opens without a
 * question. The caller wipes it. `undefined`: the user has left, or the question was taken back.
 * @throws KeyError for whatever is not a wrong passphrase.
 */
export async function askToOpen(
  kept: KeptKey,
  { title, prompt, cancelled }: PassphraseQuestion,
  prompts: Prompts,
  keys: KeyStore,
): Promise<SecretKeyMaterial | undefined> {
  if (!kept.isProtected) {
    return keys.open(kept, undefined);
  }
  let problem: string | undefined;
  for (;;) {
    const answer = await prompts.input({
      title,
      prompt,
      placeholder: 'Passphrase',
      secret: true,
      ...(problem === undefined ? {} : { problem }),
      cancelled,
      read: (text) => readPresent(text, keys.waitMs(kept.address)),
    });
    if (answer.kind !== 'value') {
      return undefined;
    }
    try {
      const key = await keys.open(kept, answer.value);
      if (cancelled?.aborted === true) {
        wipe(key);
        return undefined;
      }
      return key;
    } catch (error) {
      if (!(error instanceof KeyError) || error.kind !== 'wrongPassphrase') {
        throw error;
      }
      problem = [error.message, waitWords(keys.waitMs(kept.address)) ?? l10n.t('Try again.')].join(' ');
    }
  }
}

/**
 * Asks for a new passphrase, twice. `undefined`: the user has left.
 * @param what the sentence above the field, which says what it is for
 */
export async function askNewPassphrase(title: string, what: string, prompts: Prompts): Promise<string | undefined> {
  const answers = await runSteps<{ readonly first: string; readonly second: string }>({ first: '', second: '' }, [
    {
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title,
          place,
          prompt: l10n.t`${what} At least ${SHORTEST_PASSPHRASE} characters, such as four or five random words. Nobody can recover it: keep it where you keep the copy of your key.`,
          placeholder: l10n.t('New passphrase'),
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
          prompt: l10n.t('Type it once more, so that a slip of the fingers does not lock you out.'),
          placeholder: l10n.t('The same passphrase'),
          secret: true,
          read: (text): Reading<string> =>
            text === draft.first
              ? { ok: true, value: text }
              : { ok: false, message: l10n.t('This differs from what was typed before. Type it again, or go back and start over.') },
        });
        return answer.kind === 'value' ? { kind: 'value', value: { ...draft, second: answer.value } } : answer;
      },
    },
  ]);
  return answers?.second;
}

const withoutIt = () => l10n.t('Without the passphrase nobody can use the stored key, neither Binsight nor you:');
const wayBack = (): Readonly<Record<OwnerOrigin, string>> => ({
  user: l10n.t`${withoutIt()} the only way back is to import the key again, from your own copy. Make sure that you have one.`,
  sandbox: l10n.t`${withoutIt()} the sandbox's folder has the only other copy, which would have to be imported.`,
  generated: l10n.t`${withoutIt()} there is no copy of it, and the wallet's pretend money would be out of reach.`,
});

/** What it means to lose the passphrase of a wallet, said before it gets one. */
export function passphraseWarning(origin: OwnerOrigin): string {
  return wayBack()[origin];
}

function readPresent(text: string, waitMs: number): Reading<string> {
  const wait = waitWords(waitMs);
  if (wait !== undefined) {
    return { ok: false, message: wait };
  }
  return text === ''
    ? { ok: false, message: l10n.t('Type the passphrase of this wallet, or press Escape: nothing is done then.') }
    : { ok: true, value: text };
}

function readNew(text: string): Reading<string> {
  const problem = problemOfNewPassphrase(text);
  return problem === undefined ? { ok: true, value: text } : { ok: false, message: problem };
}

/** What is said while the next try has to wait. */
function waitWords(waitMs: number): string | undefined {
  return waitMs <= 0
    ? undefined
    : l10n.t`Several passphrases in a row were wrong: wait ${counted(Math.ceil(waitMs / 1_000), 'second')} before the next one.`;
}
