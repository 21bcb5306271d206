import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OpenPosition } from '../../service/positions';
import type { DecreaseOutput } from '../../service/transactions';
import { positionRow } from '../positions/positionRow';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { UserError } from '../shell/userError';
import { plainText } from '../shell/views/text';
import { readPercent, slippageSteps } from './slippage';
import { knownPoolType } from './zapInTarget';

/** What the user chose for a zap-out. */
export interface ZapOutChoices {
  readonly position: OpenPosition;
  /** 1 to 10000. */
  readonly shareBps: number;
  readonly output: DecreaseOutput;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/** What the dialogue works with. */
export interface ZapOutDialogueDependencies {
  readonly prompts: Prompts;
  readonly positions: readonly OpenPosition[];
  readonly defaultSlippageBps: () => number;
}

interface Draft {
  readonly position?: OpenPosition;
  readonly shareBps?: number | 'own';
  readonly output?: DecreaseOutput;
  readonly slippageBps?: number | 'own';
}

const SHARES_BPS: readonly number[] = [2_500, 5_000, 7_500, WHOLE_BPS];

/**
 * Asks what to withdraw, and as what. `from` is the position that the command was started on.
 * @returns the choices, or `undefined` when the user cancelled.
 * @throws Refusal where there is no open position, or the one that was chosen cannot be left by Binsight.
 */
export async function askZapOut(
  dependencies: ZapOutDialogueDependencies,
  from: OpenPosition | undefined,
): Promise<ZapOutChoices | undefined> {
  if (from === undefined && dependencies.positions.length === 0) {
    throw new UserError(l10n.t('There is no open position to zap out of.'));
  }
  if (from !== undefined) {
    knownPoolType(from.poolType, 'leave');
  }
  const { prompts } = dependencies;
  const steps: readonly Step<Draft>[] = [
    ...(from === undefined ? [positionStep(dependencies)] : []),
    shareStep(prompts),
    ownShareStep(prompts),
    outputStep(prompts),
    ...slippageSteps<Draft>(prompts, titleOf, dependencies.defaultSlippageBps).map((step): Step<Draft> => ({
      ...step,
      applies: (draft) => hasSlippage(draft) && (step.applies?.(draft) ?? true),
    })),
  ];
  const draft = await runSteps<Draft>({ position: from }, steps);
  return draft === undefined
    ? undefined
    : completed(hasSlippage(draft) ? draft : { ...draft, slippageBps: dependencies.defaultSlippageBps() });
}

/** Whether the slippage bounds anything: a DLMM withdrawal as both tokens swaps nothing, and states no minimum. One of DAMM v2 does. */
export function hasSlippage({ position, output }: Pick<Draft, 'position' | 'output'>): boolean {
  return output !== 'both' || position?.poolType !== 'dlmm';
}

function completed({ position, shareBps, output, slippageBps }: Draft): ZapOutChoices {
  if (position === undefined || typeof shareBps !== 'number' || output === undefined || typeof slippageBps !== 'number') {
    throw new Error('The zap-out dialogue ended with a step unanswered');
  }
  return { position, shareBps, output, slippageBps };
}

function titleOf({ position }: Draft): string {
  return position === undefined ? l10n.t('Zap Out') : l10n.t`Zap Out of ${plainText(position.pairName)}`;
}

function positionStep({ prompts, positions }: ZapOutDialogueDependencies): Step<Draft> {
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: titleOf({}),
        place,
        placeholder: l10n.t('Which position?'),
        items: positions.map((position): PickItem<OpenPosition> => {
          const { label, description, icon } = positionRow(position, false);
          return { label, description, icon: icon.id, detail: position.address, value: position };
        }),
        isCurrent: ({ key }) => key === draft.position?.key,
        matchDetails: true,
      });
      if (answer.kind !== 'value') {
        return answer;
      }
      knownPoolType(answer.value.poolType, 'leave');
      return answered({ ...draft, position: answer.value });
    },
  };
}

function shareStep(prompts: Prompts): Step<Draft> {
  return {
    ask: async (draft, place) => {
      const current = draft.shareBps ?? WHOLE_BPS;
      const answer = await prompts.pick<number | 'own'>({
        title: titleOf(draft),
        place,
        placeholder: l10n.t('How much of the position?'),
        items: [
          ...SHARES_BPS.map((shareBps) => ({
            label: percent(shareBps / 100),
            description: worthText(draft.position, shareBps),
            value: shareBps,
          })),
          { label: l10n.t('Other share…'), icon: 'edit', value: 'own' },
        ],
        isCurrent: (value) => value === current,
      });
      return answer.kind === 'value' ? answered({ ...draft, shareBps: answer.value }) : answer;
    },
  };
}

function ownShareStep(prompts: Prompts): Step<Draft> {
  return {
    applies: ({ shareBps }) => shareBps === 'own',
    ask: async (draft, place) => {
      const answer = await prompts.input({
        title: titleOf(draft),
        place,
        prompt: l10n.t('Share in percent, with at most two decimals.'),
        placeholder: '33.33',
        read: (text) => readShare(text, draft.position),
      });
      return answer.kind === 'value' ? answered({ ...draft, shareBps: answer.value }) : answer;
    },
  };
}

/** Reads a share typed in percent, as basis points from 1 to 10000. */
export function readShare(text: string, position: OpenPosition | undefined): Reading<number> {
  const value = readPercent(text);
  if (value === undefined || value < 1 || value > WHOLE_BPS) {
    return { ok: false, message: l10n.t('Type a percentage from 0.01 to 100 with at most two decimals, such as 33.33.') };
  }
  return { ok: true, value, note: worthText(position, value) };
}

/** What a share is worth now, and the fees, all of which come with any share: "≈ $128.10, and $2.00 in fees"; all of it closes the position. */
function worthText(position: OpenPosition | undefined, shareBps: number): string {
  const value = position?.value.usd;
  const fees = position?.uncollectedFee.usd;
  const worth = isKnown(value) ? `≈ ${usd((value * shareBps) / WHOLE_BPS)}` : l10n.t('worth not known');
  return `${worth}${isKnown(fees) ? l10n.t`, and ${usd(fees)} in fees` : ''}${shareBps < WHOLE_BPS ? '' : l10n.t(' · closes the position')}`;
}

function outputStep(prompts: Prompts): Step<Draft> {
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: titleOf(draft),
        place,
        placeholder: l10n.t('What do you want to receive?'),
        items: draft.position === undefined ? [] : outputChoices(draft.position),
        isCurrent: (value) => value === draft.output,
      });
      return answer.kind === 'value' ? answered({ ...draft, output: answer.value }) : answer;
    },
  };
}

/** Names what the user chose to receive: "SOL", "BONK and SOL". */
export function outputName(position: OpenPosition, output: DecreaseOutput): string {
  return outputChoices(position).find(({ value }) => value === output)?.label ?? l10n.t('the tokens of the pool');
}

/** What a withdrawal from this position can come back as, the service's base token (SOL) first. */
export function outputChoices({ token0, token1 }: OpenPosition): readonly PickItem<DecreaseOutput>[] {
  const [first, second] = [plainText(token0.symbol), plainText(token1.symbol)];
  const hasSol = token0.address === WRAPPED_SOL_MINT || token1.address === WRAPPED_SOL_MINT;
  const other = token0.address === WRAPPED_SOL_MINT ? second : first;
  const choices: PickItem<DecreaseOutput>[] = [
    hasSol
      ? { label: 'SOL', description: l10n.t`everything; ${other} is swapped`, icon: 'arrow-right', value: 'allBaseToken' }
      : { label: 'SOL', description: l10n.t`everything; ${first} and ${second} are swapped`, icon: 'arrow-right', value: 'allBaseToken' },
    {
      label: l10n.t`${first} and ${second}`,
      description: l10n.t('as they are in the pool; nothing is swapped'),
      icon: 'split-horizontal',
      value: 'both',
    },
    { label: first, description: l10n.t`everything; ${second} is swapped`, icon: 'arrow-right', value: 'allToken0' },
    { label: second, description: l10n.t`everything; ${first} is swapped`, icon: 'arrow-right', value: 'allToken1' },
  ];
  // With SOL in the pair, the base token is one of the two.
  const doubled = token0.address === WRAPPED_SOL_MINT ? 'allToken0' : token1.address === WRAPPED_SOL_MINT ? 'allToken1' : undefined;
  return choices.filter(({ value }) => value !== doubled);
}
