import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { TransactionConfig } from '../../base/solana/wireConfig';
import type { DecodedArgument, DecodedInstruction, DecodedTransaction, Review } from '../types';
import { unknownAccount } from '../rules/words';
import { amountText, describeReview, findingText, spendLabels, withoutRepeats } from './summary';
import type { TokenNames } from './tokenNames';

/**
 * Formats everything that was decoded as Markdown that is also readable as plain text: the summary, the findings, and every instruction
 * with its accounts and arguments.
 * @param before additional lines about the money
 * @param title of the operation; default: in words of the review, which knows addresses only
 */
export function describeDetails(
  review: Review,
  tokens: TokenNames = () => undefined,
  before: readonly string[] = [],
  title?: string,
): string {
  const summary = describeReview(review, tokens);
  const sections = [
    `# ${title ?? summary.title}`,
    verdictSentences()[review.verdict],
    [...before, ...summary.lines.map(({ label, text }) => `${label}: ${text}`)].map((line) => `- ${line}`).join('\n'),
    `## ${l10n.t('Findings')}`,
    review.findings.length === 0
      ? l10n.t('None.')
      : withoutRepeats(review.findings)
          .map((finding) => `- ${findingText(finding)}`)
          .join('\n'),
    ...review.transactions.map((transaction) => transactionSection(transaction, tokens)),
  ];
  return `${sections.join('\n\n')}\n`;
}

const verdictSentences = (): Readonly<Record<Review['verdict'], string>> => ({
  allow: l10n.t('Allowed: everything was read, and it is what you asked for.'),
  confirm: l10n.t('Confirm: something is not as expected.'),
  block: l10n.t('Blocked: nothing is signed.'),
});

function transactionSection(transaction: DecodedTransaction, tokens: TokenNames): string {
  const { group, version, config, signers, instructions, messageHash } = transaction;
  const head = [
    `## ${l10n.t`Transaction ${transaction.transaction + 1}: ${group}`}`,
    [
      `- ${l10n.t('Version')}: ${version}`,
      `- ${l10n.t('Fee payer')}: \`${transaction.feePayer}\``,
      ...signers.map(({ address, signed }) => `- ${l10n.t('Signer')}: \`${address}\`${signed ? ` (${l10n.t('signed')})` : ''}`),
      ...(config === undefined ? [] : configLines(config)),
      `- ${l10n.t('Message SHA-256')}: \`${messageHash}\``,
    ].join('\n'),
  ];
  return [...head, ...instructions.map((instruction, index) => instructionSection(instruction, index, tokens))].join('\n\n');
}

/** The fees and limits of a v1 transaction, limits by their names in its config. */
function configLines({ priorityFeeLamports = 0n, computeUnitLimit, loadedAccountsDataSizeLimit, heapBytes }: TransactionConfig): string[] {
  return [
    `- ${spendLabels().priorityFee}: ${l10n.t`${lamportsToSol(priorityFeeLamports)} SOL`}`,
    `- computeUnitLimit: ${computeUnitLimit ?? 0}`,
    `- loadedAccountsDataSizeLimit: ${loadedAccountsDataSizeLimit ?? 0}`,
    ...(heapBytes === undefined ? [] : [`- heapSize: ${heapBytes}`]),
  ];
}

function instructionSection(instruction: DecodedInstruction, index: number, tokens: TokenNames): string {
  const { programName, program, name, args, accounts, problem } = instruction;
  const lines = [
    `- ${l10n.t('Program')}: \`${program}\``,
    ...(problem === undefined ? [] : [`- ${l10n.t`Problem: ${problem}`}`]),
    ...args.map((arg) => argumentLine(arg, tokens)),
    ...accounts.map(({ role, address, knownAs, signer, writable }) => {
      const marks = [knownAs, signer ? l10n.t('signer') : undefined, writable ? l10n.t('writable') : undefined].filter(
        (mark) => mark !== undefined,
      );
      const account = address === undefined ? unknownAccount() : `\`${address}\``;
      return `- ${l10n.t`Account ${role}: ${account}`}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
    }),
  ];
  return [`### ${index + 1}. ${programName}: ${name}`, lines.join('\n')].join('\n\n');
}

/** Shows amounts as encoded and, if known, in whole tokens. */
function argumentLine({ name, value, amountOf }: DecodedArgument, tokens: TokenNames): string {
  const amount =
    amountOf === undefined || (amountOf !== WRAPPED_SOL_MINT && tokens(amountOf)?.decimals === undefined)
      ? ''
      : ` (${amountText(amountOf, BigInt(value), tokens)})`;
  return `- ${l10n.t`Argument ${name}: ${`\`${value}\``}`}${amount}`;
}
