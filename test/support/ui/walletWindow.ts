import { KeyRing } from '../../../src/ui/wallets/keyRing';
import type { CommandHandlers, CommandTarget } from '../../../src/ui/shell/commands/runCommand';
import { walletCommands, type WalletCommandId } from '../../../src/ui/wallets/walletCommands';
import { Owners } from '../../../src/ui/wallets/owners';
import { PromptSlot } from '../../../src/ui/shell/prompts/prompts';
import { readServiceChoice, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { writeIndex } from '../../../src/ui/wallets/ownerIndex';
import { signReviewed } from '../../../src/review/review';
import type { Address } from '../../../src/base/solana/address';
import type { SecretKeyMaterial } from '../../../src/wallet/keys';
import { ScriptedPrompts, type ScriptedAnswer } from '../editor/scriptedPrompts';
import { FakeClock } from '../portfolio/fixtures';
import { recordByHand } from '../wallet/recordByHand';
import { fail, MemorySecrets, MemoryState } from './memory';

/** A service with real money. */
export const REAL = readServiceChoice('https://example.org/v1');

/** One window: wallets, their commands, and a user who answers. Windows share secrets and state. */
export interface WalletWindow {
  readonly owners: Owners;
  readonly secrets: MemorySecrets;
  readonly state: MemoryState;
  readonly clock: FakeClock;
  /** What the sandbox was asked to give. */
  readonly airdrops: (readonly [Address, number])[];
  /** What was copied to the clipboard. */
  readonly copied: readonly string[];
  /** Runs a command with these answers; all of them are used. @param presses buttons of notifications, by a part of their text */
  readonly run: (
    id: WalletCommandId,
    answers: readonly ScriptedAnswer[],
    presses?: Readonly<Record<string, string>>,
    target?: CommandTarget,
  ) => Promise<ScriptedPrompts>;
  /** Does `work` while the user gives these answers; all of them are used. */
  readonly answering: (answers: readonly ScriptedAnswer[], work: () => Promise<unknown>) => Promise<ScriptedPrompts>;
}

/** What is not as usual. */
export interface WalletWindowOptions {
  readonly service?: ServiceChoice;
  readonly isInBrowser?: boolean;
  readonly isPortable?: boolean;
  readonly secrets?: MemorySecrets;
  readonly state?: MemoryState;
  readonly unlockMinutes?: () => number;
  readonly airdrop?: (owner: Address, sol: number) => Promise<void>;
}

/** Opens a window. */
export function walletWindow({
  service = REAL,
  isInBrowser = false,
  isPortable = false,
  secrets = new MemorySecrets(),
  state = new MemoryState(),
  unlockMinutes = () => 15,
  airdrop = () => Promise.resolve(),
}: WalletWindowOptions = {}): WalletWindow {
  const clock = new FakeClock();
  const slot = new PromptSlot(new ScriptedPrompts());
  const owners = new Owners({
    secrets,
    state,
    clock,
    unlockMinutes,
    prompts: slot,
    onError: fail,
    createKeyRing: (dependencies) => Promise.resolve(new KeyRing(dependencies)),
    signReviewed: () => Promise.resolve(signReviewed),
  });
  secrets.onDidChange((name) => owners.secretChanged(name));
  const airdrops: (readonly [Address, number])[] = [];
  const copied: string[] = [];
  const handlers: Pick<CommandHandlers, WalletCommandId> = walletCommands({
    ...{ prompts: slot, owners, isInBrowser, isPortable, service: () => service, askWhere: () => Promise.resolve(service) },
    actions: {
      copy: (text) => {
        copied.push(text);
        return Promise.resolve();
      },
    },
    airdrop: (owner, sol) => {
      airdrops.push([owner, sol]);
      return airdrop(owner, sol);
    },
  });
  const answering = async (
    answers: readonly ScriptedAnswer[],
    work: () => Promise<unknown>,
    presses: Readonly<Record<string, string>> = {},
  ) => {
    const prompts = new ScriptedPrompts(answers, presses);
    const before = slot.use(prompts);
    try {
      await work();
      prompts.assertDone();
      return prompts;
    } finally {
      slot.use(before);
    }
  };
  return {
    owners,
    secrets,
    state,
    clock,
    airdrops,
    copied,
    answering,
    run: (id, answers, presses, target) => answering(answers, () => handlers[id](target), presses),
  };
}

/** Puts a key under a passphrase where windows find it, at the least cost, as the one wallet that they know. */
export async function keepLocked(
  { secrets, state }: Pick<WalletWindow, 'secrets' | 'state'>,
  key: SecretKeyMaterial,
  passphrase: string,
): Promise<void> {
  const { address } = key;
  await secrets.store(secretName(address), JSON.stringify(recordByHand(key, passphrase)));
  await state.update(
    'binsight.owners',
    writeIndex({ owners: [{ address, canSign: true, origin: 'user', hasPassphrase: true }], active: {} }),
  );
}

/** The name under which a wallet's key is stored. */
export function secretName(address: Address): string {
  return `binsight.wallet:${address}`;
}
