import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { quotedAscii } from '../../base/text';
import { type InstructionRule, isOwned } from '../context';
import { FORBIDDEN_PROGRAMS, PRECOMPILES, REVIEW_PROGRAMS } from '../decode/programs';
import { reviewDamm } from './damm';
import { reviewDlmm } from './dlmm';
import { reviewBudgetInstruction } from './fees';
import { reviewJupiter, reviewRfq } from './jupiter';
import { reviewOkx } from './okx';
import { reviewSystem } from './system';
import { reviewAssociatedToken, reviewToken } from './token';
import { notPartWords, unknownInstructionWords } from './words';
import { reviewZap } from './zap';

/** The maximum length of a shown memo, bytes. */
const LONGEST_MEMO_BYTES = 566;

/** Lighthouse instructions 0 and 1 write memory; 2 to 17 are assertions (npm lighthouse-sdk 2.1.0). */
const LIGHTHOUSE_WRITES = [0, 1];
const LIGHTHOUSE_LAST_ASSERTION = 17;

/**
 * MEM-1: a memo moves no money; its text is shown. The program requires the signature of each account that a memo names. With the owner
 * among them, the owner signs the text, which could be a login to a site. SIG-4 covers other signers.
 */
const reviewMemo: InstructionRule = (reading, { intent: { owner } }, notes) => {
  const { data, accounts } = reading.view;
  const text = Buffer.from(data.subarray(0, LONGEST_MEMO_BYTES)).toString('utf8');
  const quoted = quotedAscii(text);
  const shown = data.length > LONGEST_MEMO_BYTES ? `${quoted}…` : quoted;
  if (accounts.some(({ address }) => address === owner)) {
    notes.confirm('MEM-1', l10n.t`Your wallet would sign a text that others could use as your login or consent: ${shown}`, {
      address: owner,
    });
  } else {
    notes.info('MEM-1', l10n.t`The transaction contains a memo: ${shown}`);
  }
};

/** LGT-1: assertions protect the owner; other Lighthouse instructions have effects. */
const reviewLighthouse: InstructionRule = (reading, _context, notes) => {
  const opcode = reading.view.data[0];
  if (opcode === undefined || opcode > LIGHTHOUSE_LAST_ASSERTION) {
    notes.block('LGT-1', unknownInstructionWords(reading.view.program));
  } else if (LIGHTHOUSE_WRITES.includes(opcode)) {
    notes.confirm('LGT-1', l10n.t('Lighthouse allocates or frees memory, which costs or refunds a little rent.'));
  }
};

/** The rules of each listed program. */
const RULES: ReadonlyMap<Address, InstructionRule> = new Map([
  [PROGRAMS.system, reviewSystem],
  [PROGRAMS.computeBudget, reviewBudgetInstruction],
  [PROGRAMS.token, reviewToken],
  [PROGRAMS.token2022, reviewToken],
  [PROGRAMS.associatedToken, reviewAssociatedToken],
  [PROGRAMS.memo, reviewMemo],
  [PROGRAMS.memoV1, reviewMemo],
  [PROGRAMS.dlmm, reviewDlmm],
  [PROGRAMS.dammV2, reviewDamm],
  [REVIEW_PROGRAMS.meteoraZap, reviewZap],
  [PROGRAMS.jupiterV6, reviewJupiter],
  [REVIEW_PROGRAMS.jupiterRfq, reviewRfq],
  [REVIEW_PROGRAMS.okxRouter, reviewOkx],
  [REVIEW_PROGRAMS.okxRouterV1, reviewOkx],
  [REVIEW_PROGRAMS.lighthouse, reviewLighthouse],
]);

/** Applies the rules of an instruction's program. A program without rules is denied by default (PRG-2). */
export const reviewInstruction: InstructionRule = (reading, context, notes) => {
  const { program } = reading.view;
  const rule = RULES.get(program);
  if (rule === undefined) {
    reviewStranger(reading, context, notes);
  } else {
    rule(reading, context, notes);
  }
};

/** PRG-2 to PRG-4: programs without rules. A program that the user trusts is still a question. */
const reviewStranger: InstructionRule = (reading, context, notes) => {
  const { program, accounts } = reading.view;
  const forbidden = FORBIDDEN_PROGRAMS.get(program);
  const precompile = PRECOMPILES.get(program);
  if (forbidden !== undefined) {
    notes.block('PRG-3', `${callsWords(forbidden)} ${notPartWords()}`, { address: program });
    return;
  }
  if (precompile !== undefined) {
    notes.confirm('PRG-4', `${callsWords(precompile)} ${notPartWords()}`, { address: program });
    return;
  }
  // All accounts, so the RPC is asked about each of them.
  const touched = accounts.filter(
    ({ address }) =>
      address === undefined ||
      address === context.intent.owner ||
      isOwned(context, address) ||
      context.owned.heldMintOf(address) !== undefined,
  );
  const isTrusted = context.policy.trustedPrograms.includes(program);
  const words = [
    callsWords(program),
    isTrusted ? l10n.t('You trust it, but Binsight cannot read it.') : l10n.t('Binsight does not know that program.'),
    touched.length > 0 ? l10n.t('It gets your signature or your accounts.') : l10n.t('It gets none of your accounts.'),
  ].join(' ');
  notes[touched.length > 0 && !isTrusted ? 'block' : 'confirm']('PRG-2', words, { address: program });
};

const callsWords = (program: string): string => l10n.t`The transaction calls the program ${program}.`;
