import * as l10n from '@vscode/l10n';
import { errorMessageOf } from './errors';

// Sentences that several steps of operations say.

export const onceResolved = (): string => l10n.t('Try again once this is resolved.');
export const refreshPositions = (): string => l10n.t('Refresh your positions.');
export const checkThenStart = (): string => l10n.t('Check your positions and Activity, then start again.');
export const switchBack = (): string => l10n.t('Switch back, then try again.');
export const otherServiceWords = (): string => l10n.t('Another service is in use now.');
export const needsWalletWords = (owner: string): string => l10n.t`This needs the wallet ${owner}.`;
export const suspendedWords = (): string => l10n.t('This window was suspended, and another one may have taken over.');
export const journalUnreadWords = (cause: unknown): string => l10n.t`The operation journal cannot be read. ${errorMessageOf(cause)}`;
export const stoppedWords = (noun: string, why: string): string => l10n.t`The ${noun} was stopped. ${why}`;
export const notPreparedWords = (noun: string, why: string): string => l10n.t`The ${noun} could not be prepared. ${why}`;
export const failedWords = (noun: string): string => l10n.t`The ${noun} was not executed.`;
export const inPartWords = (noun: string): string => l10n.t`The ${noun} was partially executed.`;
export const notShownWords = (noun: string, cause: unknown): string =>
  l10n.t`The ${noun} could not be shown for approval. ${errorMessageOf(cause)}`;
/** @param what a label: "Active bin" */
export const notReportedWords = (what: string): string => l10n.t`Not reported by the service: ${what}.`;
