import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import { type Locale, displayLocale } from '../../base/format/locale';
import { isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import type { Pool } from '../../service/pools';
import { plainText } from '../shell/views/text';
import { longerWhereRepeated } from '../shell/views/uniqueNames';

/**
 * A name for each pool that no other one has, for the beginning of its row, which a narrow sidebar does not cut off: the pair; with its bin
 * step or type if the pair repeats; with its base fee if that repeats, too; and with its address if everything is the same.
 * @param pools a pool may be among them several times
 * @returns by the address of the pool
 */
export function poolNames(pools: readonly Pool[], locale: Locale = displayLocale()): ReadonlyMap<string, string> {
  const all = [...new Map(pools.map((pool) => [pool.address, pool])).values()];
  const addressOf = ({ address }: Pool): string => address;
  const pairs = new Map<string, string>(all.map((pool) => [pool.address, plainText(pool.pairName)]));
  const withKind = longerWhereRepeated(all, addressOf, pairs, (pair, pool) => `${pair} ${kindOf(pool)}`.trimEnd());
  const withFee = longerWhereRepeated(all, addressOf, withKind, (name, { baseFeePercent }) =>
    isKnown(baseFeePercent) ? l10n.t`${name}, ${percent(baseFeePercent, locale)} fee` : name,
  );
  return longerWhereRepeated(all, addressOf, withFee, (name, { address }) => `${name} (${shortAddress(address)})`);
}

function kindOf({ poolType, binStepBps }: Pool): string {
  return isKnown(binStepBps) ? l10n.t`${binStepBps} bps` : poolType === 'dammV2' ? 'DAMM v2' : '';
}
