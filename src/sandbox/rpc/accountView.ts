import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import { formatRaw } from '../../base/solana/amounts';
import { PROGRAMS } from '../../base/solana/programs';
import { readMint, readTokenAccount } from '../../base/solana/tokenAccount';
import { RENT_EXEMPT_EPOCH } from '../chain/machine';
import type { Chain, ChainAccount } from '../chain/types';
import { type AccountConfig, invalidParams, RPC_CODES, RpcMethodError } from './method';

/** Nodes refuse to encode more than this as base58. */
const MAX_BASE58_BYTES = 128;

type Encoding = NonNullable<AccountConfig['encoding']>;

/** Where the mint of a token account is found. */
type Accounts = Pick<Chain, 'account'>;

/** Encoding and slice of account data. */
export interface AccountStyle {
  readonly encoding: Encoding;
  readonly slice: AccountConfig['dataSlice'];
}

/** The encoding that the caller asks for, or the default of the method. */
export function accountStyle(config: AccountConfig | null | undefined, byDefault: Encoding): AccountStyle {
  return { encoding: config?.encoding ?? byDefault, slice: config?.dataSlice };
}

/** An account in the JSON of a node. @throws RpcMethodError if it is too long for base58 */
export function accountView(chain: Accounts, account: Readonly<ChainAccount>, style: AccountStyle): unknown {
  const { lamports, program, executable, data } = account;
  return { data: dataView(chain, account, style), executable, lamports, owner: program, rentEpoch: RENT_EXEMPT_EPOCH, space: data.length };
}

/** A token amount in the JSON of a node. */
export function tokenAmountView(
  amountRaw: bigint,
  decimals: number,
): { readonly amount: string; readonly decimals: number; readonly uiAmount: number; readonly uiAmountString: string } {
  return {
    amount: amountRaw.toString(),
    decimals,
    uiAmount: Number(amountRaw) / 10 ** decimals,
    uiAmountString: formatRaw(amountRaw, decimals),
  };
}

function dataView(chain: Accounts, account: Readonly<ChainAccount>, { encoding, slice }: AccountStyle): unknown {
  const data = slice === null || slice === undefined ? account.data : account.data.subarray(slice.offset, slice.offset + slice.length);
  switch (encoding) {
    case 'binary':
      return base58(data);
    case 'base58':
      return [base58(data), encoding];
    case 'base64':
      return [Buffer.from(data).toString('base64'), encoding];
    case 'base64+zstd':
      throw invalidParams('unsupported encoding: base64+zstd. Supported encodings: base58, base64, jsonParsed');
    case 'jsonParsed':
      // Like nodes, falls back to base64 for data without a parser.
      return parsedData(chain, account) ?? [Buffer.from(data).toString('base64'), 'base64'];
  }
}

function base58(data: Uint8Array): string {
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcMethodError(
      RPC_CODES.invalidRequest,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  }
  return bs58.encode(data);
}

/** Parses a token account or a mint (agave: account-decoder, `parse_token.rs`); `undefined` for other accounts. */
function parsedData(chain: Accounts, account: Readonly<ChainAccount>): unknown {
  const parsed = parsedTokenAccount(chain, account) ?? parsedMint(account);
  return parsed === undefined
    ? undefined
    : { program: account.program === PROGRAMS.token2022 ? 'spl-token-2022' : 'spl-token', parsed, space: account.data.length };
}

function parsedTokenAccount(chain: Accounts, account: Readonly<ChainAccount>): unknown {
  const token = readTokenAccount(account);
  const mintAccount = token === undefined ? undefined : chain.account(token.mint);
  const mint = mintAccount === undefined ? undefined : readMint(mintAccount);
  if (token === undefined || mint === undefined) {
    return undefined;
  }
  const { decimals } = mint;
  return {
    type: 'account',
    info: {
      mint: token.mint,
      owner: token.owner,
      tokenAmount: tokenAmountView(token.amountRaw, decimals),
      delegate: token.delegate,
      state: token.state,
      isNative: token.nativeReserve !== undefined,
      rentExemptReserve: token.nativeReserve === undefined ? undefined : tokenAmountView(token.nativeReserve, decimals),
      delegatedAmount: token.delegate === undefined ? undefined : tokenAmountView(token.delegatedRaw, decimals),
      closeAuthority: token.closeAuthority,
    },
  };
}

function parsedMint(account: Readonly<ChainAccount>): unknown {
  const mint = readMint(account);
  return mint === undefined
    ? undefined
    : {
        type: 'mint',
        info: {
          mintAuthority: mint.mintAuthority ?? null,
          supply: mint.supplyRaw.toString(),
          decimals: mint.decimals,
          isInitialized: true,
          freezeAuthority: mint.freezeAuthority ?? null,
        },
      };
}
