import * as l10n from '@vscode/l10n';

// The kinds of operations: their names in the journal and in sentences. What an operation does is in transactions/operations.ts.

/** Operations with transactions of their own. */
export const SINGLE_KINDS = ['zapOut', 'zapIn', 'claim', 'addLiquidity', 'swap', 'unwrap'] as const;
/** A rebalance is the parent of a zap-out and a zap-in, and sends nothing itself. */
export const OPERATION_KINDS = [...SINGLE_KINDS, 'rebalance'] as const;

export type SingleKind = (typeof SINGLE_KINDS)[number];
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Operations that move tokens of the wallet alone. */
const UNLISTED: ReadonlySet<OperationKind> = new Set<OperationKind>(['swap', 'unwrap']);

/** Whether lists of positions show the effect of an operation. Of what they do not show, only the chain proves the outcome. */
export function showsInLists(kind: OperationKind): boolean {
  return !UNLISTED.has(kind);
}

const nouns = (): Readonly<Record<OperationKind, string>> => ({
  zapOut: l10n.t('zap-out'),
  zapIn: l10n.t('zap-in'),
  claim: l10n.t('claim'),
  addLiquidity: l10n.t('deposit'),
  swap: l10n.t('swap'),
  unwrap: l10n.t('SOL unwrap'),
  rebalance: l10n.t('rebalance'),
});

/** "zap-out"; part of sentences, after "the" or "a". */
export function operationNoun(kind: OperationKind): string {
  return nouns()[kind];
}
