import * as l10n from '@vscode/l10n';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { amountText, type TokenNames } from './amountText';
import { describeReview, findingText } from './summary';
import type { DecodedArgument, DecodedInstruction, DecodedTransaction, Review } from '../types';

/**
 * Writes everything that was read in the transactions as Markdown that is also readable as it is: the summary, the
 * findings, then every instruction with its accounts and arguments.
 * @param before lines of the caller's own about the money
 */
export function describeDetails(review: Review, tokens: TokenNames = () => undefined, before: readonly string[] = []): string {
  const summary = describeReview(review, tokens);
  const sections = [
    `# ${summary.title}`,
    verdictSentences()[review.verdict],
    [...before, ...summary.lines.map(({ label, text }) => `${label}: ${text}`)].map((line) => `- ${line}`).join('\n'),
    '## Findings',
    review.findings.length === 0 ? 'None.' : review.findings.map((finding) => `- ${findingText(finding)}`).join('\n'),
    ...review.transactions.map((transaction) => transactionSection(transaction, tokens)),
  ];
  return `${sections.join('\n\n')}\n`;
}

const verdictSentences = (): Readonly<Record<Review['verdict'], string>> => ({
  allow: l10n.t('Verdict: allowed. Everything was read, and it is what was asked for.'),
  confirm: l10n.t('Verdict: to be decided. Everything was read; some of it is not as expected.'),
  block: l10n.t('Verdict: blocked. None of it is signed.'),
});

function transactionSection(transaction: DecodedTransaction, tokens: TokenNames): string {
  const { group, version, signers, instructions, messageHash } = transaction;
  const head = [
    l10n.t`## Transaction ${transaction.transaction + 1}: ${group}`,
    [
      l10n.t`- Format: ${version === 'legacy' ? 'legacy' : l10n.t`version ${version}`}`,
      l10n.t`- Fee payer: \`${transaction.feePayer}\``,
      ...signers.map(
        ({ address, signed }) => l10n.t`- Signer: \`${address}\` (${signed ? l10n.t('has signed') : l10n.t('has not signed yet')})`,
      ),
      l10n.t`- Message sha256: \`${messageHash}\``,
    ].join('\n'),
  ];
  return [...head, ...instructions.map((instruction, index) => instructionSection(instruction, index, tokens))].join('\n\n');
}

function instructionSection(instruction: DecodedInstruction, index: number, tokens: TokenNames): string {
  const { programName, program, name, args, accounts, problem } = instruction;
  const lines = [
    l10n.t`- Program: \`${program}\``,
    ...(problem === undefined ? [] : [l10n.t`- Problem: ${problem}`]),
    ...args.map((arg) => argumentLine(arg, tokens)),
    ...accounts.map(({ role, address, knownAs, signer, writable }) => {
      const marks = [knownAs, signer ? 'signs' : undefined, writable ? l10n.t('is written') : undefined].filter(
        (mark) => mark !== undefined,
      );
      return l10n.t`- Account ${role}: ${address === undefined ? l10n.t('from a lookup table that was not read') : `\`${address}\``}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
    }),
  ];
  return [`### ${index + 1}. ${programName}: ${name}`, lines.join('\n')].join('\n\n');
}

/** Amounts stand as the bytes have them, and in the unit that people reckon in. */
function argumentLine({ name, value, amountOf }: DecodedArgument, tokens: TokenNames): string {
  const amount =
    amountOf === undefined || (amountOf !== WRAPPED_SOL_MINT && tokens(amountOf)?.decimals === undefined)
      ? ''
      : ` (${amountText(amountOf, BigInt(value), tokens)})`;
  return l10n.t`- Argument ${name}: \`${value}\`${amount}`;
}
