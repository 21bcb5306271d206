import * as l10n from '@vscode/l10n';
import type { ActionOutcome, AutoRebalanceHost, AutoRebalanceRules, DueAction } from '../../autoRebalance/types';
import { OperationError, errorMessageOf } from '../../transactions/errors';
import type { RebalanceResult } from '../../transactions/rebalance/types';
import type { OperationResult } from '../../transactions/types';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../base/solana/address';
import { SigningError } from '../../wallet/errors';
import type { Signer } from '../../wallet/signer';
import type { CommandId } from '../../settings/generated/commandIds';
import { describeUserError } from '../shell/commands/errorMessage';
import type { KnownOwner } from '../wallets/ownerIndex';
import { walletLabel } from '../wallets/walletNames';
import type { WalletLock } from '../wallets/owners';
import type { Prompts } from '../shell/prompts/prompts';
import type { RebalanceApproval, RebalanceRuns } from '../rebalance/request';
import { ReplacedError, UserError } from '../shell/errors';
import { plainText } from '../shell/views/text';
import type { Announce } from './announcements';
import type { RebalanceQuestions } from './questions';
import { showDryRun } from './rulesMessages';
import { failedText } from '../../autoRebalance/cooldowns';

export interface ExecutorDependencies {
  readonly prompts: Prompts;
  readonly questions: Pick<RebalanceQuestions, 'ask'>;
  /** The runs of a wallet, shown or not. Loaded at the first action. */
  readonly runs: (owner: Address) => Promise<RebalanceRuns>;
  /** The RPC in use, if any. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** A wallet of the service in use, if it can sign. */
  readonly ownerOf: (address: Address) => KnownOwner | undefined;
  /** The wallet that auto-rebalance is on for, or else the one that is shown, if it can sign. */
  readonly owner: () => KnownOwner | undefined;
  readonly owners: { lockOf(owner: KnownOwner): WalletLock; signer(owner: Address, cancelled?: AbortSignal): Promise<Signer> };
  /** Called when the wallet was unlocked, here or elsewhere. */
  readonly onUnlocked: () => void;
  /** Runs a command of the extension, with an argument if one is given. */
  readonly command: (id: CommandId, argument?: unknown) => Promise<void>;
  readonly announce: Announce;
  /** Whether the views show a wallet: commands of positions work on the shown one. */
  readonly isShown: (owner: Address) => boolean;
  readonly onError: (error: unknown) => void;
}

/** Why automatic mode needs an RPC: without one, only the service reports proceeds and prices, and nothing is simulated. */
export const needsRpc = (): string =>
  l10n.t('Nothing was signed: automatic mode needs your own Solana RPC. Set one with Connect to Service…, or choose Ask in the rules.');

const unlockText = () => l10n.t('Unlock Wallet');
const stopText = () => l10n.t('Stop All Automation');

/** One action. */
interface Turn extends Omit<DueAction, 'owner'> {
  readonly rules: AutoRebalanceRules;
  readonly owner: KnownOwner;
  readonly cancelled: AbortSignal;
  readonly mayStillAct: () => Promise<boolean>;
}

/** What happened during an action and is not in its result. */
interface Meanwhile {
  /** Why a part was not signed without the user, in sentences. */
  heldBack: string | undefined;
  isLocked: boolean;
  isStopped: boolean;
  /** The user pressed Cancel. */
  isRefused: boolean;
}

/**
 * Carries out the decisions of auto-rebalance with the wallet that it is for, and notifies the user once of what needs them. In mode *automatic* it
 * never asks for a passphrase: the user unlocks the wallet when they want it.
 */
export class AutoRebalanceExecutor implements AutoRebalanceHost {
  /** The wallet was locked when it was last looked at. */
  #wasLocked = false;
  /** The user knows that the wallet is locked; many positions may wait for it. */
  #hasReportedLocked = false;

  readonly #dependencies: ExecutorDependencies;

  constructor(dependencies: ExecutorDependencies) {
    this.#dependencies = dependencies;
  }

  async act(
    due: DueAction,
    rules: AutoRebalanceRules,
    cancelled: AbortSignal,
    mayStillAct: () => Promise<boolean>,
  ): Promise<ActionOutcome> {
    try {
      const owner = this.#dependencies.ownerOf(due.owner);
      if (owner === undefined) {
        return {
          kind: 'failed',
          words: l10n.t('Nothing was signed: Binsight no longer has the key of this wallet. Import the key, or stop auto-rebalance.'),
        };
      }
      const turn: Turn = { ...due, rules, owner, cancelled, mayStillAct };
      return await (isAsked(turn) ? this.#askAndAct(turn) : this.#actByRules(turn));
    } catch (error) {
      return this.#outcomeOf(error, cancelled);
    }
  }

  notify(message: string, severity: 'info' | 'warning'): void {
    if (severity === 'warning') {
      this.#dependencies.announce({ kind: 'needsUser', pairName: undefined });
    }
    this.#offer(message, severity, [[showDryRun(), () => this.#dependencies.command('binsight.showAutomationPlan')], this.#stopping]);
  }

  /** Whether the wallet is locked. */
  get isLocked(): boolean {
    const owner = this.#dependencies.owner();
    return owner !== undefined && this.#dependencies.owners.lockOf(owner).kind === 'locked';
  }

  /**
   * Asks for the passphrase of a wallet, if it has one.
   * @param owner default: the one that auto-rebalance is for
   * @returns false if the user cancelled and it stays locked
   * @throws KeyError if the stored key can't be read
   */
  async unlock(owner: KnownOwner | undefined = this.#dependencies.owner()): Promise<boolean> {
    if (owner === undefined) {
      return false;
    }
    try {
      await this.#dependencies.owners.signer(owner.address);
    } catch (error) {
      if (error instanceof SigningError && error.kind === 'locked') {
        return false;
      }
      throw error;
    }
    this.ownersChanged();
    return true;
  }

  /** Call when the wallets or their locks changed. */
  ownersChanged(): void {
    const { isLocked } = this;
    const wasLocked = this.#wasLocked;
    this.#wasLocked = isLocked;
    if (wasLocked && !isLocked) {
      this.#dependencies.onUnlocked();
    }
  }

  async #askAndAct(turn: Turn): Promise<ActionOutcome> {
    const { position, action, why, asks, cancelled, mayStillAct } = turn;
    switch (await this.#dependencies.questions.ask(position, action, asks === undefined ? why : `${why} ${asks}`, cancelled)) {
      case 'open':
        return { kind: 'notNow' };
      case 'notNow':
        return { kind: 'refused', leaveAlone: false };
      case 'leaveAlone':
        return { kind: 'refused', leaveAlone: true };
      case 'yes':
        return (await mayStillAct()) ? this.#run(turn, { kind: 'ask' }, newMeanwhile()) : { kind: 'notNow' };
    }
  }

  async #actByRules(turn: Turn): Promise<ActionOutcome> {
    const { position, action, why, owner, cancelled, mayStillAct } = turn;
    if (this.#dependencies.owners.lockOf(owner).kind === 'locked') {
      return this.#locked();
    }
    if ((await this.#dependencies.rpc()) === undefined) {
      return { kind: 'failed', words: needsRpc() };
    }
    this.#hasReportedLocked = false;
    const meanwhile = newMeanwhile();
    let isAnnounced = false;
    const signer = async (): Promise<Signer> => {
      if (cancelled.aborted || !(await mayStillAct())) {
        meanwhile.isStopped = true;
        throw new SigningError('refused', l10n.t('Auto-rebalance was stopped, or its rules no longer hold. Nothing was signed.'));
      }
      try {
        // With an aborted signal, a locked wallet rejects instead of asking for a passphrase.
        const found = await this.#dependencies.owners.signer(owner.address, AbortSignal.abort());
        if (!isAnnounced) {
          isAnnounced = true;
          this.#dependencies.announce({ kind: 'acts', pairName: position.pairName, action, why });
        }
        return found;
      } catch (error) {
        meanwhile.isLocked = error instanceof SigningError && error.kind === 'locked';
        throw error;
      }
    };
    const heldBack = (words: string): void => {
      meanwhile.heldBack = words;
    };
    return this.#run(turn, { kind: 'rules', signer, heldBack }, meanwhile);
  }

  async #run(turn: Turn, consent: RebalanceApproval, meanwhile: Meanwhile): Promise<ActionOutcome> {
    const { position, action, rules, owner, cancelled } = turn;
    const request = {
      position,
      owner: owner.address,
      consent,
      cancelled,
      lead: l10n.t('Auto-rebalance'),
      onCancel: () => {
        meanwhile.isRefused = true;
      },
    };
    try {
      const runs = await this.#dependencies.runs(owner.address);
      const result = await (action === 'rebalance'
        ? runs.rebalance({ ...request, terms: rules.terms, mostReentryLamports: turn.mostReentryLamports })
        : runs.close({ ...request, slippageBps: rules.terms.slippageBps }));
      return this.#outcome(turn, result, meanwhile);
    } catch (error) {
      if (meanwhile.isLocked) {
        return this.#locked();
      }
      if (meanwhile.isStopped) {
        return { kind: 'notNow' };
      }
      throw error;
    }
  }

  /** The run has reported what was sent or landed; this reports what was not signed. */
  #outcome(turn: Turn, result: RebalanceResult | OperationResult, meanwhile: Meanwhile): ActionOutcome {
    switch (result.kind) {
      case 'settled':
        return { kind: 'done' };
      case 'notReentered':
        // The editor shows it already; a user who is away has to hear that the funds are not in a position.
        if (result.isOpen && !meanwhile.isRefused) {
          this.#dependencies.announce({ kind: 'needsUser', pairName: turn.position.pairName });
        }
        // The rebalance knows only that the zap-in was not approved; the reason is known here.
        return { kind: 'needsUser', words: meanwhile.heldBack === undefined ? result.words : `${result.words} ${meanwhile.heldBack}` };
      case 'unconfirmed':
      case 'landedNotListed':
        return { kind: 'notNow' };
      case 'declined':
      case 'blocked':
        if (meanwhile.isLocked) {
          return this.#locked();
        }
        if (meanwhile.isStopped || turn.cancelled.aborted) {
          return { kind: 'notNow' };
        }
        if (meanwhile.heldBack !== undefined) {
          return this.#heldBack(turn, meanwhile.heldBack);
        }
        return meanwhile.isRefused || isAsked(turn)
          ? { kind: 'refused', leaveAlone: false }
          : this.#heldBack(turn, l10n.t('The review did not allow it.'));
    }
  }

  #heldBack({ position, action, owner }: Turn, found: string): ActionOutcome {
    const isShown = this.#dependencies.isShown(owner.address);
    const name = plainText(position.pairName);
    const pair = isShown ? name : l10n.t`${name} of ${walletLabel(owner)}`;
    const words = `${failedText(action, pair)} ${found} ${l10n.t('Nothing was sent. Your money has not moved.')}`;
    const [label, id]: readonly [string, CommandId] =
      action === 'rebalance' ? [l10n.t('Rebalance…'), 'binsight.rebalance'] : [l10n.t('Zap Out…'), 'binsight.zapOut'];
    this.#dependencies.announce({ kind: 'needsUser', pairName: position.pairName });
    const byHand: Button = [label, () => this.#dependencies.command(id, { kind: 'position', key: position.key })];
    this.#offer(words, 'warning', [...(isShown ? [byHand] : []), this.#stopping]);
    return { kind: 'needsUser', words };
  }

  #locked(): ActionOutcome {
    const words = l10n.t('Auto-rebalance needs to act, but the wallet is locked. Nothing was signed or sent. Unlock it to continue.');
    this.#wasLocked = true;
    if (!this.#hasReportedLocked) {
      this.#hasReportedLocked = true;
      this.#dependencies.announce({ kind: 'needsUser', pairName: undefined });
      this.#offer(words, 'warning', [[unlockText(), () => this.unlock()], this.#stopping]);
    }
    return { kind: 'needsUser', words };
  }

  /** The outcome after an error; unexpected errors also go to `onError`. */
  #outcomeOf(error: unknown, cancelled: AbortSignal): ActionOutcome {
    if (
      cancelled.aborted ||
      error instanceof UserError ||
      error instanceof ReplacedError ||
      (error instanceof OperationError && error.kind === 'underWay')
    ) {
      // Stopped, another operation is in progress, or the window has to be reloaded, which it says itself.
      return { kind: 'notNow' };
    }
    const worded = describeUserError(error);
    if (worded === undefined) {
      return { kind: 'notNow' };
    }
    if (!(error instanceof Error) || worded.message !== error.message) {
      this.#dependencies.onError(error);
    }
    return { kind: 'failed', words: errorMessageOf(new Error(worded.message)) };
  }

  get #stopping(): Button {
    return [stopText(), () => this.#dependencies.command('binsight.stopAllAutomation')];
  }

  #offer(message: string, severity: 'info' | 'warning', buttons: readonly Button[]): void {
    const { prompts, onError } = this.#dependencies;
    prompts
      .notify({ severity, message, actions: buttons.map(([label]) => label) })
      .then(async (pressed) => buttons.find(([label]) => label === pressed)?.[1]())
      .catch(onError);
  }
}

/** A label and its action. */
type Button = readonly [string, () => Promise<unknown>];

/** Whether the user decides, and nothing is signed by the rules. */
function isAsked({ rules, asks }: Turn): boolean {
  return rules.mode === 'ask' || asks !== undefined;
}

function newMeanwhile(): Meanwhile {
  return { heldBack: undefined, isLocked: false, isStopped: false, isRefused: false };
}
