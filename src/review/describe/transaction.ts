import * as l10n from '@vscode/l10n';
import { type Address, addressFromBytes } from '../../base/solana/address';
import type { Arguments, ArgumentValue } from '../../base/solana/instructionCodec';
import { JITO_TIP_ACCOUNTS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { isEmptySignature } from '../../base/solana/wireTransaction';
import { quotedAscii } from '../../base/text';
import type { OperationContext } from '../context';
import { addressIn, type DecodedCall, type ReadTransaction } from '../decode/instructions';
import { programName } from '../decode/programs';
import { unknownInstructionWords } from '../rules/words';
import type { DecodedArgument, DecodedInstruction, DecodedTransaction } from '../types';

/** The maximum number of bytes shown of an argument. */
const SHOWN_BYTES = 64;
const ADDRESS_BYTES = 32;

/** Describes the arguments of an instruction, one for each plain value, list or choice. */
function describeArguments(reading: DecodedCall, context: OperationContext): readonly DecodedArgument[] {
  const { args, view } = reading;
  if (args === undefined) {
    return [{ name: 'data', value: hexText(view.data) }];
  }
  return leaves(args, '').map(([name, value]) => {
    const amountOf = typeof value === 'bigint' ? tokenOf(name.slice(name.lastIndexOf('.') + 1), reading, context) : undefined;
    return { name, value: argumentText(value), ...(amountOf === undefined ? {} : { amountOf }) };
  });
}

/** Flattens records; lists and choices stay whole. */
function leaves(record: Arguments, prefix: string): (readonly [string, ArgumentValue])[] {
  return Object.entries(record).flatMap(([name, value]) =>
    isPlainRecord(value) ? leaves(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value] as const],
  );
}

/** The roles that identify the token of an amount: the mint, or one of the owner's token accounts. */
const AMOUNTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:max_)?amount_x$|^(?:max_deposit|min_withdraw)_x_amount$/, ['token_x_mint', 'user_token_x']],
  [/^(?:max_)?amount_y$|^(?:max_deposit|min_withdraw)_y_amount$/, ['token_y_mint', 'user_token_y']],
  [/^token_a_amount/, ['token_a_mint', 'token_a_account']],
  [/^token_b_amount/, ['token_b_mint', 'token_b_account']],
  [
    /^(?:quoted_|max_|maximum_)?(?:in_amount|amount_in)$|^max_amount_in$|^input_amount$/,
    [
      'source_mint',
      'input_mint',
      'user_source_token_account',
      'source_token_account',
      'user_token_in',
      'input_token_account',
      'user_token_in_account',
    ],
  ],
  [
    /^(?:quoted_|min_|minimum_|expect_)?(?:out_amount|amount_out)$|^output_amount$|^min_return$/,
    [
      'destination_mint',
      'output_mint',
      'user_destination_token_account',
      'destination_token_account',
      'user_token_out',
      'output_token_account',
    ],
  ],
  [/^(?:max_)?amount$/, ['mint', 'token_mint', 'source', 'account', 'user_token']],
];

function tokenOf(name: string, reading: DecodedCall, context: OperationContext): Address | undefined {
  if (name === 'lamports') {
    return WRAPPED_SOL_MINT;
  }
  const roles = AMOUNTS.find(([names]) => names.test(name))?.[1] ?? [];
  for (const role of roles) {
    const account = addressIn(reading, role);
    const mint = account === undefined || role.endsWith('mint') ? account : context.owned.heldMintOf(account);
    if (mint !== undefined) {
      return mint;
    }
  }
  return undefined;
}

function argumentText(value: ArgumentValue): string {
  if (value === undefined) {
    return 'none';
  }
  if (value instanceof Uint8Array) {
    return value.length === ADDRESS_BYTES ? addressFromBytes(value) : hexText(value);
  }
  if (typeof value === 'string') {
    return quotedAscii(value);
  }
  if (typeof value !== 'object') {
    return String(value);
  }
  if (isList(value)) {
    return `[${value.map(argumentText).join(', ')}]`;
  }
  const { kind, fields } = value;
  if (typeof kind === 'string') {
    return fields !== undefined && isList(fields) ? `${kind}(${fields.map(argumentText).join(', ')})` : kind;
  }
  return `{ ${Object.entries(value)
    .map(([name, field]) => `${name}: ${argumentText(field)}`)
    .join(', ')} }`;
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}

function isPlainRecord(value: ArgumentValue): value is Arguments {
  return typeof value === 'object' && !isList(value) && !(value instanceof Uint8Array) && typeof value['kind'] !== 'string';
}

function hexText(bytes: Uint8Array): string {
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString('hex');
  return bytes.length > SHOWN_BYTES ? `0x${shown}… (${bytes.length} B)` : `0x${shown}`;
}

/** Describes a transaction as far as it was decoded. */
export function describeTransaction({ view, readings }: ReadTransaction, context: OperationContext): DecodedTransaction {
  const { wire } = view;
  return {
    group: view.group,
    transaction: view.index,
    version: wire.version,
    config: wire.config,
    feePayer: wire.staticKeys[0] ?? context.intent.owner,
    signers: wire.staticKeys
      .slice(0, wire.requiredSignatures)
      .map((address, slot) => ({ address, signed: !isEmptySignature(wire.signatures[slot] ?? new Uint8Array()) })),
    instructions: readings.map((reading) => describeInstruction(reading, context)),
    messageHash: view.messageHash,
  };
}

function describeInstruction(reading: DecodedCall, context: OperationContext): DecodedInstruction {
  const { view, layout } = reading;
  return {
    program: view.program,
    programName: programName(view.program),
    name: layout?.name ?? 'unknown',
    accounts: view.accounts.map(({ address, signer, writable }, place) => ({
      role: layout?.accounts[place]?.name ?? `account ${place + 1}`,
      address,
      // A program's own id means "none".
      knownAs:
        layout?.accounts[place]?.optional === true && address === view.program ? l10n.t('none') : address && knownName(address, context),
      signer,
      writable,
    })),
    args: describeArguments(reading, context),
    problem: layout === undefined ? unknownInstructionWords(view.program) : reading.problem?.message,
  };
}

/** The role of an address in this operation, if it is known for certain. */
function knownName(address: Address, context: OperationContext): string | undefined {
  const { intent, owned, places } = context;
  const mint = owned.mintOf(address);
  const heldMint = owned.heldMintOf(address);
  switch (address) {
    case intent.owner:
      return l10n.t('your wallet');
    case WRAPPED_SOL_MINT:
      return l10n.t('wrapped SOL');
  }
  const place = places.find((one) => [one.pool, one.position, one.tokenX, one.tokenY].includes(address));
  switch (address) {
    case place?.pool:
      return l10n.t('the pool');
    case place?.position:
      return l10n.t('the position');
    case place?.tokenX:
    case place?.tokenY:
      return l10n.t("the pool's token");
  }
  if (mint !== undefined) {
    return l10n.t`your token account for ${mint === WRAPPED_SOL_MINT ? 'SOL' : mint}`;
  }
  if (heldMint !== undefined) {
    return l10n.t`a token account for ${heldMint} that is not safely yours`;
  }
  if (JITO_TIP_ACCOUNTS.includes(address)) {
    return l10n.t('a Jito tip account');
  }
  const program = programName(address);
  return program === address ? undefined : program;
}
