import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { shortAddress } from '../../base/format/identifiers';
import { usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import { enterPercentText, messageOf } from '../../base/format/typedNumbers';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import { isPartlyLocked, type OpenPosition, withdrawablePart } from '../../service/positions';
import type { DecreaseOutput } from '../../service/transactions';
import { nameAmong, positionNames } from '../positions/positionList';
import { positionRow } from '../positions/positionRows';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { UserError } from '../shell/errors';
import { plainText } from '../shell/views/text';
import { readPercent, slippageSteps } from './slippage';
import { knownPoolType } from './zapInDraft';
import { nothingSwappedText, pairText } from './movedTokens';
import { noOpenPosition } from './operationMessages';
import { joined } from '../shell/views/rows';

/** The user's choices for a zap-out. */
export interface ZapOutChoices extends ZapOutValues {
  readonly position: OpenPosition;
}

interface ZapOutValues {
  /** Withdrawn share, 1 to 10000. */
  readonly shareBps: number;
  readonly output: DecreaseOutput;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

export interface ZapOutDialogDependencies {
  readonly prompts: Prompts;
  /** All that are listed. */
  readonly positions: readonly OpenPosition[];
  readonly defaultSlippageBps: () => number;
}

interface Draft {
  readonly position?: OpenPosition;
  /** Its name among the listed ones. */
  readonly name?: string;
  readonly shareBps?: number | 'own';
  readonly output?: DecreaseOutput;
  readonly slippageBps?: number | 'own';
}

const SHARES_BPS: readonly number[] = [2_500, 5_000, 7_500, WHOLE_BPS];

/**
 * Asks for position, share, received tokens and slippage tolerance.
 * @param from the position that the command was invoked on
 * @param proposed the answers to begin with
 * @returns `undefined` if the user cancels
 * @throws UserError if there is no open position, or Binsight does not support the pool type of the chosen one
 */
export async function askZapOut(
  dependencies: ZapOutDialogDependencies,
  from: OpenPosition | undefined,
  proposed?: ZapOutValues,
): Promise<ZapOutChoices | undefined> {
  if (from === undefined && dependencies.positions.length === 0) {
    throw new UserError(noOpenPosition());
  }
  if (from !== undefined) {
    knownPoolType(from.poolType);
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
  const draft = await runSteps<Draft>(
    { ...(from === undefined ? {} : { position: from, name: nameAmong(from, dependencies.positions) }), ...proposed },
    steps,
  );
  return draft === undefined
    ? undefined
    : completed(hasSlippage(draft) ? draft : { ...draft, slippageBps: dependencies.defaultSlippageBps() });
}

/** Whether the slippage tolerance has an effect: a DLMM withdrawal of both tokens swaps nothing and states no minimum. One from DAMM v2 does. */
export function hasSlippage({ position, output }: Pick<Draft, 'position' | 'output'>): boolean {
  return output !== 'both' || position?.poolType !== 'dlmm';
}

function completed({ position, shareBps, output, slippageBps }: Draft): ZapOutChoices {
  if (position === undefined || typeof shareBps !== 'number' || output === undefined || typeof slippageBps !== 'number') {
    throw new Error('The zap-out dialog ended with a step unanswered');
  }
  return { position, shareBps, output, slippageBps };
}

function titleOf({ name }: Draft): string {
  return name === undefined ? l10n.t('Zap Out') : `${l10n.t('Zap Out')}: ${name}`;
}

function positionStep({ prompts, positions }: ZapOutDialogDependencies): Step<Draft> {
  const names = positionNames(positions);
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: l10n.t('Zap Out'),
        place,
        placeholder: l10n.t('Choose a position'),
        items: positions.map((position): PickItem<OpenPosition> => {
          const { label, description, icon } = positionRow(position, false, names.get(position.key));
          return { label, description, icon: icon.id, detail: position.address, value: position };
        }),
        isCurrent: ({ key }) => key === draft.position?.key,
        matchDetails: true,
      });
      if (answer.kind !== 'value') {
        return answer;
      }
      knownPoolType(answer.value.poolType);
      return answered({ ...draft, position: answer.value, name: names.get(answer.value.key) });
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
        placeholder: l10n.t('Share'),
        items: [
          ...[...new Set([...SHARES_BPS, ...(current === 'own' ? [] : [current])])].map((shareBps) => ({
            label: percent(shareBps / 100),
            description: worthText(draft.position, shareBps),
            value: shareBps,
          })),
          { label: l10n.t('Other…'), icon: 'edit', value: 'own' },
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
        prompt: enterPercentText('0.01', '33.33'),
        placeholder: '33.33',
        read: (text) => readShare(text, draft.position),
      });
      return answer.kind === 'value' ? answered({ ...draft, shareBps: answer.value }) : answer;
    },
  };
}

/** Parses a share typed in percent, as 1 to 10000 basis points. */
export function readShare(text: string, position: OpenPosition | undefined): Reading<number> {
  const share = readPercent(text);
  if (!share.ok || share.value < 1 || share.value > WHOLE_BPS) {
    return { ok: false, message: messageOf(share) ?? enterPercentText('0.01', '33.33') };
  }
  const { value } = share;
  return { ok: true, value, note: worthText(position, value) };
}

/** Value of a share, and the fees, all of which come with any share: "≈ $128.10 + $2.00 fees". 100% closes the position. */
export function worthText(position: OpenPosition | undefined, shareBps: number): string {
  const value = position === undefined ? undefined : withdrawablePart(position).value.usd;
  const fees = position?.uncollectedFee.usd;
  const worth = isKnown(value) ? `≈ ${usd((value * shareBps) / WHOLE_BPS)}` : l10n.t('value unknown');
  const total = isKnown(fees) ? l10n.t`${worth} + ${usd(fees)} fees` : worth;
  return shareBps < WHOLE_BPS || (position !== undefined && isPartlyLocked(position))
    ? total
    : joined([total, l10n.t('closes the position')]);
}

function outputStep(prompts: Prompts): Step<Draft> {
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: titleOf(draft),
        place,
        placeholder: l10n.t('Tokens to receive'),
        items: draft.position === undefined ? [] : outputChoices(draft.position),
        isCurrent: (value) => value === draft.output,
      });
      return answer.kind === 'value' ? answered({ ...draft, output: answer.value }) : answer;
    },
  };
}

/** The received tokens: "SOL", "BONK and SOL". */
export function outputName(position: OpenPosition, output: DecreaseOutput): string {
  return outputChoices(position).find(({ value }) => value === output)?.label ?? l10n.t('both tokens');
}

/** The ticker of a token; one that calls itself like a well-known token is shown with its mint. */
function shownTicker({ address, symbol }: OpenPosition['token0']): string {
  return tickerText(plainText(symbol), address, shortAddress(address));
}

/** What a withdrawal can return, the service's base token (SOL) first. */
export function outputChoices({ token0, token1 }: OpenPosition): readonly PickItem<DecreaseOutput>[] {
  const [first, second] = [shownTicker(token0), shownTicker(token1)];
  const hasSol = token0.address === WRAPPED_SOL_MINT || token1.address === WRAPPED_SOL_MINT;
  const other = token0.address === WRAPPED_SOL_MINT ? second : first;
  const choices: PickItem<DecreaseOutput>[] = [
    hasSol
      ? { label: 'SOL', description: l10n.t`swaps ${other}`, icon: 'arrow-right', value: 'allBaseToken' }
      : { label: 'SOL', description: l10n.t`swaps ${pairText([first, second])}`, icon: 'arrow-right', value: 'allBaseToken' },
    { label: l10n.t`${first} and ${second}`, description: nothingSwappedText(), icon: 'split-horizontal', value: 'both' },
    { label: first, description: l10n.t`swaps ${second}`, icon: 'arrow-right', value: 'allToken0' },
    { label: second, description: l10n.t`swaps ${first}`, icon: 'arrow-right', value: 'allToken1' },
  ];
  // With SOL in the pair, the base token duplicates one of the two.
  const doubled = token0.address === WRAPPED_SOL_MINT ? 'allToken0' : token1.address === WRAPPED_SOL_MINT ? 'allToken1' : undefined;
  return choices.filter(({ value }) => value !== doubled);
}
