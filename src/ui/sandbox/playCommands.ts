import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { titleOf } from '../../base/text';
import { signedPercent } from '../../base/format/percent';
import { pointed } from '../../base/format/typedNumbers';
import type { Address } from '../../base/solana/address';
import { HOUR_MS } from '../../base/time';
import type { PortfolioReader } from '../../portfolio/types';
import type { Pool } from '../../service/pools';
import type { OpenPosition } from '../../service/positions';
import type { SandboxProcess, SandboxReady } from '../connection/sandboxProcess';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandlers, CommandTarget } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import { pickAction } from '../shell/prompts/pickAction';
import { answered, type PickItem, type PickRequest, type Prompts, type Reading } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import type { ServiceChoice } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import type { Owners } from '../wallets/owners';
import { attackChoices, faultChoices, type PlayedFault } from './playedFaults';
import type { SandboxFault, SandboxStatus } from './sandboxControls';
import type { SandboxPlay } from './sandboxPlay';

/** Changes of the running sandbox (sandboxControls.ts). */
export interface SandboxControls {
  readonly airdrop: (sandbox: SandboxReady, owner: Address, sol: number) => Promise<void>;
  readonly movePrice: (sandbox: SandboxReady, pool: Address, percent: number) => Promise<void>;
  readonly advanceTime: (sandbox: SandboxReady, ms: number) => Promise<void>;
  readonly setSpeed: (sandbox: SandboxReady, times: number) => Promise<void>;
  readonly setFaults: (sandbox: SandboxReady, faults: readonly SandboxFault[]) => Promise<void>;
  readonly readStatus: (sandbox: SandboxReady) => Promise<SandboxStatus>;
}

export interface PlayDependencies {
  readonly prompts: Prompts;
  /** Finds pools that are not listed, by name or address. */
  readonly searchPools: NonNullable<PickRequest<Address>['search']>;
  readonly service: () => ServiceChoice;
  readonly sandbox: Pick<SandboxProcess, 'start'>;
  readonly controls: SandboxControls;
  readonly play: Pick<SandboxPlay, 'look' | 'priceMoved'>;
  readonly portfolio: PortfolioReader;
  readonly owners: Pick<Owners, 'active'>;
  /** Reads all lists again. Nothing waits for it: under a fault it can take long. Never rejects. */
  readonly refresh: () => Promise<void>;
  /** Runs a command of this extension. */
  readonly command: (id: CommandId) => Promise<void>;
}

const CONNECT: CommandId = 'binsight.connectService';
const LEAST_HOURS = 0.01;
const MOST_HOURS = 90 * 24;
const LEAST_PERCENT = -99;
const MOST_PERCENT = 10_000;
/** SOL of one airdrop. */
const AIRDROP_SOL = 10;

/** Commands that change the sandbox. None of them moves real money: they are refused unless the sandbox is in use. */
export function playCommands(
  dependencies: PlayDependencies,
): Pick<CommandHandlers, 'binsight.sandboxMenu' | 'binsight.movePrice' | 'binsight.playHostileService'> {
  return {
    'binsight.sandboxMenu': () => showMenu(dependencies),
    'binsight.movePrice': (target) => askPriceMove(dependencies, target),
    'binsight.playHostileService': () => askAttack(dependencies),
  };
}

async function showMenu(dependencies: PlayDependencies): Promise<void> {
  const { prompts, service, command } = dependencies;
  assertSandbox(service());
  await pickAction(prompts, {
    title: l10n.t('Sandbox'),
    placeholder: l10n.t('No real money is involved.'),
    items: [
      { label: l10n.t('Move Price…'), icon: 'graph-line', value: () => askPriceMove(dependencies, undefined) },
      { label: l10n.t('Advance Time…'), icon: 'history', value: () => askTime(dependencies) },
      { label: l10n.t('Set Speed…'), icon: 'dashboard', value: () => askSpeed(dependencies) },
      { label: l10n.t('Get SOL'), icon: 'add', value: () => getSol(dependencies) },
      { label: l10n.t('Play a Hostile Service…'), icon: 'bug', value: () => askAttack(dependencies) },
      {
        label: l10n.t('Play a Fault…'),
        icon: 'debug-disconnect',
        value: () => askFault(dependencies, titleOf(l10n.t('Play a Fault…')), faultChoices()),
      },
      { label: l10n.t('New Wallet…'), icon: 'key', value: () => command('binsight.newSandboxWallet') },
      { label: l10n.t('Reset World…'), icon: 'refresh', value: () => command('binsight.resetSandboxWorld') },
    ],
  });
}

interface PriceMove {
  readonly pool?: Address;
  readonly percent?: number | 'other';
  readonly typed?: number;
}

async function askPriceMove(dependencies: PlayDependencies, target: CommandTarget | undefined): Promise<void> {
  const { prompts, portfolio, service, controls } = dependencies;
  assertSandbox(service());
  const { positions, pools } = portfolio.snapshot;
  const title = titleOf(l10n.t('Move Price…'));
  const meant = positions.find(({ key }) => target?.kind === 'position' && key === target.key);
  const given = target?.kind === 'pool' ? target.address : meant?.pool;
  const poolStep: Step<PriceMove> = {
    applies: () => given === undefined,
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title,
        place,
        placeholder: l10n.t('Pool name or address'),
        items: poolItems(positions, pools),
        isCurrent: (value) => value === draft.pool,
        matchDetails: true,
        search: dependencies.searchPools,
      });
      return answer.kind === 'value' ? answered({ ...draft, pool: answer.value }) : answer;
    },
  };
  const percentStep: Step<PriceMove> = {
    ask: async (draft, place) => {
      const answer = await prompts.pick<number | 'other'>({
        title,
        place,
        placeholder: l10n.t('By how much?'),
        items: [
          ...justOutOfRange(meant === undefined ? positions.filter(({ pool }) => pool === draft.pool) : [meant]),
          ...[-20, -5, -1, 1, 5, 20].map((percent) => ({ label: signedPercent(percent), value: percent })),
          { label: l10n.t('Other…'), value: 'other' as const },
        ],
        isCurrent: (value) => value === draft.percent,
      });
      return answer.kind === 'value' ? answered({ ...draft, percent: answer.value }) : answer;
    },
  };
  const typedStep: Step<PriceMove> = {
    applies: ({ percent }) => percent === 'other',
    ask: async (draft, place) => {
      const answer = await prompts.input({
        title,
        place,
        prompt: l10n.t('Change in percent'),
        placeholder: '-12.5',
        ...(draft.typed === undefined ? {} : { initial: String(draft.typed) }),
        read: (text) => readNumber(text, LEAST_PERCENT, MOST_PERCENT),
      });
      return answer.kind === 'value' ? answered({ ...draft, typed: answer.value }) : answer;
    },
  };
  const draft = await runSteps<PriceMove>(given === undefined ? {} : { pool: given }, [poolStep, percentStep, typedStep]);
  const percent = draft?.percent === 'other' ? draft.typed : draft?.percent;
  const pool = draft?.pool;
  if (pool !== undefined && percent !== undefined) {
    await change(dependencies, (sandbox) => controls.movePrice(sandbox, pool, percent), l10n.t`Price moved by ${signedPercent(percent)}.`);
    dependencies.play.priceMoved();
  }
}

/** Bins beyond the range, so that the small moves of the market until the next read do not bring the price back. */
const BEYOND_BINS = 3;

/** The shortest way out of the range of a position; none for a position that is out of it, or has none. */
function justOutOfRange(positions: readonly OpenPosition[]): readonly PickItem<number>[] {
  const moves = positions.flatMap(({ inRange, poolType, lowerBinId: lower, upperBinId: upper, activeBinId: active, binStepBps: step }) =>
    inRange !== true || poolType === 'dammV2' || lower === undefined || upper === undefined || active === undefined || step === undefined
      ? []
      : [lower - BEYOND_BINS - active, upper + BEYOND_BINS - active].map((bins) => 100 * Math.expm1(bins * Math.log1p(step / 10_000))),
  );
  const [nearest] = moves.sort((one, other) => Math.abs(one) - Math.abs(other));
  if (nearest === undefined) {
    return [];
  }
  const percent = Math.round(nearest * 100) / 100;
  return [{ label: l10n.t('Just out of range'), description: signedPercent(percent), value: percent }];
}

/** The pools of the user's positions first, each once. */
function poolItems(positions: readonly OpenPosition[], pools: readonly Pool[]): readonly PickItem<Address>[] {
  const named = new Map<Address, PickItem<Address>>();
  for (const { pool, pairName, inRange } of positions) {
    if (pool !== undefined && !named.has(pool)) {
      const description = inRange === false ? l10n.t('out of range') : l10n.t('your position');
      named.set(pool, { label: plainText(pairName), description, detail: pool, value: pool });
    }
  }
  for (const { address, pairName } of pools) {
    if (!named.has(address)) {
      named.set(address, { label: plainText(pairName), detail: address, value: address });
    }
  }
  return [...named.values()];
}

async function askTime(dependencies: PlayDependencies): Promise<void> {
  const { prompts, controls } = dependencies;
  const title = titleOf(l10n.t('Advance Time…'));
  const answer = await prompts.pick<number | 'other'>({
    title,
    placeholder: l10n.t('By how much?'),
    items: [
      { label: counted(1, 'hour'), value: 1 },
      { label: counted(6, 'hour'), value: 6 },
      { label: counted(1, 'day'), value: 24 },
      { label: l10n.t('Other…'), value: 'other' },
    ],
  });
  if (answer.kind !== 'value') {
    return;
  }
  let hours = answer.value;
  if (hours === 'other') {
    const typed = await prompts.input({
      title,
      prompt: l10n.t('Hours'),
      placeholder: '48',
      read: (text) => readNumber(text, LEAST_HOURS, MOST_HOURS),
    });
    if (typed.kind !== 'value') {
      return;
    }
    hours = typed.value;
  }
  const ms = Math.round(hours * HOUR_MS);
  await change(dependencies, (sandbox) => controls.advanceTime(sandbox, ms), l10n.t('The time in the sandbox was advanced.'));
}

async function askSpeed(dependencies: PlayDependencies): Promise<void> {
  const { prompts, sandbox, controls } = dependencies;
  const { speed } = await controls.readStatus(await sandbox.start());
  const answer = await prompts.pick({
    title: titleOf(l10n.t('Set Speed…')),
    placeholder: l10n.t('How fast do prices move?'),
    items: [
      { label: l10n.t('Stop'), value: 0 },
      { label: '×1', value: 1 },
      { label: '×10', value: 10 },
      { label: '×100', value: 100 },
      { label: '×1,000', value: 1_000 },
    ],
    isCurrent: (value) => value === speed,
  });
  if (answer.kind === 'value') {
    const { value } = answer;
    await change(dependencies, (ready) => controls.setSpeed(ready, value), l10n.t`Speed: ×${value}.`);
  }
}

async function getSol(dependencies: PlayDependencies): Promise<void> {
  const { service, owners, controls } = dependencies;
  const owner = owners.active(service());
  if (owner === undefined) {
    throw new UserError(l10n.t('No wallet selected.'));
  }
  await change(
    dependencies,
    (sandbox) => controls.airdrop(sandbox, owner.address, AIRDROP_SOL),
    l10n.t`${AIRDROP_SOL} pretend SOL added to the wallet.`,
  );
}

function askAttack(dependencies: PlayDependencies): Promise<void> {
  return askFault(dependencies, titleOf(l10n.t('Play a Hostile Service…')), attackChoices());
}

async function askFault(dependencies: PlayDependencies, title: string, choices: readonly PlayedFault[]): Promise<void> {
  const { prompts, service, sandbox, controls } = dependencies;
  assertSandbox(service());
  const { fault: current } = await controls.readStatus(await sandbox.start());
  const none: PlayedFault = { label: l10n.t('None'), fault: undefined };
  const answer = await prompts.pick({
    title,
    placeholder: l10n.t('Stays on until you choose None'),
    items: [none, ...choices].map((choice) => ({
      label: choice.label,
      ...(choice.description === undefined ? {} : { description: choice.description }),
      value: choice,
    })),
    isCurrent: ({ fault }) =>
      fault?.kind === current?.kind && fault?.['attack'] === current?.attack && fault?.['status'] === current?.status,
  });
  if (answer.kind === 'value') {
    const { fault, label } = answer.value;
    await change(
      dependencies,
      (ready) => controls.setFaults(ready, fault === undefined ? [] : [fault]),
      l10n.t`Active in the sandbox: ${label}.`,
    );
  }
}

/** Changes the sandbox, says so, and reads everything again. */
async function change(
  { sandbox, prompts, refresh, play }: PlayDependencies,
  run: (sandbox: SandboxReady) => Promise<void>,
  done: string,
): Promise<void> {
  await run(await sandbox.start());
  void play.look();
  void prompts.notify({ severity: 'info', message: done });
  void refresh();
}

/** @throws UserError if another service is in use */
function assertSandbox(choice: ServiceChoice): void {
  if (choice.kind !== 'sandbox') {
    throw new UserError(l10n.t('Another service is in use. Connect to the sandbox first.'), {
      label: l10n.t('Connect to Service…'),
      command: CONNECT,
    });
  }
}

function readNumber(text: string, least: number, most: number): Reading<number> {
  const plain = pointed(text.trim().replace(/\s*%$/, '').replace('−', '-'));
  if (!plain.ok && plain.message !== undefined) {
    return { ok: false, message: plain.message };
  }
  const value = plain.ok && plain.value !== '' ? Number(plain.value) : NaN;
  return Number.isFinite(value) && value >= least && value <= most
    ? { ok: true, value }
    : { ok: false, message: l10n.t`Enter a number from ${least} to ${most}.` };
}
