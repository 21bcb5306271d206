import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { type Arguments, decodeInstruction, InstructionCodecError, type InstructionLayout } from '../../base/solana/instructionCodec';
import { KNOWN_DECIMALS, PROGRAMS } from '../../base/solana/programs';
import type { TransactionContext } from '../context';
import { addressIn, type DecodedCall, numberAt, recordsAt } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import type { SwapTerms } from './swapTerms';

/**
 * SWP-6 for the accounts of the owner that a route gets besides those that it sells from and buys into. A router passes the owner's
 * signature on to the exchanges of its route together with an amount that names no token: an exchange that gets another account of the
 * owner could take that many units from it. A route through other tokens needs one account for each of them; any further one is a question.
 *
 * An account that the same transaction creates for the owner counts as new, unless an RPC says that it already exists.
 *
 * The RPC is asked about every writable account of a route. Those that are the owner's are watched in the simulation and must keep their
 * balance (SIM-2).
 */
export function reviewRouteAccounts(
  reading: DecodedCall,
  { source, destinations }: SwapTerms,
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  const { owned } = context;
  const named = new Set(
    [source, ...destinations].flatMap((account) => (account === undefined || account === 'wallet' ? [] : (account.address ?? []))),
  );
  const given = new Set(
    reading.view.accounts.flatMap(({ address, writable }) => (writable && address !== undefined && !named.has(address) ? [address] : [])),
  );
  const own: Address[] = [];
  for (const account of given) {
    owned.askedMintOf(account);
    const mint = owned.heldMintOf(account) ?? knownMintOf(account, context);
    if (mint !== undefined && !isNew(account, context)) {
      own.push(account);
    }
  }
  if (own.length > throughTokens(reading)) {
    notes.confirm('SWP-6', l10n.t`The route could take tokens from other accounts of yours: ${own.join(', ')}.`, { address: own[0] });
  }
}

/** Returns whether the transaction creates the account and no RPC says that it already exists. */
function isNew(account: Address, { transaction, facts }: TransactionContext): boolean {
  const isMade = transaction.readings.some(
    (made) =>
      made.view.program === PROGRAMS.associatedToken &&
      made.layout?.name !== 'recover_nested' &&
      addressIn(made, 'associated_account') === account,
  );
  return isMade && !facts.tokenAccounts.has(account);
}

/** The mint of an associated token account for a well-known token, which the operation does not have to name. */
function knownMintOf(account: Address, { intent: { owner }, derived }: TransactionContext): Address | undefined {
  return [...KNOWN_DECIMALS.keys()].find((mint) => derived.associatedToken(owner, mint, PROGRAMS.token) === account);
}

/** The number of tokens between the sold and the bought token of a route. */
function throughTokens({ args }: DecodedCall): number {
  const steps = recordsAt(args, 'route_plan').flatMap((step) => [numberAt(step, 'input_index'), numberAt(step, 'output_index')]);
  return Math.max(0, new Set(steps.filter((index) => index !== undefined)).size - 2);
}

type Args = InstructionLayout['args'];

/**
 * Reads the plain numbers of an instruction whose route names an unknown exchange (SWP-5): those before the route from the start of the
 * data, those after it from the end. The latter are only a claim, because the program itself continues reading where the route ends.
 * Returns `undefined` if anything else is wrong with the data.
 */
export function claimedArguments({ problem, layout, view }: DecodedCall): Arguments | undefined {
  if (problem?.unknownChoice !== true || layout === undefined) {
    return undefined;
  }
  const first = layout.args.findIndex(([, type]) => !isNumber(type));
  const last = layout.args.findLastIndex(([, type]) => !isNumber(type));
  const before = layout.args.slice(0, first);
  const behind = layout.args.slice(last + 1);
  const begin = layout.discriminator.length / 2;
  const claimed = new Uint8Array([
    ...view.data.subarray(begin, begin + size(before)),
    ...view.data.subarray(Math.max(begin + size(before), view.data.length - size(behind))),
  ]);
  try {
    return decodeInstruction({ ...layout, discriminator: '', args: [...before, ...behind] }, claimed);
  } catch (error) {
    if (error instanceof InstructionCodecError) {
      return undefined;
    }
    throw error;
  }
}

const NUMBER_BYTES: Readonly<Record<string, number>> = { u8: 1, u16: 2, u32: 4, u64: 8 };

function isNumber(type: Args[number][1]): boolean {
  return typeof type === 'string' && type in NUMBER_BYTES;
}

function size(args: Args): number {
  return args.reduce((sum, [, type]) => sum + (typeof type === 'string' ? (NUMBER_BYTES[type] ?? 0) : 0), 0);
}
