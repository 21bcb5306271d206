import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { count } from '../../base/format/numbers';
import { bps, percent, slippageWarning } from '../../base/format/percent';
import { enterPercentText, messageOf, readDecimal, type TypedNumber } from '../../base/format/typedNumbers';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import type { Step } from '../shell/prompts/steps';
import { joined } from '../shell/views/rows';

interface SlippageDraft {
  /** 0 to 10000; `own` until the user has typed it. */
  readonly slippageBps?: number | 'own';
}

const PRESETS_BPS: readonly number[] = [50, 100, 300, 500];
const PERCENT_PLACES = 2;

/**
 * The steps that ask for the slippage tolerance.
 * @param defaultBps reads the setting
 */
export function slippageSteps<Draft extends SlippageDraft>(
  prompts: Prompts,
  title: (draft: Draft) => string,
  defaultBps: () => number,
): readonly Step<Draft>[] {
  return [
    {
      ask: async (draft, place) => {
        const standard = defaultBps();
        const current = draft.slippageBps ?? standard;
        // A value typed or planned before is offered, too.
        const presets = [...new Set([standard, ...PRESETS_BPS, ...(typeof current === 'number' ? [current] : [])])].sort(
          (one, other) => one - other,
        );
        const answer = await prompts.pick<number | 'own'>({
          title: title(draft),
          place,
          placeholder: l10n.t('Max slippage'),
          items: [...presets.map((value) => preset(value, standard)), { label: l10n.t('Other…'), icon: 'edit', value: 'own' }],
          isCurrent: (value) => value === current,
        });
        return answer.kind === 'value' ? answered({ ...draft, slippageBps: answer.value }) : answer;
      },
    },
    {
      applies: ({ slippageBps }) => slippageBps === 'own',
      ask: async (draft, place) => {
        const answer = await prompts.input({
          title: title(draft),
          place,
          prompt: enterPercentText('0', '1.5'),
          placeholder: '1',
          read: readSlippage,
        });
        return answer.kind === 'value' ? answered({ ...draft, slippageBps: answer.value }) : answer;
      },
    },
  ];
}

/** Parses a slippage tolerance typed in percent, as basis points. */
export function readSlippage(text: string): Reading<number> {
  const reading = readPercent(text);
  if (!reading.ok || reading.value > WHOLE_BPS) {
    return { ok: false, message: messageOf(reading) ?? enterPercentText('0', '1.5') };
  }
  const { value } = reading;
  return { ok: true, value, note: `${bps(value)}${slippageWarning(value)}` };
}

/** Parses a percentage with up to two decimals, with or without a percent sign, as basis points. */
export function readPercent(text: string): TypedNumber<number> {
  const raw = readDecimal(text.trim().replace(/\s*%$/, ''), PERCENT_PLACES);
  return !raw.ok ? raw : raw.value > BigInt(Number.MAX_SAFE_INTEGER) ? { ok: false } : { ok: true, value: Number(raw.value) };
}

function preset(value: number, standard: number): PickItem<number> {
  return {
    label: percent(value / 100),
    description: joined([l10n.t`${count(value)} bps`, value === standard ? l10n.t('default') : undefined]),
    value,
  };
}

/** What a question says of an unusual slippage tolerance; nothing for usual ones. @param slippageBps 0 to 10000 */
export function unusualSlippage(slippageBps: number): readonly string[] {
  const warning = slippageWarning(slippageBps);
  return warning === '' ? [] : [slippageLine(slippageBps)];
}

/** "Max slippage: 5%", with a warning where it is unusual. @param slippageBps 0 to 10000 */
export function slippageLine(slippageBps: number): string {
  return `${l10n.t`Max slippage: ${percent(slippageBps / 100)}`}${slippageWarning(slippageBps)}`;
}
