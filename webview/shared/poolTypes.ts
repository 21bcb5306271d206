import * as l10n from '@vscode/l10n';
import type { PoolView } from '../../src/protocol/pool';

/** Display name of a pool type. */
export function poolTypeName(type: PoolView['poolType']): string {
  return type === 'dlmm' ? 'DLMM' : type === 'dammV2' ? 'DAMM v2' : l10n.t('Other type');
}
